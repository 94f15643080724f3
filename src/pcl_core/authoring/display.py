"""How a problem is laid out for people: the section `display` of a file, with the variables spelled out."""

from typing import Literal

from pcl_core.authoring.document import ProblemFile
from pcl_core.authoring.values import Member
from pcl_core.authoring.workspace import Workspace
from pcl_core.errors import Code, Issue, suggest
from pcl_core.ir.nodes import Var
from pcl_core.model.meaning import Display, Lane


def read_display(work: Workspace, file: ProblemFile) -> Display | None:
    """The display that a file declares, or None. Variables must be expanded already."""
    if file.display is None:
        return None
    with work.guard(("display",), "display"):
        return Display(
            board=file.display.board,
            rows=_lanes(work, file, "rows", file.display.rows),
            columns=_lanes(work, file, "columns", file.display.columns),
        )
    return None


def _lanes(work: Workspace, file: ProblemFile, side: Literal["rows", "columns"], word: str | None) -> tuple[Lane, ...]:
    """A lane for each member of a set, with all variables that have it at the index of that name."""
    if word is None:
        return ()
    indices = {name: list(spec.index) for name, spec in file.variables.items() if spec.index}
    known = {index for indexed in indices.values() for index in indexed}
    if word not in known:
        where = work.document.location(("display", side), subject="display")
        work.report(Issue(Code.UNKNOWN_NAME, f"no variable has the index '{word}'", suggest(word, known), where))
    lanes: dict[Member, list[str]] = {}
    for name, indexed in indices.items():
        if word in indexed and name in work.names.arrays:
            for key, node in work.names.arrays[name].cells.items():
                assert isinstance(node, Var)
                lanes.setdefault(key[indexed.index(word)], []).append(node.name)
    return tuple(Lane(label=str(member), variables=tuple(names)) for member, names in lanes.items())
