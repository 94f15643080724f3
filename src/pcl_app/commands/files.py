"""Commands about problem files: check them, ground them, describe their format."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pcl_app.commands.options import FormatOption, ProblemArgument
from pcl_app.output import Format, Worker, console
from pcl_app.possibility import Possibility, find_out, impossible
from pcl_app.streams import print_json, say, write_json
from pcl_core.authoring import authored_schema, load
from pcl_core.errors import Location, PclError
from pcl_core.model import ground_schema


def validate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="an authored .yaml or a ground .json file")],
    solve: Annotated[
        bool, typer.Option("--solve/--no-solve", help="also find out, in a few seconds, whether anything is possible")
    ] = True,
    output: FormatOption = Format.TEXT,
) -> None:
    """Check a problem file.

    Findings are printed as file:line:column: code: message (hint). A file without mistakes is solved for a few seconds,
    to see whether anything is possible; if not, the constraints that cannot hold together are named.

    Example: pcl validate week.yaml
    """
    try:
        problem = load(file)
    except PclError as error:
        if output is Format.JSON:
            print_json({"valid": False, "errors": [issue.data() for issue in error.issues], "more": error.more})
        else:
            say("\n".join(error.lines()), stderr=True)
        raise typer.Exit(error.exit_code) from None
    worker = Worker(console(stderr=True))
    found = find_out(problem, worker) if solve else Possibility(undecided="it was not asked for")
    if output is Format.JSON:
        about = {"name": problem.name, "hash": problem.content_hash}
        conflict = None
        if found.conflict is not None:
            conflict = {"constraints": list(found.conflict.constraints), "minimal": found.conflict.minimal}
        known = {"possible": found.possible, "conflict": conflict, "undecided": found.undecided}
        print_json({"valid": True, "errors": [], **about, **known})
    else:
        parts, features = len(problem.parts), len(problem.features)
        say(f"{file}: '{problem.name}' is valid: {parts} parts, {features} features")
        if found.possible is False:
            issue = replace(impossible(problem, found.conflict), location=Location(str(file)))
            say(str(issue), stderr=True)
        elif found.possible is None and solve:
            say(f"{file}: whether anything is possible was not found out: {found.undecided}")
    worker.leave(3 if found.possible is False else 0)


def schema(
    ground: Annotated[bool, typer.Option("--ground", help="the schema of ground files instead")] = False,
    output: FormatOption = Format.JSON,
) -> None:
    """Print the JSON Schema of problem files.

    It is for editors and other programs, and has no other format.

    Example: pcl schema > problem.schema.json
    """
    document = ground_schema() if ground else authored_schema()
    write_json(json.dumps(document, indent=2, ensure_ascii=False))


def ground(problem: ProblemArgument, output: FormatOption = Format.JSON) -> None:
    """Print the ground problem as canonical JSON.

    That is its only format.

    Example: pcl ground grid:side=8,part=4 > grid8.json
    """
    write_json(load(problem).to_json())
