"""Simulated people, for the page that shows their answers. Nothing of them is kept that a seed does not say again."""

import time
from collections import OrderedDict
from typing import Any

import numpy as np

from pcl_app.studio.settings import MOST_ANSWERS
from pcl_app.studio.work.shelf import Shelf
from pcl_core.analysis import Step, optimum
from pcl_core.elicitation import Elicitation, Settings, Simulation, person
from pcl_core.solve import Oracle
from pcl_core.users import Informative, sample_weights

MOST_PEOPLE = 8
SECONDS = 0.2
"""That a worker simulates before somebody else may have it."""
ALPHA = 0.5
"""How much of what could be better in a part she gains with each change."""


class Simulated:
    """One person, as far as she was asked.

    Her wishes are likings of features that the seed draws, alike in all parts: Monday tells of Tuesday.
    """

    def __init__(self, oracle: Oracle, seed: int) -> None:
        weights = sample_weights(oracle.problem, "alike", np.random.default_rng(seed))
        self._person = person(oracle, weights, Informative(alpha=ALPHA), (seed,))
        self._best = optimum(oracle, weights)
        self._live = Elicitation(oracle.problem, oracle=oracle, settings=Settings.of("people", seed=seed))
        self._frames = [self._frame(satisfied=False)]

    def after(self, answers: int) -> dict[str, Any]:
        """The whole before her first answer and after each, with how much better the best for her would be.

        Others wait for this worker, so after a moment it is `unfinished`: whoever wants more asks again.
        """
        until = time.monotonic() + SECONDS
        while self._lacks(answers):
            Simulation(self._live, self._person, self._best).run(1, self._note)
            if time.monotonic() > until:
                break
        complete = len(self._frames) <= answers + 1
        return {
            "unfinished": self._lacks(answers),
            "frames": self._frames[: answers + 1],
            "finished": self._live.finished and complete,
            "certified": self._live.certificate is not None and complete,
        }

    def _lacks(self, answers: int) -> bool:
        return len(self._frames) <= min(answers, MOST_ANSWERS) and not self._live.finished

    def _note(self, step: Step) -> None:
        self._frames.append(self._frame(step.satisfied))

    def _frame(self, satisfied: bool) -> dict[str, Any]:
        live = self._live
        told = live.history[-1:]
        return {
            "configuration": live.configuration,
            "parts": [part.data() for part in live.parts],
            "regret": max(0.0, self._best.utility - self._person.utility(live.configuration)),
            "satisfied": satisfied,
            "told": told[0].data() if told else None,
        }


class People:
    """Those who were asked last."""

    def __init__(self, shelf: Shelf) -> None:
        self._shelf = shelf
        self._known: OrderedDict[tuple[str, int], Simulated] = OrderedDict()

    def simulate(self, problem: str, seed: int, answers: int) -> dict[str, Any]:
        key = (problem, seed)
        found = self._known.pop(key, None) or Simulated(self._shelf.named(problem).oracle, seed)
        self._known[key] = found
        if len(self._known) > MOST_PEOPLE:
            self._known.popitem(last=False)
        return found.after(answers)
