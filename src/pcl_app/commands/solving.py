"""Commands that solve: one inference, why something is infeasible."""

import shlex
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer
from rich.table import Table
from rich.text import Text

from pcl_app.commands.options import BackendOption, FormatOption, ProblemArgument, TimeLimitOption
from pcl_app.completing import complete_order
from pcl_app.inputs import read_configuration_file, read_weights_file
from pcl_app.output import Format, Worker, console
from pcl_app.streams import print_json
from pcl_core.authoring import load
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.learn import ORDERINGS, order_parts
from pcl_core.model import Configuration, FeatureMap, Problem, assess
from pcl_core.solve import Options, Oracle, Solution, Status
from pcl_core.solve import explain as find_conflict
from pcl_core.wording import in_a_row

SCOPES = ("full", "part", "sub")

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
    order: Annotated[
        str,
        typer.Option(help="order of the parts, for --over sub: " + ", ".join(ORDERINGS), autocompletion=complete_order),
    ] = "degree",
    backend: BackendOption = "auto",
    time_limit: TimeLimitOption = None,
    seed: Annotated[int | None, typer.Option(min=0, help="for backends that use randomness")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="for backends that can use several")] = None,
    output: FormatOption = Format.TEXT,
) -> None:
    """Find the best configuration for given weights.

    Or the best part in a given context. If nothing is allowed, it says how to find out why.

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
    worker = Worker(console(stderr=True))
    found = worker.run_or_leave(
        lambda: oracle.solve(
            chosen,
            variables=variables,
            given=outside,
            features=features,
            sense="min" if minimise else "max",
            floor=floor,
        )
    )
    why, too_high = None, None
    if found.status is Status.INFEASIBLE and floor is not None:
        without = worker.run_or_leave(
            lambda: oracle.solve(np.zeros_like(chosen), variables=variables, given=outside, features=features)
        )
        too_high = None if without.status is Status.UNKNOWN else without.configuration is not None
    if found.status is Status.INFEASIBLE and not too_high:
        said = {"--given": given, "--part": part, "--backend": None if backend == "auto" else backend}
        options = [word for name, value in said.items() if value is not None for word in (name, str(value))]
        why = shlex.join(["pcl", "explain", problem, *options])
    broken = [] if variables is None else _violated_outside(loaded, variables, outside)
    more = {"explain": why, "floor_too_high": too_high, "context_violated": broken}
    _show_solution(loaded, found, output, variables or tuple(loaded.symbols.variables), more)
    if broken:
        message = f"what is given violates {in_a_row(broken)}, in which the part has no say"
        console(stderr=True).print(Text(message), soft_wrap=True)
    if output is Format.TEXT and too_high:
        sys.stdout.write("it is the floor alone that nothing reaches; the constraints allow something\n")
    elif output is Format.TEXT and why is not None and floor is not None and too_high is None:
        sys.stdout.write("this is about the constraints; it may be the floor alone that nothing reaches\n")
    raise typer.Exit(EXIT_CODES[found.status])


def _violated_outside(problem: Problem, variables: Sequence[str], outside: Configuration) -> list[str]:
    """The constraints that the given values break and that mention nothing of the part: whatever stands there."""
    anything = {name: problem.symbols.variables[name].values()[0] for name in variables}
    own = {problem.constraints[position].name for position in problem.constraints_on(variables)}
    return [name for name in assess(problem, {**anything, **outside}).violated if name not in own]


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


def _show_solution(
    problem: Problem, found: Solution, output: Format, decided: Sequence[str], more: Mapping[str, Any]
) -> None:
    features: npt.NDArray[np.float64] | None = None
    if found.configuration is not None:
        features = FeatureMap(problem).values(found.configuration)
    if output is Format.JSON:
        numbers = None if features is None else [_number(value) for value in features.tolist()]
        print_json({**found.data(), "features": numbers, **more})
        return
    shown = console()
    shown.print(f"{found.status} ({found.reason}), {found.backend}, {found.seconds:.3f} s")
    if more["explain"] is not None:
        shown.print(Text(f"to see why: {more['explain']}"), soft_wrap=True)
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
    given: Annotated[
        Path | None, typer.Option(metavar="X.json", help="values of some or all variables; default none")
    ] = None,
    part: Annotated[str | None, typer.Option(metavar="PART", help="leave this part open, whatever is given")] = None,
    backend: BackendOption = "auto",
    time_limit: TimeLimitOption = None,
    output: FormatOption = Format.TEXT,
) -> None:
    """Name constraints that cannot hold together.

    They are as few as can be found: with any one of them left out, the others can hold together with the given values.

    Example: pcl explain training --given week.json
    """
    loaded = load(problem)
    values = {} if given is None else read_configuration_file(loaded, given, partial=True)
    if part is not None:
        own = loaded.parts[loaded.part_position(part)].variables
        values = {name: value for name, value in values.items() if name not in own}
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
        with_values = " with the given values" if values else ""
        shown.print(f"These constraints cannot hold together{with_values}:")
        for name in names:
            shown.print(Text(f"  {name}" + (f": {labels[name]}" if labels[name] else "")))
    else:
        what = "The given values can be completed" if values else "Something is possible"
        words = {Status.FEASIBLE: f"{what}; nothing is in conflict."}
        console().print(words.get(found.status, "A limit stopped the search before it was clear."))
    raise typer.Exit(EXIT_CODES[found.status])
