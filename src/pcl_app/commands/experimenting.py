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
    CsvOption,
    ExecutorOption,
    FormatOption,
    JobsOption,
    OutOption,
    ProblemArgument,
)
from pcl_app.completing import complete_backend, complete_learner, complete_order, complete_selection, complete_user
from pcl_app.experiments.plan.settings import RECIPE, SETTINGS, RunSettings, option_of, read_settings
from pcl_app.output import Format, console
from pcl_app.streams import print_json
from pcl_core.documents import issues_from_validation
from pcl_core.errors import Code, Issue, RequestError


def _setting(name: str, **more: Any) -> Any:
    """An option of `simulate` that is a setting of the run."""
    about = SETTINGS[name]
    return typer.Option(option_of(name), metavar=about.metavar, help=about.help, **more)


DEFAULTS: dict[str, Any] = {name: field.default for name, field in RunSettings.model_fields.items()}


def simulate(
    context: typer.Context,
    problem: ProblemArgument,
    out: OutOption,
    users: Annotated[int, typer.Option(metavar="N", help="how many simulated users")] = 20,
    alpha: Annotated[float | None, _setting("alpha")] = None,
    queries: Annotated[int, _setting("queries")] = DEFAULTS["queries"],
    recipe: Annotated[str | None, typer.Option(metavar=RECIPE.metavar, help=RECIPE.help)] = None,
    algorithm: Annotated[str, _setting("algorithm")] = DEFAULTS["algorithm"],
    select: Annotated[str, _setting("select", autocompletion=complete_selection)] = DEFAULTS["select"],
    order: Annotated[str, _setting("order", autocompletion=complete_order)] = DEFAULTS["order"],
    learner: Annotated[str, _setting("learner", autocompletion=complete_learner)] = DEFAULTS["learner"],
    mode: Annotated[str, _setting("mode")] = DEFAULTS["mode"],
    stop: Annotated[str, _setting("stop")] = DEFAULTS["stop"],
    look_further: Annotated[int, _setting("look_further")] = DEFAULTS["look_further"],
    user_model: Annotated[str, _setting("user_model", autocompletion=complete_user)] = DEFAULTS["user_model"],
    weights: Annotated[str, _setting("weights")] = DEFAULTS["weights"],
    start: Annotated[str | None, _setting("start")] = DEFAULTS["start"],
    given: Annotated[str | None, _setting("given")] = DEFAULTS["given"],
    start_weights: Annotated[str | None, _setting("start_weights")] = DEFAULTS["start_weights"],
    seed: Annotated[int, _setting("seed")] = DEFAULTS["seed"],
    backend: Annotated[str, _setting("backend", autocompletion=complete_backend)] = DEFAULTS["backend"],
    time_limit: Annotated[float | None, _setting("time_limit")] = DEFAULTS["time_limit"],
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
    from pcl_app.experiments.experiment import Workers, report_problems, run_experiment
    from pcl_app.experiments.plan.files import MAX_CELLS
    from pcl_app.experiments.run.tasks import cells_of, load_problems

    if not 1 <= users <= MAX_CELLS:
        message = f"the number of users is {users}, but it must be from 1 to {MAX_CELLS:,}"
        raise RequestError(Issue(Code.BAD_VALUE, message))
    # What was not said is left to the recipe, and to the table, which has the defaults.
    said = {name: context.params[name] for name in (*SETTINGS, "recipe") if _was_said(context, name)}
    try:
        settings = read_settings(said)
    except ValidationError as error:
        raise RequestError([_option(issue) for issue in issues_from_validation(error)]) from None
    problems = load_problems([settings])
    chosen = range(users) if only_user is None else [only_user]
    cells = cells_of([(settings, chosen)], problems)
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
    from pcl_app.experiments.experiment import Workers, report_problems, run_experiment
    from pcl_app.experiments.plan.files import read_plan
    from pcl_app.experiments.run.tasks import cells_of

    plan = read_plan(file)
    cells = cells_of([(entry.settings, range(entry.users)) for entry in plan.entries], plan.problems)
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
    from pcl_app.experiments.experiment import (
        QUICK_SIZE,
        WHOLE_SIZE,
        Workers,
        report_problems,
        reproduce_paper,
        scaling_progress,
    )

    size = QUICK_SIZE if quick else WHOLE_SIZE
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


def _was_said(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name != "DEFAULT"


def _option(issue: Issue) -> Issue:
    """A finding about a field, as one about an option."""
    name = option_of(str(issue.path[-1])) if issue.path else ""
    message = issue.message.replace("input should be", "it must be")
    code = Code.BAD_VALUE if issue.code is Code.WRONG_SHAPE else issue.code
    return Issue(code, f"{name}: {message}", issue.hint)


def _show(out: Path, description: dict[str, Any], output: Format) -> None:
    from pcl_app.experiments.record.traces import FILE_NAME, read_traces

    if output is Format.JSON:
        print_json({**description, "out": str(out)})
        return
    if not (out / FILE_NAME).exists():
        return
    runs = read_traces(out)
    typed = {run: [run.curve(name)[:, -1].mean() for name in ("values_typed", "values_undone")] for run in runs}
    of_values = any(run.settings.alpha is None for run in runs)  # all that is known of people without a utility
    more = ("values typed", "undone") if of_values else ()
    table = Table("run", "users", "queries", "regret: first", "half-way", "last", *more, "certified", box=None)
    worse = []
    for label, run in zip(runs.labels(), runs, strict=True):
        low, high, certified = (run.curve(name) for name in ("regret", "regret_bound", "certified"))
        at = [0, low.shape[1] // 2, low.shape[1] - 1]
        means = [_interval(low[:, position].mean(), high[:, position].mean()) for position in at]
        if run.worse_answers:
            which = f"{label}: " if len(runs) > 1 else ""
            worse.append(f"{which}{run.worse_answers} of {run.answers} answers were worse than what was shown")
        done = f"{int(certified[:, -1].sum())} of {len(run.users)}"
        counts = [f"{count:.1f}" for count in typed[run]] if of_values else []
        table.add_row(Text(label), str(len(run.users)), str(run.queries), *means, *counts, done)
    shown = console()
    shown.print(table)
    if unsatisfied := description["unsatisfied_certificates"]:
        worse.append(f"{unsatisfied} certificates are for what the user is not satisfied with")
    for sentence in worse:
        shown.print(Text(sentence))
    shown.print(Text(f"written to {out / FILE_NAME}; {description['cells']['kept']} cells were finished before"))


def _interval(low: float, high: float) -> str:
    """One number where the optimum is proven, else how small and how large the regret can be; nobody has to have one."""
    if low != low:
        return "–"
    least, most = f"{low:.2f}", f"{high:.2f}"
    return least if least == most else f"{least}–{most}"
