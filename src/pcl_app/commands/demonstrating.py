"""`pcl demo`: a whole elicitation, with a simulated athlete in front of it."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from pcl_app.needs import need
from pcl_app.output import console
from pcl_app.terminal_plot import column_plot
from pcl_app.writing import make_folder, remove_file
from pcl_core.analysis import Step, Trace, check_trace, optimum, verify
from pcl_core.authoring import load
from pcl_core.elicitation import Elicitation, Settings, Simulation, person
from pcl_core.model import Configuration, Problem
from pcl_core.solve import Oracle
from pcl_core.users import Informative, sample_weights

ALPHA = 0.3
MAX_QUERIES = 300


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="where the plot and the log go")] = Path("pcl-demo"),
    seed: Annotated[int, typer.Option(min=0, max=2**63 - 1, help="another seed, another athlete")] = 1,
) -> None:
    """Plan a training week with a simulated athlete.

    She improves one day at a time.

    Example: pcl demo
    """
    need("matplotlib", "plot")
    make_folder(out)
    week = load("training")
    shown = console()
    shown.print(Text(f"{week.label}: {week.description}"))
    shown.print(Text(f"{len(week.parts)} parts (days), {len(week.variables)} slots, {len(week.features)} features"))
    oracle = Oracle.of(week)
    weights = sample_weights(week, "normal", np.random.default_rng((seed, 0)))
    best = optimum(oracle, weights)
    log = out / "week.jsonl"
    remove_file(log)
    elicitation = Elicitation(week, oracle=oracle, log=log, settings=Settings(mode="keep", seed=seed))
    shown.print(_week(week, elicitation.configuration, "\nthe week to start from"))
    athlete = person(oracle, weights, Informative(alpha=ALPHA), (seed, 1))
    trace = _run(Simulation(elicitation, athlete, best))
    elicitation.close()
    shown.print(_week(week, trace.configuration, f"\nthe week after {len(trace.steps)} queries"))
    regrets = [step.regret for step in trace.steps]
    label = "regret: how much better the best of all weeks would be for this athlete"
    shown.print(
        Text("\n" + column_plot(regrets, width=60, height=8, label=label, below=f"1 to {len(regrets)} queries"))
    )
    _draw(trace, out / "regret.png")
    _closing(shown, elicitation, oracle, trace)
    shown.print(Text(f"\nthe plot is in {out / 'regret.png'}, every answer in {log}"))
    shown.print(Text("next: `pcl elicit training` to be the athlete yourself"))


def _run(simulation: Simulation) -> Trace:
    improved = 0
    with Progress(
        TextColumn("asking about one day at a time"),
        BarColumn(),
        TextColumn("{task.completed} queries, {task.fields[improved]} improved, regret {task.fields[regret]:.1f}"),
        console=Console(stderr=True),
        disable=not Console(stderr=True).is_terminal,
    ) as progress:
        bar = progress.add_task("", total=None, improved=0, regret=0.0)

        def update(step: Step) -> None:
            nonlocal improved
            improved += not step.satisfied
            progress.update(bar, completed=step.query, improved=improved, regret=step.regret)

        trace = simulation.run(MAX_QUERIES, update)
        progress.update(bar, total=len(trace.steps))
    return trace


def _week(week: Problem, configuration: Configuration, title: str) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for heading in ("day", *(f"slot {slot}" for slot in range(1, 6))):
        table.add_column(heading)
    for part in week.parts:
        values = [str(configuration[name]) for name in part.variables]
        table.add_row(Text(part.name), *(Text(value, style="dim" if value == "rest" else "") for value in values))
    return table


def _closing(shown: Console, elicitation: Elicitation, oracle: Oracle, trace: Trace) -> None:
    """What was certified, checked again with the athlete's true weights, which the learner never saw."""
    found = elicitation.certificate
    if found is None:
        shown.print(Text(f"\nno certificate after {len(trace.steps)} queries"))
    else:
        days = ", ".join(f"{part} at query {query}" for part, query in sorted(found.confirmed.items(), key=_query))
        checked = verify(found, oracle, trace.weights)
        words = "it holds: no single day can be improved" if checked.holds else f"wrong for {dict(checked.improvable)}"
        shown.print(Text(f"\ncertificate: the week is unchanged since query {found.unchanged_since}, and the athlete"))
        shown.print(Text(f"was satisfied with every day since: {days}"))
        shown.print(Text(f"checked with the athlete's true preferences: {words}"))
    theory = check_trace(oracle, trace, alpha=ALPHA)
    first, last = trace.steps[0].regret, trace.steps[-1].regret
    shown.print(Text(f"regret {first:.1f} at the first query, {last:.1f} at the last"))
    shown.print(Text(f"the paper's bounds for this run: {'all hold' if theory.holds else theory.failures}"))


def _query(confirmed: tuple[str, int]) -> int:
    return confirmed[1]


def _draw(trace: Trace, path: Path) -> None:
    from pcl_app.experiments.show.figures import curve_figure

    improved = [step.query for step in trace.steps if not step.satisfied]
    curve_figure([step.regret for step in trace.steps], improved, "A training week, one day at a time").save(path)
