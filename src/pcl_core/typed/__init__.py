"""Types made from a problem: the module that `pcl types` writes, and what it is made of. For other languages, a JSON Schema."""

from pcl_core.typed.conversing import TypedElicitation, TypedQuery
from pcl_core.typed.fields import Content, Entries, Many, Single, TypedName
from pcl_core.typed.schema import configuration_schema
from pcl_core.typed.sheets import ConfigurationSheet, NoValueError, PartSheet, Stamp, ValueSheet, WeightSheet
from pcl_core.typed.writing import misfit_of_module, types_module

__all__ = [
    "ConfigurationSheet",
    "Content",
    "Entries",
    "Many",
    "NoValueError",
    "PartSheet",
    "Single",
    "Stamp",
    "TypedElicitation",
    "TypedName",
    "TypedQuery",
    "ValueSheet",
    "WeightSheet",
    "configuration_schema",
    "misfit_of_module",
    "types_module",
]
