"""Types made from a problem: the module that `pcl types` writes, and what it is made of. For other languages, a JSON Schema."""

from pcl_core.typed.conversing import TypedElicitation, TypedQuery
from pcl_core.typed.fields import Entries, Many, Single, TypedName
from pcl_core.typed.schema import configuration_schema
from pcl_core.typed.sheets import ConfigurationSheet, NoValueError, PartSheet, Stamp, WeightSheet
from pcl_core.typed.writing import misfit_of_module, types_module

__all__ = [
    "ConfigurationSheet",
    "Entries",
    "Many",
    "NoValueError",
    "PartSheet",
    "Single",
    "Stamp",
    "TypedElicitation",
    "TypedName",
    "TypedQuery",
    "WeightSheet",
    "configuration_schema",
    "misfit_of_module",
    "types_module",
]
