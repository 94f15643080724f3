"""A problem as pages and programs need it: what there is to decide, what it is called, and how it is laid out."""

from typing import Any

from pcl_app.studio.work.shelf import Shelf
from pcl_core.elicitation import Surroundings
from pcl_core.ir import AnyVariable, BoolVariable, IntVariable
from pcl_core.model import Labels, Problem, split_name

MOST_NEIGHBOURS = 8
"""What depends on more parts than this says nothing of who is beside whom."""


def describe(shelf: Shelf, person: str, problem: str, uploaded: str | None = None) -> dict[str, Any]:
    found = shelf.named(problem) if uploaded is None else shelf.uploaded(uploaded, person)
    return described(found.problem)


def described(problem: Problem) -> dict[str, Any]:
    labels, around = Labels(problem), Surroundings(problem)
    display = problem.display
    return {
        "name": problem.name,
        "label": problem.label or problem.name,
        "description": problem.description,
        "hash": problem.content_hash,
        "parts": [
            {"name": part.name, "label": labels.parts[part.name], "variables": list(part.variables)}
            for part in problem.parts
        ],
        "variables": [
            {
                "name": variable.name,
                "label": labels.of(variable.name),
                "short": labels.short(variable.name),
                "part": labels.part_of(variable.name).name,
                **_domain(variable),
                "free": around.is_free(variable.name),
            }
            for variable in problem.variables
        ],
        "features": [
            {"name": feature.name, "label": feature.label or feature.name, "unit": feature.unit}
            for feature in problem.features
        ],
        "constraints": [
            {"name": constraint.name, "label": constraint.label or constraint.name}
            for constraint in problem.constraints
        ],
        "neighbours": _neighbours(problem),
        "display": None if display is None else display.model_dump(mode="json"),
    }


def _neighbours(problem: Problem) -> list[list[str]]:
    """Pairs of parts of which one has something said of it, by its name, that the other has a say in."""
    where, position = problem.structure.part_of_variable, {part.name: at for at, part in enumerate(problem.parts)}
    found: set[tuple[int, int]] = set()
    for feature in problem.features:
        own = {position[it] for it in split_name(feature.name)[1] if it in position}
        reached = {where[name] for name in problem.symbols.free_variables(feature.value)} | own
        if len(own) == 1 and len(reached) <= MOST_NEIGHBOURS:
            found |= {(min(here, there), max(here, there)) for here in own for there in reached - own}
    return [[problem.parts[it].name for it in pair] for pair in sorted(found)]


def _domain(variable: AnyVariable) -> dict[str, Any]:
    """What it can be: `values` for labels, `least` and `greatest` for whole numbers."""
    if isinstance(variable, BoolVariable):
        return {"kind": "truth", "values": [False, True], "least": None, "greatest": None, "unit": ""}
    if isinstance(variable, IntVariable):
        ends = {"least": variable.lower, "greatest": variable.upper}
        return {"kind": "number", "values": None, **ends, "unit": variable.unit}
    return {"kind": "label", "values": list(variable.labels), "least": None, "greatest": None, "unit": ""}
