"""Options and arguments that several commands take."""

from pathlib import Path
from typing import Annotated

import typer

from pcl_app.completing import complete_backend, complete_problem
from pcl_app.output import Format

FormatOption = Annotated[Format, typer.Option("--format", help="text for people, json for programs")]
ProblemArgument = Annotated[
    str,
    typer.Argument(
        metavar="PROBLEM",
        help="a catalogue name, name:key=value,..., or a .yaml or .json file",
        autocompletion=complete_problem,
    ),
]
BackendOption = Annotated[
    str,
    typer.Option("--backend", metavar="NAME[:SOLVER]", help="see `pcl backends`", autocompletion=complete_backend),
]
TimeLimitOption = Annotated[float | None, typer.Option("--time-limit", metavar="SECONDS", help="stop after this long")]
JobsOption = Annotated[int | None, typer.Option(min=1, metavar="J", help="how many work at the same time; all cores")]
ExecutorOption = Annotated[str, typer.Option(metavar="loky|dask|ray", help="who works")]
AddressOption = Annotated[str | None, typer.Option(metavar="HOST:PORT", help="of a Dask or Ray cluster that runs")]
OutOption = Annotated[Path, typer.Option(metavar="DIR", help="where traces.parquet and run.json go")]
CsvOption = Annotated[bool, typer.Option("--csv", help="also write traces.csv")]
