"""The JSON Schema of a problem's configurations, for programs in other languages."""

from pcl_core.ir.domains import AnyVariable, BoolVariable, IntVariable
from pcl_core.model.names import split_name
from pcl_core.model.problem import Problem
from pcl_core.typed.naming import Identifiers


def configuration_schema(problem: Problem) -> dict[str, object]:
    """What a complete configuration looks like as JSON. Constraints are not in it: whether they hold, `evaluate` says."""
    names, references = Identifiers(), dict[tuple[str, ...], str]()
    shared: dict[str, object] = {}
    properties: dict[str, object] = {}
    for variable in problem.variables:
        labels = None if isinstance(variable, (BoolVariable, IntVariable)) else variable.labels
        if labels is None:
            form = _number(variable)
        else:
            if labels not in references:
                base = split_name(variable.name)[0]
                references[labels] = names.of_type(base if base.isascii() else "", "Value")
                shared[references[labels]] = {"type": "string", "enum": list(labels)}
            form = {"$ref": f"#/$defs/{references[labels]}"}
        properties[variable.name] = form | ({"title": variable.label} if variable.label else {})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": problem.label or problem.name,
        "description": f"A configuration of '{problem.name}', content {problem.content_hash}",
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        "$defs": shared,
    }


def _number(variable: AnyVariable) -> dict[str, object]:
    if isinstance(variable, IntVariable):
        return {"type": "integer", "minimum": variable.lower, "maximum": variable.upper}
    return {"type": "boolean"}
