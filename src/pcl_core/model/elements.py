"""What a ground problem is made of."""

from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field, StrictStr
from pydantic_core import PydanticCustomError

from pcl_core.errors import Code
from pcl_core.ir.domains import Name, Outside, Text
from pcl_core.ir.nodes import Expr, Frozen

Reach: TypeAlias = Literal["local", "global"]


def _version_one(value: object) -> object:
    if type(value) is not int or value != 1:
        raise PydanticCustomError(Code.WRONG_VERSION.value, "only version 1 of the format is known")
    return value


Version = Annotated[Literal[1], BeforeValidator(_version_one), Outside.CHECKED]


NameList = Annotated[tuple[StrictStr, ...], Field(fail_fast=True)]


class Definition(Frozen):
    """A named expression that others may refer to."""

    name: Name
    value: Expr
    label: Text = ""


class Constraint(Frozen):
    """A hard constraint: `require` must be true in every configuration."""

    name: Name
    require: Expr
    label: Text = ""


class Feature(Frozen):
    """A number (φ_i in the paper) that people may have preferences over.

    `reach` says whether judging it takes the whole configuration; it follows from the parts the feature
    touches unless it is set.
    """

    name: Name
    value: Expr
    label: Text = ""
    unit: Text = ""
    reach: Reach | None = None


class Part(Frozen):
    """A basic part p: the variables that are shown and improved together.

    `features` may declare I_p. It is derived in any case, and a difference is an error.
    """

    name: Name
    variables: NameList
    label: Text = ""
    features: Annotated[NameList | None, Outside.CHECKED] = None
