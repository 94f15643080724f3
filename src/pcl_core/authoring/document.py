"""The shape of an authored problem file. The JSON Schema that editors use is made from these models."""

from decimal import Decimal
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, ConfigDict, Field, Strict, StrictBool, StrictInt, StrictStr, WithJsonSchema
from typing_extensions import TypeAliasType

from pcl_core.ir.nodes import Frozen
from pcl_core.model.elements import Reach, Version

IDENTIFIER = r"^[A-Za-z_][A-Za-z0-9_]*$"


def _as_text(value: object) -> object:
    """Numbers and truth values may stand for themselves where an expression is expected."""
    return str(value) if isinstance(value, (bool, int, Decimal)) else value


Infix = Annotated[
    StrictStr,
    BeforeValidator(_as_text),
    WithJsonSchema({"type": ["string", "number", "boolean"], "description": "An infix expression."}),
]
SetText = Annotated[StrictStr, Field(description="A set: its name, or an expression such as A | B.")]
TemplateText = Annotated[StrictStr, Field(description="Text in which {expression} is replaced by a value.")]
Identifier = Annotated[StrictStr, Field(pattern=IDENTIFIER, max_length=60)]
StrictDecimal = Annotated[Decimal, Strict(), WithJsonSchema({"type": "number"})]
ScalarField: TypeAlias = StrictBool | StrictInt | StrictDecimal | StrictStr

Foreach = Annotated[
    dict[str, Infix | Annotated[list[ScalarField], Field(fail_fast=True)]],
    Field(description="Loop variables and the set, range or list each runs over; 'a, b' unpacks pairs."),
]
Index = Annotated[
    list[SetText] | dict[Identifier, Infix],
    Field(description="The sets that index the array: names of sets, or {loop variable: set}."),
]


class Authored(Frozen):
    """Base of the authored shapes."""

    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


NumberList = Annotated[list[StrictInt | StrictDecimal], Field(fail_fast=True)]
Cells = TypeAliasType("Cells", "StrictInt | StrictDecimal | NumberList | dict[str, Cells]")


MemberList = Annotated[list[ScalarField | list[ScalarField]], Field(fail_fast=True)]


class CsvSet(Authored):
    """A set read from a CSV file."""

    csv: TemplateText
    """A CSV file beside the problem file."""
    column: StrictStr | list[StrictStr]
    """The column to read; several columns give a set of tuples."""


class TableSpec(Authored):
    """A table of numbers: inline, or from a CSV file beside the problem file."""

    index: list[SetText] = Field(min_length=1)
    """The sets that index the table."""
    values: dict[str, Cells] | NumberList | None = None
    """Inline data: a mapping for each index; the last level may be a list in the order of the set."""
    csv: TemplateText | None = None
    """A CSV file: the last index runs over its columns, the others over its first columns."""
    column: StrictStr | None = None
    """With `csv`: the column that holds the values; the index columns are named like the sets."""


class VariableSpec(Authored):
    """A variable, or an array of them."""

    index: Index | None = None
    domain: Infix | list[StrictInt | StrictStr]
    """`bool`, a range `low..high`, a set or list of labels, or a set or list of whole numbers without gaps."""
    label: TemplateText = ""
    """What people see."""
    unit: StrictStr = ""


class DefinitionSpec(Authored):
    """A named expression, or an array of them."""

    index: Index | None = None
    value: Infix
    label: TemplateText = ""


class ConstraintSpec(Authored):
    """Hard constraints: one for each binding of `foreach`."""

    name: TemplateText
    foreach: Foreach = Field(default_factory=dict)
    only_if: Infix | None = Field(default=None, alias="if")
    require: Infix
    """What must be true."""
    label: TemplateText = ""


class FeatureSpec(Authored):
    """Features: one for each binding of `foreach`."""

    name: TemplateText
    foreach: Foreach = Field(default_factory=dict)
    only_if: Infix | None = Field(default=None, alias="if")
    value: Infix
    """A number; truth values count as 0 or 1."""
    label: TemplateText = ""
    unit: StrictStr = ""
    reach: Reach | None = None
    """Whether people need the whole configuration to judge it; derived unless set."""


class PartSpec(Authored):
    """Parts: one for each binding of `foreach`."""

    name: TemplateText
    foreach: Foreach = Field(default_factory=dict)
    only_if: Infix | None = Field(default=None, alias="if")
    variables: Infix | list[Infix]
    """Selections such as plan[d, *]."""
    label: TemplateText = ""
    features: list[TemplateText] | None = None
    """The features that depend on the part; derived, and checked when given."""


class InitialSpec(Authored):
    """Values of the initial configuration; a later entry overrides an earlier one."""

    foreach: Foreach = Field(default_factory=dict)
    only_if: Infix | None = Field(default=None, alias="if")
    target: Infix | list[Infix] = Field(alias="set")
    """Selections of variables such as plan[d, *]."""
    to: Infix
    """The value, known before solving; a label of the variable may stand without quotes of its own."""


class DisplaySpec(Authored):
    """How the problem is laid out for people. Nothing else depends on it."""

    board: StrictStr
    """What sort of board it is, such as `calendar`."""
    rows: Identifier | tuple[Identifier, Identifier] | None = None
    """The set, or loop variable, that indexes variables and whose members are the rows; or a table over it of the rows.

    Or a table over the labels that variables take, or two: the first and the last row of where a label is.
    """
    columns: Identifier | tuple[Identifier, Identifier] | None = None


class Check(Authored):
    """Something the parameters and data must satisfy."""

    that: Infix
    message: StrictStr


class ProblemFile(Authored):
    """A problem as a person writes it."""

    pcl: Version
    """The version of the format."""
    name: StrictStr
    label: StrictStr = ""
    description: StrictStr = ""
    shared_only: Literal["refuse", "allow"] = "refuse"
    """Whether a part may do without a feature of its own."""
    parameters: dict[Identifier, ScalarField] = Field(default_factory=dict)
    """Values that can be changed when the problem is loaded, with their defaults."""
    checks: list[Check] = Field(default_factory=list)
    sets: dict[Identifier, Infix | MemberList | CsvSet] = Field(default_factory=dict)
    """Named sets: a list, a range a..b, an expression, or a CSV column."""
    tables: dict[Identifier, TableSpec] = Field(default_factory=dict)
    variables: dict[Identifier, VariableSpec]
    definitions: dict[Identifier, DefinitionSpec] = Field(default_factory=dict)
    constraints: list[ConstraintSpec] = Field(default_factory=list)
    features: list[FeatureSpec]
    parts: list[PartSpec]
    initial: list[InitialSpec] = Field(default_factory=list)
    """Where a learner starts: a value for every variable, in a feasible configuration."""
    display: DisplaySpec | None = None


_ENTRIES: dict[str, type[Authored]] = {
    "checks": Check,
    "tables": TableSpec,
    "variables": VariableSpec,
    "definitions": DefinitionSpec,
    "constraints": ConstraintSpec,
    "features": FeatureSpec,
    "parts": PartSpec,
    "initial": InitialSpec,
}
SECTION_FIELDS: dict[str, frozenset[str]] = {
    section: frozenset(info.alias or name for name, info in model.model_fields.items())
    for section, model in _ENTRIES.items()
}
"""The fields that entries of each section have."""

_SHAPES: tuple[type[Authored], ...] = (ProblemFile, *_ENTRIES.values(), DisplaySpec, CsvSet)
FIELD_NAMES: tuple[str, ...] = tuple(
    dict.fromkeys(info.alias or name for shape in _SHAPES for name, info in shape.model_fields.items())
)
"""Every field a file can have, to suggest one for a misspelt one."""


def authored_schema() -> dict[str, object]:
    """The JSON Schema of problem files."""
    schema = ProblemFile.model_json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "pcl problem file"
    return schema
