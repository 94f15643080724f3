"""Commands that solve: one inference, why something is infeasible, which backends there are."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer
from rich.table import Table
from rich.text import Text

from pcl_app.output import (
    Format,
    FormatOption,
    ProblemArgument,
    console,
    print_json,
    read_configuration_file,
    read_weights_file,
    say,
)
from pcl_app.working import Worker
from pcl_core.authoring.load import load
from pcl_core.errors import Code, Issue, MissingDependencyError, RequestError, suggest
from pcl_core.learn.ordering import ORDERINGS, order_parts
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import FeatureMap
from pcl_core.model.problem import Problem
from pcl_core.solve.conflict import explain as find_conflict
from pcl_core.solve.oracle import Oracle, Solution
from pcl_core.solve.protocol import Capability, Options, Status
from pcl_core.solve.registry import backend_names, find_backend

COMMANDS = ("solve", "explain", "backends", "conformance")
SCOPES = ("full", "part", "sub")

BackendOption = Annotated[str, typer.Option("--backend", metavar="NAME[:SOLVER]", help="see `pcl backends`")]
TimeLimitOption = Annotated[float | None, typer.Option("--time-limit", metavar="SECONDS", help="stop after this long")]
EXIT_CODES = {Status.OPTIMAL: 0, Status.FEASIBLE: 0, Status.INFEASIBLE: 3, Status.UNKNOWN: 4}


def solve(
    problem: ProblemArgument,
    weights: Annotated[
        Path, typer.Option(metavar="W.json", help="a list in feature order, or an object by feature name")
    ],
    part: Annotated[str | None, typer.Option(metavar="PART", help="decide this part only")] = None,
    given: Annotated[
        Path | None, typer.Option(metavar="X.json", help="values of the variables outside the part")
    ] = None,
    over: Annotated[str | None, typer.Option(metavar="|".join(SCOPES), help="features that count")] = None,
    minimise: Annotated[bool, typer.Option("--min", help="minimise instead of maximise")] = False,
    floor: Annotated[float | None, typer.Option(metavar="V", help="ask for at least this utility")] = None,
    order: Annotated[str, typer.Option(help="order of the parts, for --over sub: " + ", ".join(ORDERINGS))] = "degree",
    backend: BackendOption = "auto",
    time_limit: TimeLimitOption = None,
    seed: Annotated[int | None, typer.Option(min=0, help="for backends that use randomness")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="for backends that can use several")] = None,
    output: FormatOption = Format.TEXT,
) -> None:
    """Find the best configuration, or the best part in a given context, for given weights.

    Example: pcl solve training --weights w.json --part thu --given week.json --backend cpsat
    """
    loaded = load(problem)
    oracle = Oracle.of(loaded, backend, Options(time_limit, seed, threads))
    chosen = read_weights_file(loaded, weights)
    features = _features(loaded, part, over, order)
    context: Configuration = {}
    if part is not None:
        if given is None:
            hint = "--given X.json: values of all variables outside the part"
            raise RequestError(Issue(Code.BAD_VALUE, "a part is solved in a context, and none is given", hint))
        context = read_configuration_file(loaded, given, partial=True)
    elif given is not None:
        raise RequestError(Issue(Code.BAD_VALUE, "--given goes with --part", "leave it out, or name the part"))
    variables = None if part is None else loaded.parts[loaded.part_position(part)].variables
    outside = {name: value for name, value in context.items() if variables is None or name not in variables}
    found = Worker(console(stderr=True)).run_or_leave(
        lambda: oracle.solve(
            chosen,
            variables=variables,
            given=outside,
            features=features,
            sense="min" if minimise else "max",
            floor=floor,
        )
    )
    _show_solution(loaded, found, output, variables or tuple(loaded.symbols.variables))
    raise typer.Exit(EXIT_CODES[found.status])


def _features(problem: Problem, part: str | None, over: str | None, order: str) -> tuple[int, ...] | None:
    wanted = over or ("full" if part is None else "part")
    if wanted not in SCOPES:
        raise RequestError(Issue(Code.UNKNOWN_OPTION, f"--over is one of {', '.join(SCOPES)}", suggest(wanted, SCOPES)))
    if wanted == "full":
        return None
    if part is None:
        raise RequestError(Issue(Code.BAD_VALUE, f"--over {wanted} goes with --part"))
    position = problem.part_position(part)
    if wanted == "part":
        return problem.structure.feature_subsets[position]
    return problem.structure.decomposition(order_parts(problem, order, np.random.default_rng(0)))[position]


def _show_solution(problem: Problem, found: Solution, output: Format, decided: Sequence[str]) -> None:
    features: npt.NDArray[np.float64] | None = None
    if found.configuration is not None:
        features = FeatureMap(problem).values(found.configuration)
    if output is Format.JSON:
        print_json(
            {
                "status": found.status.value,
                "reason": found.reason.value,
                "utility": found.utility,
                "bound": found.bound,
                "objective": found.objective,
                "objective_places": found.places,
                "configuration": found.configuration,
                "features": None if features is None else [_number(value) for value in features.tolist()],
                "backend": found.backend,
                "seconds": found.seconds,
            }
        )
        return
    shown = console()
    shown.print(f"{found.status} ({found.reason}), {found.backend}, {found.seconds:.3f} s")
    if found.configuration is None:
        return
    bound = "" if found.bound is None or found.bound == found.utility else f" (at best {found.bound:.6f})"
    shown.print(f"utility {found.utility:.6f}{bound}")
    table = Table("variable", "value", box=None)
    labels = {variable.name: variable.label for variable in problem.variables}
    for name in decided:
        value = found.configuration[name]
        table.add_row(Text(labels[name] or name), Text(str(value).lower() if isinstance(value, bool) else str(value)))
    shown.print(table)


def _number(value: float) -> float | int:
    return int(value) if value.is_integer() else value


def explain(
    problem: ProblemArgument,
    given: Annotated[Path, typer.Option(metavar="X.json", help="values of some or all variables")],
    backend: BackendOption = "auto",
    time_limit: TimeLimitOption = None,
    output: FormatOption = Format.TEXT,
) -> None:
    """Say which constraints make given values impossible: a smallest set that cannot hold together.

    Example: pcl explain training --given week.json
    """
    loaded = load(problem)
    values = read_configuration_file(loaded, given, partial=True)
    oracle = Oracle.of(loaded, backend, Options(time_limit))
    found = Worker(console(stderr=True)).run_or_leave(lambda: find_conflict(oracle, values))
    labels = {constraint.name: constraint.label for constraint in loaded.constraints}
    names = found.conflict.constraints if found.conflict else ()
    if output is Format.JSON:
        minimal = found.conflict.minimal if found.conflict else None
        print_json(
            {
                "status": found.status.value,
                "conflict": list(names),
                "labels": [labels[name] for name in names],
                "minimal": minimal,
            }
        )
    elif found.status is Status.INFEASIBLE:
        shown = console()
        shown.print("These constraints cannot hold together with the given values:")
        for name in names:
            shown.print(Text(f"  {name}" + (f": {labels[name]}" if labels[name] else "")))
    else:
        words = {Status.FEASIBLE: "The given values can be completed; nothing is in conflict."}
        console().print(words.get(found.status, "A limit stopped the search before it was clear."))
    raise typer.Exit(EXIT_CODES[found.status])


def backends(output: FormatOption = Format.TEXT) -> None:
    """List the backends: which can run here, with which solvers, and how to get the others.

    Example: pcl backends
    """
    rows = []
    for name in backend_names():
        backend = find_backend(name)
        found = backend.availability()
        rows.append(
            {
                "name": name,
                "available": found.available,
                "version": found.version,
                "solvers": list(found.solvers),
                "capabilities": sorted(capability.value for capability in backend.capabilities),
                "reason": found.reason,
                "fix": found.fix,
            }
        )
    if output is Format.JSON:
        print_json(rows)
        return
    table = Table("backend", "runs", "version", "solvers", "what is missing and how to get it", box=None)
    for row in rows:
        missing = f"{row['reason']}: {row['fix']}" if row["reason"] else str(row["fix"])
        solvers = ", ".join(map(str, row["solvers"])) if isinstance(row["solvers"], list) else ""
        cells = (str(row["name"]), "yes" if row["available"] else "no", str(row["version"]), solvers, missing)
        table.add_row(*map(Text, cells))
    console().print(table)


def conformance(
    backend: Annotated[str, typer.Argument(metavar="BACKEND", help="a name from `pcl backends`, or name:solver")],
) -> None:
    """Run the conformance kit on a backend, ours or a third party's.

    Example: pcl conformance cvxpy:scip
    """
    Oracle.of(load("grid"), backend)  # an unknown or missing backend is a sentence before anything else starts
    try:
        import pytest
    except ImportError:
        issue = Issue(Code.MISSING_DEPENDENCY, "the conformance kit needs pytest", "pip install pytest")
        raise MissingDependencyError(issue) from None
    from pcl_core.testing import run_conformance

    lacks = sorted(c.value for c in set(Capability) - find_backend(backend).capabilities)
    say(f"conformance of '{backend}'" + (f"; it has no: {', '.join(lacks)}" if lacks else ""))
    sys.stdout.flush()
    os.environ[run_conformance.NAME_VARIABLE] = backend
    arguments = ["-q", "-rs", "--no-header", "-p", "no:cacheprovider", "-o", "addopts="]
    assert run_conformance.__file__ is not None
    raise typer.Exit(int(pytest.main([*arguments, run_conformance.__file__]) != 0))
