"""Commands about problem files: check them, ground them, describe their format."""

import json
from pathlib import Path
from typing import Annotated

import typer

from pcl_app.output import Format, FormatOption, ProblemArgument, print_json, say, write_json
from pcl_core.authoring.document import authored_schema
from pcl_core.authoring.load import load
from pcl_core.errors import Issue, PclError
from pcl_core.model.problem import ground_schema

COMMANDS = ("validate", "schema", "ground")


def validate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="an authored .yaml or a ground .json file")],
    output: FormatOption = Format.TEXT,
) -> None:
    """Check a problem file. Findings are printed as file:line:column: code: message (hint).

    Example: pcl validate week.yaml
    """
    try:
        problem = load(file)
    except PclError as error:
        if output is Format.JSON:
            print_json({"valid": False, "errors": [_as_data(issue) for issue in error.issues], "more": error.more})
        else:
            say("\n".join(error.lines()), stderr=True)
        raise typer.Exit(error.exit_code) from None
    if output is Format.JSON:
        print_json({"valid": True, "errors": [], "name": problem.name, "hash": problem.content_hash})
    else:
        parts, features = len(problem.parts), len(problem.features)
        say(f"{file}: '{problem.name}' is valid: {parts} parts, {features} features")


def _as_data(issue: Issue) -> dict[str, object]:
    where = issue.location
    return {
        "code": issue.code.value,
        "message": issue.message,
        "hint": issue.hint,
        "file": where.file,
        "line": where.line,
        "column": where.column,
        "subject": where.subject,
    }


def schema(
    ground: Annotated[bool, typer.Option("--ground", help="the schema of ground files instead")] = False,
    output: FormatOption = Format.JSON,
) -> None:
    """Print the JSON Schema of problem files, for editors and other programs. It has no other format.

    Example: pcl schema > problem.schema.json
    """
    document = ground_schema() if ground else authored_schema()
    write_json(json.dumps(document, indent=2, ensure_ascii=False))


def ground(problem: ProblemArgument, output: FormatOption = Format.JSON) -> None:
    """Print the ground problem as canonical JSON, which is its only format.

    Example: pcl ground grid:side=8,part=4 > grid8.json
    """
    write_json(load(problem).to_json())
