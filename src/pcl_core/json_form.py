"""The one JSON form of what programs read: a query, an answer, a certificate, a solution, findings.

A class names the attributes that are its form; that is all it has to say. A named tuple is an object of its fields. The
JSON Schema follows from the types (`pcl_core.documents.forms`).
"""

from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from operator import attrgetter
from typing import Any, ClassVar, TypeAlias

from pcl_core.wording import html_table

Value: TypeAlias = bool | int | str
"""A value in a configuration: a truth value, a whole number, or a label."""


class JsonForm:
    """Something that has a JSON form."""

    __slots__ = ()

    FORM: ClassVar[tuple[str, ...]]
    """The attributes, in order; of `location.file` the form has `file`."""
    SHOWN: ClassVar[tuple[str, ...]] = ()
    """The attributes that a notebook shows; all of the form where none are named."""

    def data(self) -> dict[str, Any]:
        """Plain dicts, lists, texts and numbers, made anew: `json.dumps` writes them, and nobody else holds them."""
        return self.data_around({})

    def data_around(self, known: Mapping[str, object]) -> dict[str, Any]:
        """The same with what is known of some attributes in their places: these are not looked at, which may take long."""
        return {
            path.rpartition(".")[2]: known[path] if path in known else plain(attrgetter(path)(self))
            for path in self.FORM
        }

    def _repr_html_(self) -> str:
        """What a notebook shows; what is empty is left out."""
        found = {path: attrgetter(path)(self) for path in self.SHOWN or self.FORM}
        said = {path: value for path, value in found.items() if value is not None and plain(value) not in ("", [], {})}
        return html_table(type(self).__name__, said)


def plain(value: object) -> object:
    """A value as JSON has it."""
    if isinstance(value, JsonForm):
        return value.data()
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = value._asdict()
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [plain(item) for item in value]
    if isinstance(value, Enum):
        return value.value
    return float(value) if isinstance(value, Decimal) else value
