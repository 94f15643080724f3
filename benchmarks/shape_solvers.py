"""Who solves a shape: a backend of pcl, a model written by hand, CPMpy, or the dense limit."""

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypedDict

import numpy as np
import numpy.typing as npt
from benchmarks.cases import Case
from benchmarks.growing import GROWING, Measures, megabytes
from benchmarks.shape_cases import SHAPES, Places, Shape

from pcl_core import Oracle
from pcl_core.compile import scope_of
from pcl_core.ir import Registers
from pcl_core.ir.vector import VectorEvaluator
from pcl_core.solve import Options, Refusal, Request, refusal_of

MAX_POINTS, MAX_ENTRIES = 2**21, 2**26
"""Combinations that are listed for the limit, and numbers in its product."""

BUDGET = 3.0
"""CPU seconds that later solves of a cell may take together."""

Answer = Callable[[int], int]
"""The objective of a query, by its number."""


@dataclass(frozen=True)
class Solver:
    """`ready` builds what is kept between queries: who is measured does it in the first solve."""

    ready: Callable[[], Answer]
    alone: Callable[[int], float] | None = None
    """Seconds of a query without what the oracle does before and after."""
    points: int | None = None
    comparable: int | None = None
    """How many answers, from the first, are to be the same as those of others; without it, all."""


class Cell(TypedDict, total=False):
    """What one process measured: seconds, megabytes, and objectives to compare."""

    first: float
    kept: float
    alone: float
    """Without what the oracle does before and after."""
    memory: float
    points: int
    objectives: list[int]
    measures: Measures
    failed: str


def measured(name: str, size: int, who: str, count: int) -> Cell:
    """One cell, in this process."""
    if name in GROWING:
        return {"measures": GROWING[name].measured(size)}
    made = solver_of(name, size, who, count)
    if isinstance(made, str):
        return {"failed": made}
    before, objectives, times = megabytes(), list[int](), list[float]()
    answer: Answer | None = None
    for at in range(count):
        start = time.process_time()
        answer = answer or made.ready()
        objectives.append(answer(at))
        times.append(time.process_time() - start)
        if sum(times[1:]) > BUDGET:
            break
    found: Cell = {
        "first": times[0],
        "kept": statistics.median(times[1:] or times),
        "objectives": objectives[: made.comparable],
    }
    found["memory"] = megabytes() - before
    if made.alone is not None:
        found["alone"] = statistics.median(made.alone(at) for at in range(len(times)))
    if made.points is not None:
        found["points"] = made.points
    return found


def solver_of(name: str, size: int, who: str, count: int) -> Solver | str:
    """Whoever it is, with all imported that it needs, or why there is none."""
    shape = SHAPES[name]
    case, small = shape.case(size, count), shape.case(min(shape.sizes), 1)
    match who:
        case "limit":
            return dense_limit(shape, case, size)
        case "CP-SAT":
            return by_hand(name, size, case, min(shape.sizes), small)
        case "CPMpy":
            return modelled(name, size, case)
        case _:
            for one in (who, "cpsat") if who == "auto" else (who,):
                asked(Oracle.of(small.problem, one), small)(0)  # imports the solver
            return backend(who, case)


def asked(oracle: Oracle, case: Case) -> Answer:
    def answer(at: int) -> int:
        x, w = case.queries[at].context, case.queries[at].weights
        found = oracle.solve(w, variables=case.variables, given=x, features=case.features).objective
        assert found is not None
        return found

    return answer


def backend(who: str, case: Case) -> Solver | str:
    oracle = Oracle.of(case.problem, who)
    refusal = refusal_of(oracle.backend, scope_of(case.problem, case.variables, case.features))
    if refusal is not None:
        return f"refused: {refusal.code.value}"

    def alone(at: int) -> float:
        kept, query = oracle.compiled.scope(case.variables, case.features, None), case.queries[at]
        assert not isinstance(kept, Refusal)
        integers = kept.quantiser(query.weights[kept.features]).integers
        request = Request(integers, context=kept.context(query.context))
        start = time.process_time()
        kept.prepared.solve(request, Options())
        return time.process_time() - start

    return Solver(lambda: asked(oracle, case), alone)


def by_hand(name: str, size: int, case: Case, smallest: int, small: Case) -> Solver | str:
    from benchmarks.handwritten.shape_models import MODELS, ShapeModel

    if name not in MODELS:
        return ""

    def answers(model: ShapeModel, case: Case) -> Answer:
        def answer(at: int) -> int:
            query = case.queries[at]
            return model.solve(query.integers, query.context).objective

        return answer

    answers(MODELS[name](smallest), small)(0)
    return Solver(lambda: answers(MODELS[name](size), case))


def modelled(name: str, size: int, case: Case) -> Solver | str:
    from benchmarks.handwritten.cpmpy_shapes import OBJECTIVES

    if name not in OBJECTIVES:
        return ""
    objective = OBJECTIVES[name]
    return Solver(lambda: lambda at: objective(size, case.queries[at].integers, case.queries[at].context))


def dense_limit(shape: Shape, case: Case, size: int) -> Solver | str:
    """One product with the features of all allowed points, in the context of the first query."""
    scope = scope_of(case.problem, case.variables, case.features)
    sizes = [variable.size for variable in scope.variables]
    if shape.points is None and np.prod(sizes, dtype=float) > MAX_POINTS:
        return "too large"
    if shape.points is not None and size > 10:
        return "too large"
    points = np.indices(sizes).reshape(len(sizes), -1) if shape.points is None else shape.points(size)
    units = _features(case, points)
    if units.size > MAX_ENTRIES:
        return "too large"
    weights = [np.array(list(query.integers.values()), dtype=np.float64) for query in case.queries]
    exact = [np.array(list(query.integers.values()), dtype=np.int64) for query in case.queries]

    def answer(at: int) -> int:
        best = int(np.argmax(units @ weights[at]))
        return int(units[best].astype(np.int64) @ exact[at])

    return Solver(lambda: answer, points=len(units), comparable=None if case.part is None else 1)


def _features(case: Case, points: Places) -> npt.NDArray[np.float64]:
    """A row for each allowed point; the features of the first query's context."""
    problem = case.problem
    own = {name: problem.symbols.variables[name] for name in case.variables}
    constraints = [problem.constraints[at].require for at in problem.constraints_on(frozenset(case.variables))]
    features = [problem.features[at].value for at in case.features]
    registers = Registers(problem.symbols)
    evaluator = VectorEvaluator.of(problem.symbols, [*features, *constraints], registers)
    columns = np.empty((len(evaluator.variables), points.shape[1]), dtype=np.int64)
    for at, name in enumerate(evaluator.variables):
        if name in own:
            columns[at] = np.array(registers.coding.domain(own[name]), dtype=np.int64)[points[[*own].index(name)]]
        else:
            columns[at] = registers.coding.code(case.queries[0].context[name])
    found = evaluator.evaluate(columns)
    allowed = (found[len(features) :] != 0).all(axis=0)
    return np.ascontiguousarray(found[: len(features), allowed].T.astype(np.float64))
