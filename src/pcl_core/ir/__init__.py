"""Expressions, domains and tables; their meaning, kinds, bounds and free variables.

What authors of backends need is here, but for `pcl_core.ir.vector`, which loads numpy.
"""

from pcl_core.ir.coding import Coding, VariableColumns, from_columns, place_of, to_columns, value_at
from pcl_core.ir.domains import AnyVariable, BoolVariable, CategoricalVariable, Facts, IntVariable, Kind, Value
from pcl_core.ir.registers import Operation, Register, Registers

__all__ = [
    "AnyVariable", "BoolVariable", "CategoricalVariable", "Coding", "Facts", "IntVariable", "Kind", "Operation",
    "Register", "Registers", "Value", "VariableColumns", "from_columns", "place_of", "to_columns", "value_at",
]  # fmt: skip
