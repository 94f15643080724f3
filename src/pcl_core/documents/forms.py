"""JSON Schemas of what has a JSON form, and the way back from it."""

import inspect
import json
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, reduce
from operator import or_
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError, create_model
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import DecimalSchema

from pcl_core.documents.validation import issues_from_validation
from pcl_core.errors import Code, Issue, RequestError


class _Numbers(GenerateJsonSchema):
    """Decimals are written as numbers."""

    def decimal_schema(self, schema: DecimalSchema) -> JsonSchemaValue:
        return {"type": "number"}


def schema_of(*classes: Any) -> dict[str, Any]:
    """A JSON Schema with a definition for each class (a `JsonForm`), and for what these are made of."""
    models: list[tuple[str, Literal["validation"], TypeAdapter[Any]]] = [
        (found.__name__, "validation", TypeAdapter(model_of(found))) for found in classes
    ]
    return TypeAdapter.json_schemas(models, schema_generator=_Numbers)[1]


def read_form(of: Any, data: Mapping[str, object]) -> dict[str, Any]:
    """The fields of an object from its JSON form; what does not fit is a `RequestError` with all findings."""
    model = model_of(of)
    try:
        found = model.model_validate_json(json.dumps(data))
    except ValidationError as error:
        raise RequestError(issues_from_validation(error, list(model.model_fields))) from None
    except (TypeError, ValueError, RecursionError) as error:
        raise RequestError(Issue(Code.WRONG_SHAPE, f"this is not JSON: {error}")) from None
    return {name: getattr(found, name) for name in model.model_fields}


@cache
def model_of(found: Any) -> type[BaseModel]:
    """The form of a class as a Pydantic model: its fields have the types of the attributes.

    What is written has all of them. In what is read, those may be left out that have a default.
    """
    is_read = is_dataclass(found) and hasattr(found, "from_data")
    given = {field.name: field for field in (fields(found) if is_read else ())}
    described: dict[str, Any] = {}
    for path in getattr(found, "FORM", None) or found._fields:
        default: Any = MISSING
        if (field := given.get(path)) is not None:
            default = field.default if field.default_factory is MISSING else field.default_factory()
        described[path.rpartition(".")[2]] = (_type_at(found, path), ... if default is MISSING else default)
    config = ConfigDict(extra="forbid", strict=True)
    return create_model(found.__name__, __config__=config, __doc__=inspect.getdoc(found), **described)


def _type_at(found: Any, path: str) -> Any:
    """The type of an attribute, or of a property, as it is in JSON."""
    for step in path.split("."):
        hints = get_type_hints(found)
        held = inspect.getattr_static(found, step, None)
        function = getattr(held, "fget", None) or getattr(held, "func", None)
        found = hints[step] if function is None else get_type_hints(function)["return"]
    return _in_json(found)


def _in_json(annotation: Any) -> Any:
    if hasattr(annotation, "FORM_TYPE"):
        return annotation.FORM_TYPE
    if hasattr(annotation, "FORM") or hasattr(annotation, "_fields"):
        return model_of(annotation)
    if isinstance(annotation, UnionType):
        return reduce(or_, map(_in_json, get_args(annotation)))
    if get_origin(annotation) is tuple:
        return tuple[tuple(map(_in_json, get_args(annotation)))]  # type: ignore[misc]
    return annotation
