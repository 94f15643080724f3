"""Commands that simulate people: one setting, an experiment file, the paper's experiments."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from rich.table import Table
from rich.text import Text

from pcl_app.commands.options import (
    AddressOption,
    BackendOption,
    CsvOption,
    ExecutorOption,
    FormatOption,
    JobsOption,
    OutOption,
    ProblemArgument,
)
from pcl_app.completing import (
    complete_backend,
    complete_learner,
    complete_order,
    complete_selection,
    complete_user,
)
from pcl_app.output import Format, console
from pcl_app.streams import print_json
from pcl_core.documents import issues_from_validation
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.learn.learners import LEARNERS
from pcl_core.learn.ordering import ORDERINGS
from pcl_core.learn.selection import SELECTIONS
from pcl_core.learn.stopping import STOPS
from pcl_core.users.simulated import USERS
from pcl_core.users.utility import WEIGHT_LAWS


def simulate(
    problem: ProblemArgument,
    out: OutOption,
    users: Annotated[int, typer.Option(metavar="N", help="how many simulated users")] = 20,
    alpha: Annotated[
        float | None, typer.Option(metavar="A", help="how informative they are, above 0, up to 1; 0.1 if not said")
    ] = None,
    queries: Annotated[int, typer.Option(metavar="T", help="how many queries each gets at most")] = 100,
    algorithm: Annotated[str, typer.Option(metavar="pcl|cl", help="by parts, or on complete configurations")] = "pcl",
    select: Annotated[
        str,
        typer.Option(
            help="which part to ask about: " + ", ".join(SELECTIONS.own_names), autocompletion=complete_selection
        ),
    ] = "random",
    order: Annotated[
        str,
        typer.Option(help=", ".join(ORDERINGS) + ", or all parts, separated by commas", autocompletion=complete_order),
    ] = "degree",
    learner: Annotated[
        str,
        typer.Option(
            help=", ".join(LEARNERS.own_names) + "; options as name:key=value", autocompletion=complete_learner
        ),
    ] = "perceptron",
    mode: Annotated[str, typer.Option(metavar="paper|keep", help="whether improvements stay")] = "paper",
    stop: Annotated[str, typer.Option(metavar="|".join(STOPS), help="when to stop before the last query")] = (
        "certificate"
    ),
    user: Annotated[
        str,
        typer.Option(help=", ".join(USERS.own_names) + "; options as name:key=value", autocompletion=complete_user),
    ] = "informative",
    weights: Annotated[str, typer.Option(help="how their weights are drawn: " + ", ".join(WEIGHT_LAWS))] = "normal",
    start: Annotated[
        str | None, typer.Option(metavar="declared|random|solver", help="where the learner starts")
    ] = None,
    given: Annotated[str | None, typer.Option(metavar="X.json", help="start from this configuration")] = None,
    start_weights: Annotated[
        str | None, typer.Option(metavar="W.json", help="weights that the learner starts from; default zero")
    ] = None,
    seed: Annotated[int, typer.Option(help="the same seed gives the same users and answers")] = 0,
    backend: BackendOption = "auto",
    time_limit: Annotated[
        float | None,
        typer.Option(metavar="SECONDS", help="for each inference of the learner, and each optimum"),
    ] = None,
    only_user: Annotated[
        int | None, typer.Option(min=0, max=2**31 - 1, metavar="U", help="run this user alone")
    ] = None,
    jobs: JobsOption = None,
    executor: ExecutorOption = "loky",
    address: AddressOption = None,
    csv: CsvOption = False,
    output: FormatOption = Format.TEXT,
) -> None:
    """Elicit from simulated users and record every query.

    Example: pcl simulate training --users 20 --alpha 0.3 --queries 100 --mode keep --out runs/training
    """
    from pcl_app.experiments.conditions import read_conditions
    from pcl_app.experiments.plan import MAX_CELLS
    from pcl_app.experiments.running import cells_of, load_problems
    from pcl_app.experiments.session import Workers, report_problems, run_experiment

    if not 1 <= users <= MAX_CELLS:
        message = f"the number of users is {users}, but it must be from 1 to {MAX_CELLS:,}"
        raise RequestError(Issue(Code.BAD_VALUE, message))
    said = {
        "problem": problem,
        "algorithm": algorithm,
        "learner": learner,
        "select": select,
        "order": order,
        "mode": mode,
        "stop": stop,
        "user_model": user,
        "weights": weights,
        "start": start,
        "given": given,
        "start_weights": start_weights,
        "queries": queries,
        "seed": seed,
        "backend": backend,
        "time_limit": time_limit,
    }
    try:
        conditions = read_conditions(said if alpha is None else {**said, "alpha": alpha})
    except ValidationError as error:
        raise RequestError([_option(issue) for issue in issues_from_validation(error)]) from None
    problems = load_problems([conditions])
    chosen = range(users) if only_user is None else [only_user]
    cells = cells_of([(conditions, chosen)], problems)
    description = run_experiment(f"simulate {problem}", cells, problems, out, Workers(executor, jobs, address), csv=csv)
    _show(out, description, output)
    report_problems(description)


def experiment(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="a .yaml file that says what to run")],
    out: OutOption,
    jobs: JobsOption = None,
    executor: ExecutorOption = "loky",
    address: AddressOption = None,
    csv: CsvOption = False,
    output: FormatOption = Format.TEXT,
) -> None:
    """Run an experiment that is written down in a file.

    Finished cells are kept and not run again.

    Example: pcl experiment study.yaml --out runs/study --executor dask
    """
    from pcl_app.experiments.plan import read_plan
    from pcl_app.experiments.running import cells_of
    from pcl_app.experiments.session import Workers, report_problems, run_experiment

    plan = read_plan(file)
    cells = cells_of([(entry.conditions, range(entry.users)) for entry in plan.entries], plan.problems)
    description = run_experiment(plan.name, cells, plan.problems, out, Workers(executor, jobs, address), csv=csv)
    _show(out, description, output)
    report_problems(description)


def reproduce(
    out: Annotated[Path, typer.Option(metavar="DIR", help="where everything goes")] = Path("reproduction"),
    quick: Annotated[bool, typer.Option("--quick", help="5 users, 40 queries, small grids")] = False,
    users: Annotated[int | None, typer.Option(min=2, metavar="N", help="another number of users")] = None,
    queries: Annotated[int | None, typer.Option(min=1, metavar="T", help="another number of queries")] = None,
    seed: Annotated[int, typer.Option(min=0, help="the same seed gives the same users and answers")] = 0,
    backend: Annotated[
        str, typer.Option(metavar="NAME[:SOLVER]", help="for the parts", autocompletion=complete_backend)
    ] = "auto",
    jobs: JobsOption = None,
    executor: ExecutorOption = "loky",
    address: AddressOption = None,
    output: FormatOption = Format.TEXT,
) -> None:
    """Run the paper's experiments and check its claims.

    It leaves traces, a figure, a table of claims and an HTML report.

    Example: pcl reproduce --quick --out reproduction
    """
    from pcl_app.experiments.reproduce import QUICK, WHOLE, reproduce_paper
    from pcl_app.experiments.session import Workers, report_problems, scaling_progress

    size = QUICK if quick else WHOLE
    size = replace(size, users=users or size.users, queries=queries or size.queries)
    with scaling_progress() as progress:
        found = reproduce_paper(out, size, seed, backend, Workers(executor, jobs, address), progress)
    if output is Format.JSON:
        print_json(found)
    else:
        shown = console()
        for mode, claims in found["claims"].items():
            table = Table("claim", "verdict", title=f"\nmode {mode}", title_justify="left", box=None, pad_edge=False)
            for claim in claims:
                table.add_row(Text(claim["sentence"]), Text(claim["verdict"]))
            shown.print(table)
        shown.print(Text(f"\nthe report: {found['report']} (and report.md beside it)"))
    report_problems(found)


def _option(issue: Issue) -> Issue:
    """A finding about a field, as one about an option."""
    name = str(issue.path[-1]).replace("_", "-") if issue.path else ""
    name = {"user-model": "user"}.get(name, name)
    message = issue.message.replace("input should be", "it must be")
    code = Code.BAD_VALUE if issue.code is Code.WRONG_SHAPE else issue.code
    return Issue(code, f"--{name}: {message}", issue.hint)


def _show(out: Path, description: dict[str, Any], output: Format) -> None:
    from pcl_app.experiments.traces import FILE_NAME, read_traces

    if output is Format.JSON:
        print_json({**description, "out": str(out)})
        return
    if not (out / FILE_NAME).exists():
        return
    runs = read_traces(out)
    table = Table("run", "users", "queries", "regret: first", "half-way", "last", "certified", box=None)
    worse = []
    for label, run in zip(runs.labels(), runs, strict=True):
        low, high, certified = (run.curve(name) for name in ("regret", "regret_bound", "certified"))
        at = [0, low.shape[1] // 2, low.shape[1] - 1]
        means = [_interval(low[:, position].mean(), high[:, position].mean()) for position in at]
        if run.worse_answers:
            which = f"{label}: " if len(runs) > 1 else ""
            worse.append(f"{which}{run.worse_answers} of {run.answers} answers were worse than what was shown")
        done = f"{int(certified[:, -1].sum())} of {len(run.users)}"
        table.add_row(Text(label), str(len(run.users)), str(run.queries), *means, done)
    shown = console()
    shown.print(table)
    for sentence in worse:
        shown.print(Text(sentence))
    shown.print(Text(f"written to {out / FILE_NAME}; {description['cells']['kept']} cells were finished before"))


def _interval(low: float, high: float) -> str:
    """One number where the optimum is proven, else how small and how large the regret can be."""
    least, most = f"{low:.2f}", f"{high:.2f}"
    return least if least == most else f"{least}–{most}"
