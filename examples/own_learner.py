"""A learner of your own: it looks at all feedback so far, and proposes by all features of a part.

Run it with `python examples/own_learner.py`. It compares the learner with the perceptron on a few simulated users.
"""

from dataclasses import dataclass, replace

import numpy as np
from pydantic import PositiveInt

import pcl_core as pcl
from pcl_core.learn import Belief, Improvement, Learner, Lesson, Perceptron, Prior, Strategy, Vector
from pcl_core.users import Informative, sample_weights


@dataclass(frozen=True)
class RehearsalState:
    """The weights, and what every improvement so far changed in the features."""

    kind: "Rehearsal"
    weights: Vector
    seen: tuple[Vector, ...] = ()

    @property
    def belief(self) -> Belief:
        return Belief(self.weights)

    def after(self, lesson: Lesson) -> "RehearsalState":
        """Rehearse all lessons, the new one last, until the weights agree with each or the rounds are over.

        Only features of the part can differ, so no mask is needed: the change is zero outside I.
        """
        if not isinstance(lesson, Improvement):
            return self
        seen = (*self.seen, lesson.better - lesson.worse)
        weights = self.weights.copy()
        for _ in range(self.kind.rounds):
            wrong = False
            for change in seen:
                if weights @ change <= 0:
                    weights += change
                    wrong = True
            if not wrong:
                break
        return replace(self, weights=weights, seen=seen)


class Rehearsal(Strategy):
    """a perceptron that goes through all improvements again after each new one; `rounds` limits how often"""

    rounds: PositiveInt = 20

    def start(self, prior: Prior) -> Learner:
        return RehearsalState(self, prior.weights.copy())


def final_regret(learner: Perceptron | Rehearsal, oracle: pcl.Oracle, user: int, queries: int) -> float:
    """How far from the best the training week of one simulated user is after some queries."""
    weights = sample_weights(oracle.problem, "normal", np.random.default_rng((user, 0)))
    elicitation = pcl.Elicitation(
        oracle.problem,
        oracle=oracle,
        settings=pcl.Settings(seed=user),
        strategies=pcl.Strategies(learner=learner),
    )
    somebody = pcl.person(oracle, weights, Informative(alpha=0.3), (user, 1))
    trace = pcl.Simulation(elicitation, somebody, pcl.optimum(oracle, weights)).run(queries)
    return trace.steps[-1].regret


def main(users: int = 5, queries: int = 40) -> None:
    oracle = pcl.Oracle.of(pcl.load("training"))
    for learner in (Perceptron(), Rehearsal()):
        regrets = [final_regret(learner, oracle, user, queries) for user in range(users)]
        name = type(learner).__name__
        print(f"{name:<10}  mean regret after {queries} queries: {np.mean(regrets):.1f}")


if __name__ == "__main__":
    main()
