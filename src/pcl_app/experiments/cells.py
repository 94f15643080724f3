"""Cells: one simulated user in one setting. A cell's result depends on the cell and on nothing else."""

import hashlib
import shlex
from dataclasses import asdict
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from pcl_app.experiments.conditions import Conditions, StartFile
from pcl_core.analysis.regret import Optimum, optimum
from pcl_core.analysis.theory import check_trace
from pcl_core.analysis.trace import Trace
from pcl_core.elicitation.elicitation import Elicitation
from pcl_core.elicitation.events import Settings
from pcl_core.elicitation.simulate import Person, Simulation, as_one_part, matched_person, person
from pcl_core.learn import LEARNERS, Perceptron
from pcl_core.model.evaluation import Vector
from pcl_core.model.problem import Problem
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Options
from pcl_core.users.utility import sample_weights

CELL_VERSION = 2
"""Raised when the same cell would give other rows than before, so that kept results are not mixed up."""

WEIGHTS, ANSWERS, LEARNING = 1, 2, 3
"""Streams of randomness for each user: her weights, her answers, the learner's own choices."""

OPTIONS = {"user_model": "user"}
"""Fields that have another name on the command line."""


class Cell(BaseModel):
    """One user of a setting. `problem_hash` ties it to what the problem said when it was run."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    setting: Conditions
    user: int
    problem_hash: str

    @property
    def key(self) -> str:
        return _hash(f"cell {CELL_VERSION} {self.model_dump_json()}")

    @property
    def optimum_key(self) -> str:
        """Where the best configuration of this user is kept: it does not depend on how she is asked.

        It does depend on who looks for it, where a limit stops the search.
        """
        setting = self.setting
        limits = (full_backend(setting.backend), setting.time_limit)
        return _hash(f"optimum {(CELL_VERSION, self.problem_hash, setting.weights, setting.seed, self.user, *limits)}")

    def command(self, out: Path) -> str:
        """What repeats this cell alone, beside the folder where its experiment is."""
        setting = self.setting
        words = ["pcl", "simulate", setting.problem, "--only-user", str(self.user)]
        for name in setting.model_dump(exclude_defaults=True, exclude={"problem"}):
            value = getattr(setting, name)
            written = value.file if isinstance(value, StartFile) else str(value)
            words += ["--" + OPTIONS.get(name, name).replace("_", "-"), written]
        return shlex.join([*words, "--out", f"{out}-{self.key[:8]}"])


def full_backend(backend: str) -> str:
    """Enumerating whole configurations is not what `table` is for; an optimum is a matter of proof, not of taste."""
    return "auto" if backend == "table" else backend


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:32]


class Bench:
    """What the cells of one problem share in one process: the oracles with everything they compiled."""

    def __init__(self, problem: Problem, backend: str, time_limit: float | None) -> None:
        self.oracle = Oracle.of(problem, backend, Options(time_limit=time_limit))
        full = full_backend(backend)
        self.full = self.oracle if full == backend else Oracle.of(problem, full)
        self.patient = self.oracle if time_limit is None else Oracle.of(problem, backend)
        """Without a limit, for people: they know what they want, however long that takes to compute."""

    @cached_property
    def whole(self) -> Oracle:
        """The problem as a single part, for plain coactive learning."""
        return Oracle(as_one_part(self.oracle.problem), self.full.backend, self.full.options)

    @cached_property
    def patient_whole(self) -> Oracle:
        whole = self.whole
        limited = whole.options.time_limit is not None
        return Oracle(whole.problem, whole.backend) if limited else whole


def weights_of(cell: Cell, problem: Problem) -> Vector:
    """w* of the cell's user."""
    generator = np.random.default_rng((cell.setting.seed, cell.user, WEIGHTS))
    return sample_weights(problem, cell.setting.weights, generator)


def find_optimum(bench: Bench, cell: Cell) -> Optimum:
    return optimum(bench.full, weights_of(cell, bench.oracle.problem))


def run_cell(bench: Bench, cell: Cell, best: Optimum) -> dict[str, Any]:
    """The cell's rows, as `traces.parquet` has them, and what the theory says of them."""
    trace = _simulate_pcl(bench, cell, best)
    oracle = bench.patient
    if cell.setting.algorithm == "cl":
        gains = [step.utility_improved - step.utility for step in trace.steps]
        oracle = bench.patient_whole
        matched = matched_person(oracle, weights_of(cell, oracle.problem), gains)
        trace = _simulate(bench.whole, cell, best, matched)
    return {"rows": [asdict(step) for step in trace.steps], "failed": _failed_checks(oracle, cell, trace)}


def _simulate_pcl(bench: Bench, cell: Cell, best: Optimum) -> Trace:
    seeds = (cell.setting.seed, cell.user, ANSWERS)
    weights = weights_of(cell, bench.oracle.problem)
    return _simulate(bench.oracle, cell, best, person(bench.patient, weights, cell.setting.user(), seeds))


def _simulate(oracle: Oracle, cell: Cell, best: Optimum, somebody: Person) -> Trace:
    setting = cell.setting
    one_part = len(oracle.problem.parts) == 1
    settings = Settings(
        order="declared" if one_part else setting.order,
        select=setting.select,
        learner=setting.learner,
        mode=setting.mode,
        stop=setting.stop,
        seed=int(np.random.default_rng((setting.seed, cell.user, LEARNING)).integers(2**62)),
    )
    # The learner compiles for itself: its time is then that of one elicitation, whoever shares the process.
    own = Oracle(oracle.problem, oracle.backend, oracle.options)
    first, weights = setting.first_configuration(oracle.problem), setting.first_weights(oracle.problem)
    elicitation = Elicitation(oracle.problem, oracle=own, settings=settings, start=first, weights=weights)
    return Simulation(elicitation, somebody, best).run(setting.queries)


def _failed_checks(oracle: Oracle, cell: Cell, trace: Trace) -> list[str]:
    """Statements of the theory that this trace contradicts, of those that its user and learner promise."""
    user, learner = cell.setting.user(), LEARNERS.make(cell.setting.learner)
    matched = cell.setting.algorithm == "cl"
    report = check_trace(
        oracle,
        trace,
        alpha=user.alpha,
        informative=user.informative and not matched,
        truthful=user.truthful and not matched,
        perceptron=isinstance(learner, Perceptron) and learner.is_the_papers,
    )
    return [f"{check.name}: {check.detail}" for check in report.failures]
