"""From a problem and a scope to a model that any solver can take. What authors of backends need is here."""

from pcl_core.compile.context import ContextValue, Split
from pcl_core.compile.flat import (
    Apart,
    AtMostOne,
    Clause,
    Column,
    Different,
    ExactlyOne,
    FlatConstraint,
    FlatModel,
    Form,
    Implied,
    Literal,
    Maximum,
    Row,
    add,
    form_of,
    interval,
    total,
)
from pcl_core.compile.linear import LinearModel
from pcl_core.compile.pipeline import ContextEvaluator, Scope, ScopeRegisters, scope_of

__all__ = [
    "Apart", "AtMostOne", "Clause", "Column", "ContextEvaluator", "ContextValue", "Different", "ExactlyOne",
    "FlatConstraint", "FlatModel", "Form", "Implied", "LinearModel", "Literal", "Maximum", "Row", "Scope",
    "ScopeRegisters", "Split", "add", "form_of", "interval", "scope_of", "total",
]  # fmt: skip
