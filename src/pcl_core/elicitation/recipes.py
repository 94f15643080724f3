"""Recipes: one word for the settings that belong together."""

from collections.abc import Mapping

from pcl_core.errors import Code, Issue, RequestError, suggest

RECIPES: Mapping[str, Mapping[str, str]] = {
    "people": {
        "mode": "people",
        "learner": "belief",
        "select": "expected:first_round=true",
        "order": "declared",
        "stop": "certificate",
    },
    "keep": {
        "mode": "keep",
        "learner": "perceptron",
        "select": "random",
        "order": "degree",
        "stop": "certificate",
    },
    "paper": {
        "mode": "paper",
        "learner": "perceptron",
        "select": "random",
        "order": "degree",
        "stop": "two-pass",
    },
    "form": {
        "mode": "people",
        "learner": "nothing",
        "select": "round-robin",
        "order": "declared",
        "stop": "certificate",
    },
}
"""For people; with improvements kept; the paper's algorithm; and the control: a form that never changes anything."""

FOR_PEOPLE = "people"
"""What is taken where nobody says otherwise."""


def expanded(recipe: str, fields: Mapping[str, object]) -> dict[str, object]:
    """The settings of a recipe; fields that are given override it."""
    if recipe not in RECIPES:
        message = f"there is no recipe '{recipe!s:.60}'"
        raise RequestError(Issue(Code.UNKNOWN_OPTION, message, suggest(str(recipe), RECIPES), path=("recipe",)))
    return {**RECIPES[recipe], **fields}
