"""Commands about problem files: check them, ground them, describe their format."""

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from pcl_app.commands.options import FormatOption, ProblemArgument
from pcl_app.completing import complete_problem
from pcl_app.output import Format, Worker, console, say_warnings
from pcl_app.possibility import Possibility, find_out, impossible
from pcl_app.streams import print_json, say, write_json
from pcl_app.writing import replacing
from pcl_core.authoring import authored_schema, load, load_with_warnings
from pcl_core.documents import MAX_FILE_BYTES, read_text
from pcl_core.errors import Code, Issue, Location, PclError, RequestError
from pcl_core.model import ground_schema
from pcl_core.wording import counted


def validate(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="an authored .yaml or a ground .json file")],
    solve: Annotated[
        bool, typer.Option("--solve/--no-solve", help="also find out, in a few seconds, whether anything is possible")
    ] = True,
    output: FormatOption = Format.TEXT,
) -> None:
    """Check a problem file.

    Findings are printed as file:line:column: code: message (hint). A file without mistakes is solved for a few seconds,
    to see whether anything is possible; if not, the constraints that cannot hold together are named. Warnings are about
    what is allowed and probably not meant; a comment `# lint: allow CODE` in the file switches one off.

    Example: pcl validate week.yaml
    """
    try:
        problem, warnings = load_with_warnings(file)
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
        warned = [issue.data() for issue in warnings]
        print_json({"valid": True, "errors": [], "warnings": warned, **about, **known})
    else:
        parts, features = counted(len(problem.parts), "part"), counted(len(problem.features), "feature")
        say(f"{file}: '{problem.name}' is valid: {parts}, {features}")
        say_warnings(warnings)
        if found.possible is False:
            issue = replace(impossible(problem, found.conflict), location=Location(str(file)))
            say(str(issue), stderr=True)
        elif found.possible is None and solve:
            say(f"{file}: whether anything is possible was not found out: {found.undecided}")
    worker.leave(3 if found.possible is False else 0)


def schema(
    problem: Annotated[
        str | None, typer.Argument(metavar="[PROBLEM]", help="for --configuration", autocompletion=complete_problem)
    ] = None,
    ground: Annotated[bool, typer.Option("--ground", help="the schema of ground files instead")] = False,
    configuration: Annotated[
        bool, typer.Option("--configuration", help="the schema of the configurations of PROBLEM instead")
    ] = False,
    output: FormatOption = Format.JSON,
) -> None:
    """Print the JSON Schema of problem files.

    It is for editors and other programs, and has no other format. With --configuration it is that of a problem's
    configurations: names, labels and ranges, but not the constraints between them.

    Example: pcl schema training --configuration > week.schema.json
    """
    if configuration != (problem is not None) or (ground and configuration):
        message = "problem files have one schema, and the configurations of a problem have another"
        hint = "pcl schema, pcl schema --ground, or pcl schema PROBLEM --configuration"
        raise RequestError(Issue(Code.BAD_VALUE, message, hint))
    if problem is not None:
        from pcl_core.typed import configuration_schema  # with it comes all of elicitation, which no other needs here

        document = configuration_schema(load(problem))
    else:
        document = ground_schema() if ground else authored_schema()
    write_json(json.dumps(document, indent=2, ensure_ascii=False))


def types(
    problem: ProblemArgument,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="where to write the module; else to stdout")] = None,
    check: Annotated[Path | None, typer.Option(metavar="FILE", help="say whether this module still fits")] = None,
) -> None:
    """Write a Python module with the types of a problem.

    With it, mypy and pyright check the names and values of a program that elicits. The same content of a problem gives
    the same module; one that does not fit any more is refused when it is used, and found by --check (exit code 2).

    Example: pcl types training --out training_types.py
    """
    if out is not None and check is not None:
        raise RequestError(Issue(Code.BAD_VALUE, "a module is written or checked, not both", "leave one of them out"))
    from pcl_core.typed import misfit_of_module, types_module  # with it comes all of elicitation

    loaded = load(problem)
    if check is not None:
        misfit = misfit_of_module(loaded, read_text(check, str(check), MAX_FILE_BYTES))
        if misfit is not None:
            raise RequestError(replace(misfit, location=Location(str(check))))
        say(f"{check}: fits '{loaded.name}'")
    elif out is not None:
        with replacing(out) as temporary:
            temporary.write_text(types_module(loaded), encoding="utf-8")
        say(f"{out}: types of '{loaded.name}'")
    else:
        sys.stdout.buffer.write(types_module(loaded).encode())  # Python code is UTF-8, whatever a terminal is


def ground(problem: ProblemArgument, output: FormatOption = Format.JSON) -> None:
    """Print the ground problem as canonical JSON.

    That is its only format.

    Example: pcl ground grid:side=8,part=4 > grid8.json
    """
    write_json(load(problem).to_json())
