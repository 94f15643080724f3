"""Commands about what packages add: backends, problems, strategies, and whether they work."""

import os
import sys
from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from pcl_app.commands.options import FormatOption
from pcl_app.completing import complete_backend
from pcl_app.output import Format, console
from pcl_app.streams import print_json
from pcl_app.writing import need_working_folder
from pcl_core.authoring import examine_problems, load
from pcl_core.errors import Code, Issue, MissingDependencyError
from pcl_core.learn import LEARNERS, SELECTIONS, examine_orderings
from pcl_core.plugins import Examined
from pcl_core.solve import Availability, Backend, Capability, Oracle, examine_backends, find_backend
from pcl_core.users import USERS


def backends(output: FormatOption = Format.TEXT) -> None:
    """List the solvers, and how to get more.

    What cannot run here says what is missing. What another package offers and cannot be used is listed with the reason.

    Example: pcl backends
    """
    rows: list[dict[str, object]] = []
    for found in examine_backends():
        plugin, backend = found.plugin, found.made
        said = _broken(found) if backend is None else backend.availability()
        rows.append(
            {
                "name": plugin.name,
                "available": said.available,
                "version": said.version,
                "solvers": list(said.solvers),
                "capabilities": [] if backend is None else sorted(backend.capabilities),
                "reason": said.reason,
                "fix": said.fix,
                "package": plugin.package,
                "broken": backend is None,
            }
        )
    if output is Format.JSON:
        print_json(rows)
        return
    table = Table("backend", "runs", "version", box=None)
    table.add_column("solvers", max_width=24)
    table.add_column("what is missing and how to get it")
    for row in rows:
        missing = f"{row['reason']}: {row['fix']}" if row["reason"] else str(row["fix"])
        solvers = ", ".join(map(str, row["solvers"])) if isinstance(row["solvers"], list) else ""
        runs = "yes" if row["available"] else "broken" if row["broken"] else "no"
        cells = (str(row["name"]), runs, str(row["version"]), solvers, missing)
        table.add_row(*map(Text, cells))
    console().print(table)


def _broken(found: Examined[Backend]) -> Availability:
    return Availability(False, reason=found.broken or "", fix=f"mend or remove package '{found.plugin.package}'")


def conformance(
    backend: Annotated[
        str,
        typer.Argument(
            metavar="BACKEND", help="a name from `pcl backends`, or name:solver", autocompletion=complete_backend
        ),
    ],
) -> None:
    """Test a backend with the conformance kit.

    It is the kit that ours pass; a third party's is held to the same.

    Example: pcl conformance cvxpy:scip
    """
    Oracle.of(load("grid"), backend)  # an unknown or missing backend is a sentence before anything else starts
    try:
        import pytest
    except ImportError:
        issue = Issue(Code.MISSING_DEPENDENCY, "the conformance kit needs pytest", "pip install pytest")
        raise MissingDependencyError(issue) from None
    need_working_folder()
    from pcl_core.testing import run_conformance

    lacks = sorted(c.value for c in set(Capability) - set(find_backend(backend).capabilities))
    sys.stdout.write(f"conformance of '{backend}'" + (f"; it has no: {', '.join(lacks)}" if lacks else "") + "\n")
    sys.stdout.flush()
    os.environ[run_conformance.NAME_VARIABLE] = backend
    arguments = ["-q", "-rs", "--no-header", "-p", "no:cacheprovider", "-o", "addopts="]
    assert run_conformance.__file__ is not None
    raise typer.Exit(int(pytest.main([*arguments, run_conformance.__file__]) != 0))


def plugins(output: FormatOption = Format.TEXT) -> None:
    """List what other packages add, and what of it is broken.

    Example: pcl plugins
    """
    groups = (
        *(examine_backends(), examine_problems(), SELECTIONS.examine(), LEARNERS.examine()),
        *(USERS.examine(), examine_orderings()),
    )
    found = [entry for group in groups for entry in group if not entry.plugin.ours]
    if output is Format.JSON:
        keys = ("group", "name", "package", "value")
        print_json([{**{key: getattr(it.plugin, key) for key in keys}, "broken": it.broken} for it in found])
        return
    if not found:
        sys.stdout.write("no other package adds anything\n")
        return
    table = Table("group", "name", "package", "works", box=None)
    for it in found:
        works = "yes" if it.broken is None else f"no: {it.broken}"
        table.add_row(*map(Text, (it.plugin.group, it.plugin.name, it.plugin.package, works)))
    console().print(table)
