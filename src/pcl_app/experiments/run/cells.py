"""Cells: one simulated user with the settings of a run. A cell's result depends on the cell and on nothing else.

So finished work is kept on disk, under the hash of what it is the result of. What is there is not computed again.
"""

import hashlib
import json
import shlex
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from pcl_app.experiments.measures import row_of
from pcl_app.experiments.plan.fields import StartFile
from pcl_app.experiments.plan.settings import RunSettings, option_of
from pcl_app.writing import make_folder, replacing
from pcl_core.alternatives import Listing
from pcl_core.analysis import Optimum, Trace, check_trace, optimum
from pcl_core.elicitation import UNKNOWN, Elicitation, Simulation, as_one_part, matched_person, person
from pcl_core.errors import Code, Issue, Location, RequestError
from pcl_core.learn import Perceptron
from pcl_core.model import Problem, Vector
from pcl_core.solve import Options, Oracle
from pcl_core.users import SimulatedPerson, sample_weights, wisher

CELL_VERSION = 2
"""Raised when the same cell would give other rows than before, so that kept results are not mixed up."""
PEOPLE_VERSION = 3
"""The same for cells in the mode `people`, which change while those of the paper stay."""

WEIGHTS, ANSWERS, LEARNING = 1, 2, 3
"""Streams of randomness for each user: her weights, her answers, the learner's own choices."""

FORMERLY_HASHED = (
    *("problem", "algorithm", "learner", "select", "order", "mode", "stop", "user_model", "alpha", "weights", "start"),
    *("given", "start_weights", "queries", "seed", "backend", "time_limit"),
)
"""The settings that there were when all of them, at their defaults or not, were part of a key."""


class Cell(BaseModel):
    """One user of a run. `problem_hash` ties it to what the problem said when it was run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    settings: RunSettings
    user: int
    problem_hash: str

    @property
    def key(self) -> str:
        """Under which the result is kept. What is as by default is no part of it, nor is a setting that comes later."""
        said = self.settings.model_dump(mode="json", exclude_defaults=True)
        said |= {name: value for name, value in self.settings.names().items() if name in said}
        version = PEOPLE_VERSION if self.settings.mode == "people" else CELL_VERSION
        return _hash(f"cell {version} {json.dumps([self.problem_hash, self.user, said], sort_keys=True)}")

    @property
    def former_key(self) -> str | None:
        """Under which it was kept when all settings were part of it; None where it could not have been."""
        formerly = self.settings.model_dump(exclude_defaults=True).keys() <= set(FORMERLY_HASHED)
        if not formerly or self.settings.mode == "people":
            return None
        said = self.settings.model_dump_json(include=set(FORMERLY_HASHED))
        return _hash(
            f'cell {CELL_VERSION} {{"setting":{said},"user":{self.user},"problem_hash":"{self.problem_hash}"}}'
        )

    @property
    def optimum_key(self) -> str:
        """Where the best configuration of this user is kept: it does not depend on how she is asked.

        It does depend on who looks for it, where a limit stops the search.
        """
        said = self.settings
        limits = (said.backend, said.time_limit)
        return _hash(f"optimum {(CELL_VERSION, self.problem_hash, said.weights, said.seed, self.user, *limits)}")

    def command(self, out: Path) -> str:
        """What repeats this cell alone, beside the folder where its experiment is."""
        words = ["pcl", "simulate", self.settings.problem, "--only-user", str(self.user)]
        for name in self.settings.model_dump(exclude_defaults=True, exclude={"problem"}):
            value = getattr(self.settings, name)
            file = value.file if isinstance(value, StartFile) else getattr(value, "reference", "")
            words += [option_of(name), file or str(value)]
        return shlex.join([*words, "--out", f"{out}-{self.key[:8]}"])


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Bench:
    """What the cells of one problem share in one process: the oracles with everything they compiled."""

    def __init__(self, problem: Problem, backend: str, time_limit: float | None) -> None:
        self.oracle = Oracle.of(problem, backend, Options(time_limit=time_limit))
        self.patient = self.oracle if time_limit is None else Oracle.of(problem, backend)
        """Without a limit, for people: they know what they want, however long that takes to compute."""

    @cached_property
    def full(self) -> Oracle:
        """For whole configurations, which not every backend takes; an optimum is a matter of proof, not of taste."""
        return self.oracle.taking()

    @cached_property
    def whole(self) -> Oracle:
        """The problem as a single part, for plain coactive learning."""
        return Oracle(as_one_part(self.oracle.problem), self.full.backend, self.full.options)

    @cached_property
    def listing(self) -> Listing:
        """For people who want something definite: they look through all that a part could be."""
        return Listing(self.oracle.problem)

    @cached_property
    def patient_whole(self) -> Oracle:
        return Oracle(self.whole.problem, self.whole.backend, compiled=self.whole.compiled)


def weights_of(cell: Cell, problem: Problem) -> Vector:
    """w* of the cell's user."""
    generator = np.random.default_rng((cell.settings.seed, cell.user, WEIGHTS))
    return sample_weights(problem, cell.settings.weights, generator)


def person_of(bench: Bench, cell: Cell) -> SimulatedPerson:
    """The cell's user: by her weights, or with the wishes that are drawn for her."""
    said, problem = cell.settings, bench.oracle.problem
    if not said.by_utility:
        generator = np.random.default_rng((said.seed, cell.user, WEIGHTS))
        return wisher(str(said.user_model), bench.listing, generator)
    return person(bench.patient, weights_of(cell, problem), said.user(), (said.seed, cell.user, ANSWERS))


def find_optimum(bench: Bench, cell: Cell) -> Optimum:
    return optimum(bench.full, weights_of(cell, bench.oracle.problem))


def run_cell(bench: Bench, cell: Cell, best: Optimum | None) -> dict[str, Any]:
    """The cell's rows, as `traces.parquet` has them, what the theory says of them, and whether she is satisfied."""
    somebody = person_of(bench, cell)
    trace = _simulate(bench.oracle, cell, best, somebody)
    if cell.settings.algorithm == "cl":
        gains = [step.utility_improved - step.utility for step in trace.steps]
        whole = bench.patient_whole
        trace = _simulate(bench.whole, cell, best, matched_person(whole, weights_of(cell, whole.problem), gains))
        return {"rows": [row_of(step) for step in trace.steps], "failed": _failed_checks(whole, cell, trace)}
    return {
        "rows": [row_of(step) for step in trace.steps],
        "failed": _failed_checks(bench.patient, cell, trace) if cell.settings.by_utility else [],
        "satisfied": somebody.satisfied(trace.configuration),
    }


def _simulate(oracle: Oracle, cell: Cell, best: Optimum | None, somebody: SimulatedPerson) -> Trace:
    said = cell.settings
    seed = int(np.random.default_rng((said.seed, cell.user, LEARNING)).integers(2**62))
    settings, strategies = said.elicitation(seed=seed), said.strategies()
    if len(oracle.problem.parts) == 1:  # an order may list parts, which coactive learning has not
        settings, strategies = said.elicitation(seed=seed, order="declared"), replace(strategies, order=None)
    first, weights = said.first_configuration(oracle.problem), said.first_weights(oracle.problem)
    elicitation = Elicitation(
        oracle.problem, oracle=oracle, settings=settings, strategies=strategies, start=first, weights=weights
    )
    return Simulation(elicitation, somebody, best or UNKNOWN).run(said.queries, look_further=said.look_further)


def _failed_checks(oracle: Oracle, cell: Cell, trace: Trace) -> list[str]:
    """Statements of the theory that this trace contradicts, of those that its user, learner and mode promise.

    Where what a person says stays, proposals are not best on J, and room made elsewhere moves no weights.
    """
    user, learner = cell.settings.user(), cell.settings.learner_kind()
    matched = cell.settings.algorithm == "cl"
    report = check_trace(
        oracle,
        trace,
        alpha=user.alpha,
        informative=user.informative and not matched,
        truthful=user.truthful and not matched,
        perceptron=isinstance(learner, Perceptron) and learner.is_the_papers and cell.settings.mode != "people",
    )
    return [f"{check.name}: {check.detail}" for check in report.failures]


KEPT = "finished work is kept; make room or permission, and run the same command again"


class KeptResults:
    """A folder of results. Files appear complete or not at all, and know what they should hold."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.damaged: list[str] = []
        """Files that were there but cannot be trusted; their results are computed again."""
        make_folder(folder)

    def load(self, key: str) -> Any | None:
        """The result kept under a key, or None."""
        path = self._path(key)
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            message = f"cannot read a kept result: {error.strerror}"
            raise RequestError(Issue(Code.FILE_UNREADABLE, message, None, Location(str(path)))) from None
        head, _, body = text.partition(b"\n")
        if head.decode("ascii", "replace") != _digest(key, body):
            self.damaged.append(path.name)
            return None
        return json.loads(body)

    def save(self, key: str, result: Any) -> None:
        body = json.dumps(result, allow_nan=False, separators=(",", ":")).encode()
        with replacing(self._path(key), "keep a result", KEPT) as temporary:
            temporary.write_bytes(_digest(key, body).encode() + b"\n" + body)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.cell"


def _digest(key: str, body: bytes) -> str:
    return hashlib.sha256(key.encode() + body).hexdigest()
