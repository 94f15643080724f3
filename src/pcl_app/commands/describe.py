"""Commands that show what a problem is: the catalogue, the parts, the features of a configuration."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.table import Table
from rich.text import Text

from pcl_app.commands.options import FormatOption, ProblemArgument
from pcl_app.completing import complete_order
from pcl_app.inputs import read_configuration_file
from pcl_app.output import Format, console, say_warnings
from pcl_app.streams import print_json
from pcl_app.summary import ProblemSummary
from pcl_core.authoring import examine_problems, load, load_with_warnings
from pcl_core.learn import ORDERINGS, order_parts
from pcl_core.model import assess
from pcl_core.wording import counted


def problems(output: FormatOption = Format.TEXT) -> None:
    """List the catalogue.

    What another package offers and cannot be used is listed with the reason.

    Example: pcl problems
    """
    keys = ("name", "label", "parts", "variables", "features", "constraints")
    rows: list[dict[str, object]] = []
    broken = []
    for found in examine_problems():
        name, package, problem = found.plugin.name, found.plugin.package, found.made
        cells: list[object] = [name, "", *[None] * 4]
        if problem is None:
            broken.append(f"{name} of package '{package}' is broken: {found.broken}")
        else:
            counts = (problem.parts, problem.variables, problem.features, problem.constraints)
            cells = [name, problem.label, *map(len, counts)]
        rows.append({**dict(zip(keys, cells, strict=True)), "package": package, "broken": found.broken})
    if output is Format.JSON:
        print_json(rows)
        return
    table = Table(*keys[:2], box=None)
    for key in keys[2:]:
        table.add_column(key, justify="right")
    for row in rows:
        if row["broken"] is None:
            table.add_row(*(Text(str(row[key])) for key in keys))
    shown = console()
    shown.print(table)
    for sentence in broken:
        shown.print(Text(sentence))


def show(
    problem: ProblemArgument,
    order: Annotated[
        str, typer.Option(help="order of the parts: " + ", ".join(ORDERINGS), autocompletion=complete_order)
    ] = "degree",
    seed: Annotated[int, typer.Option(min=0, help="for the random order")] = 0,
    graph: Annotated[Path | None, typer.Option(metavar="FILE", help="draw the GAI network to .svg or .png")] = None,
    output: FormatOption = Format.TEXT,
) -> None:
    """Show a problem's parts, features and what they share.

    The parts are in order, with the features I_p that depend on each and J_p that it accounts for.

    Example: pcl show training --order declared --graph training.svg
    """
    loaded, warnings = load_with_warnings(problem)
    summary = ProblemSummary(loaded, order_parts(loaded, order, np.random.default_rng(seed)), order)
    if graph is not None:
        from pcl_app.drawing import draw_network  # matplotlib is an extra, and slow to import

        draw_network(loaded, graph)
    if output is Format.JSON:
        print_json(summary.data() | {"warnings": [issue.data() for issue in warnings]})
    else:
        summary.print(console())
        say_warnings(warnings)


def evaluate(
    problem: ProblemArgument,
    config: Annotated[Path, typer.Option(metavar="X.json", help="a JSON object from variables to values")],
    output: FormatOption = Format.TEXT,
) -> None:
    """Compute a configuration's features and what it violates.

    That is the value of each feature and the names of violated constraints, by the reference evaluator.

    Example: pcl evaluate training --config week.json --format json
    """
    loaded = load(problem)
    found = assess(loaded, read_configuration_file(loaded, config))
    names = [feature.name for feature in loaded.features]
    if output is Format.JSON:
        print_json(
            {
                "feasible": found.feasible,
                "violated": list(found.violated),
                "features": list(found.features),
                "feature_names": names,
            }
        )
        return
    shown = console()
    labels = {constraint.name: constraint.label for constraint in loaded.constraints}
    are = "is" if len(found.violated) == 1 else "are"
    shown.print(
        "feasible" if found.feasible else f"infeasible: {counted(len(found.violated), 'constraint')} {are} violated"
    )
    for name in found.violated:
        shown.print(f"  {name}" + (f"  ({labels[name]})" if labels[name] else ""))
    table = Table("feature", box=None)
    table.add_column("value", justify="right")
    table.add_column("meaning")
    for feature, value in zip(loaded.features, found.features, strict=True):
        table.add_row(Text(feature.name), Text(f"{value} {feature.unit}".strip()), Text(feature.label))
    shown.print(table)
