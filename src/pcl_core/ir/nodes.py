"""Expression nodes: the whole language that features, constraints and definitions are written in.

Every node is a frozen model told apart by `op`. Their meaning is given once, by the reference evaluator in
`pcl_core.ir.evaluate`; a truth value counts as 0 or 1 wherever a number is expected. All else that is to be known of a kind
is in the table of `pcl_core.ir.language`.
"""

from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictInt,
    StrictStr,
)

from pcl_core.ir.numbers import ConstantField, NumberField

MAX_DEPTH = 100
"""Deeper trees are refused by name; validators fail by recursion near 200."""


class Frozen(BaseModel):
    """Base of everything that is part of a problem: immutable, and unknown fields are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid")


# Long lists are fail_fast: what is wrong in one is said of its first wrong element, for there may be a million.
Relation: TypeAlias = Literal["==", "!=", "<", "<=", ">", ">="]
Key: TypeAlias = StrictInt | StrictStr
"""What a table axis or an `in` list holds: whole numbers, or labels."""


class Const(Frozen):
    """A number, or a truth value."""

    op: Literal["const"] = "const"
    value: ConstantField


class Label(Frozen):
    """A label that a categorical variable can be compared with, or a table read at."""

    op: Literal["label"] = "label"
    value: StrictStr


class Var(Frozen):
    """The value of a variable."""

    op: Literal["var"] = "var"
    name: StrictStr


class Ref(Frozen):
    """The value of a named definition."""

    op: Literal["ref"] = "ref"
    name: StrictStr


class Sum(Frozen):
    """constant + Σ coefs[i] · args[i]"""

    op: Literal["sum"] = "sum"
    coefs: tuple[NumberField, ...] = Field(fail_fast=True)
    args: "tuple[Expr, ...]" = Field(min_length=1, fail_fast=True)
    constant: NumberField = 0


class Product(Frozen):
    """Π args[i]; at most one factor may be something else than a constant or a truth value."""

    op: Literal["product"] = "product"
    args: "tuple[Expr, ...]" = Field(min_length=1, fail_fast=True)


class Lookup(Frozen):
    """The entry of a table at the given keys, one for each axis."""

    op: Literal["lookup"] = "lookup"
    table: StrictStr
    keys: "tuple[Expr, ...]" = Field(min_length=1, fail_fast=True)


class Min(Frozen):
    """The smallest of its arguments."""

    op: Literal["min"] = "min"
    args: "tuple[Expr, ...]" = Field(min_length=1, fail_fast=True)


class Max(Frozen):
    """The largest of its arguments."""

    op: Literal["max"] = "max"
    args: "tuple[Expr, ...]" = Field(min_length=1, fail_fast=True)


class Abs(Frozen):
    """The distance of its argument from zero."""

    op: Literal["abs"] = "abs"
    arg: "Expr"


class Count(Frozen):
    """How many of its arguments are true."""

    op: Literal["count"] = "count"
    args: "tuple[Expr, ...]" = Field(min_length=1, fail_fast=True)


class Cmp(Frozen):
    """Whether `left rel right` holds; labels can only be equal or different."""

    op: Literal["cmp"] = "cmp"
    rel: Relation
    left: "Expr"
    right: "Expr"


class In(Frozen):
    """Whether the argument is one of the listed values."""

    op: Literal["in"] = "in"
    arg: "Expr"
    values: tuple[Key, ...] = Field(min_length=1, fail_fast=True)


class And(Frozen):
    """Whether all arguments are true."""

    op: Literal["and"] = "and"
    args: "tuple[Expr, ...]" = Field(min_length=1, fail_fast=True)


class Or(Frozen):
    """Whether some argument is true."""

    op: Literal["or"] = "or"
    args: "tuple[Expr, ...]" = Field(min_length=1, fail_fast=True)


class Not(Frozen):
    """Whether the argument is false."""

    op: Literal["not"] = "not"
    arg: "Expr"


class Implies(Frozen):
    """Whether the second is true or the first is false."""

    op: Literal["implies"] = "implies"
    left: "Expr"
    right: "Expr"


class Iff(Frozen):
    """Whether both are true or both are false."""

    op: Literal["iff"] = "iff"
    left: "Expr"
    right: "Expr"


class AllDifferent(Frozen):
    """Whether no two arguments are equal."""

    op: Literal["all_different"] = "all_different"
    args: "tuple[Expr, ...]" = Field(min_length=1, fail_fast=True)


Node: TypeAlias = (
    Const | Label | Var | Ref | Sum | Product | Lookup | Min | Max | Abs | Count
    | Cmp | In | And | Or | Not | Implies | Iff | AllDifferent
)  # fmt: skip
Expr: TypeAlias = Annotated[Node, Field(discriminator="op")]

NODE_TYPES: tuple[type[Node], ...] = get_args(Node)

for _node_type in NODE_TYPES:
    _node_type.model_rebuild()
