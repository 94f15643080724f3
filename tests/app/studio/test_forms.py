"""What the studio says that it hands out is what the core hands out: forms here are written by hand, data comes from there."""

from collections.abc import Mapping
from typing import Any

import pytest
from pydantic import TypeAdapter

from pcl_app.studio import forms
from pcl_core.documents.forms import schema_of
from pcl_core.elicitation import Change, Elsewhere, Figure, PartNow, Preview, Query, Ruling, Taste, Told
from pcl_core.model.own_rules import OwnRule

SAME: dict[Any, Any] = {
    forms.QueryForm: Query,
    forms.PreviewForm: Preview,
    forms.PartForm: PartNow,
    forms.ToldForm: Told,
    forms.FigureForm: Figure,
    forms.ChangeForm: Change,
    forms.RuleForm: OwnRule,
    forms.RulingForm: Ruling,
    forms.ElsewhereForm: Elsewhere,
    forms.TasteForm: Taste,
}
"""Forms of the studio, and what of the core is handed out in them."""
LOOSER = {
    ("QueryForm", "why"): "reasons are only said, in the words of `why_text`",
    ("PreviewForm", "broken"): "a constraint is handed on to whatever writes a name and a label",
    ("ElsewhereForm", "places"): "a page reads of places what it shows",
}
"""Where the studio says less than the core on purpose: that there are objects, not which fields these have."""


def shape(schema: object, definitions: Mapping[str, Any]) -> object:
    """A schema as what it takes: the kinds that are allowed, of objects the fields, without names and words around them."""
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return shape(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema:
        kinds = [shape(each, definitions) for each in schema["anyOf"]]
        whole = ["integer"] if "number" in kinds else []  # a whole number is a number
        return sorted({str(each): each for each in kinds if each not in whole}.values(), key=str)
    if "const" in schema or "enum" in schema:  # of words; pages need not know all of them
        return "string"
    if "properties" in schema:
        return {name: shape(field, definitions) for name, field in schema["properties"].items()}
    if schema.get("type") == "array":
        return [shape(schema.get("items", {}), definitions)]
    if schema.get("type") == "object":
        return {"*": shape(schema.get("additionalProperties", {}), definitions)}
    return schema.get("type")


@pytest.mark.parametrize(("form", "of"), SAME.items(), ids=[form.__name__ for form in SAME])
def test_a_form_of_the_studio_is_that_of_the_core(form: Any, of: Any) -> None:
    known = schema_of(of)["$defs"]
    expected: Any = shape(known[of.__name__], known)
    said = TypeAdapter(form).json_schema()
    found: Any = shape(said, said.get("$defs", {}))
    assert set(found) == set(expected)
    different = {name: (found[name], expected[name]) for name in expected if found[name] != expected[name]}
    looser = {name for place, name in LOOSER if place == form.__name__}
    assert different.keys() == looser, different
    assert all(list(found[name][0]) == ["*"] for name in looser), "lists of objects"
