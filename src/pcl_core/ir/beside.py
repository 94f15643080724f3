"""Kinds and interval bounds where some variables have values. What these values do not touch is as it was."""

from collections.abc import Mapping, Sequence

from pcl_core.ir.domains import Facts, Kind, Value
from pcl_core.ir.infer import Inference
from pcl_core.ir.long_sums import LongSums
from pcl_core.ir.nodes import Node
from pcl_core.ir.symbols import Symbols


class InferenceBeside(Inference):
    """Facts beside given values. That some things can no longer be is no finding, and how deep they are does not matter."""

    def __init__(self, symbols: Symbols, without: Inference, long_sums: LongSums, given: Mapping[str, Value]) -> None:
        """`without`: what is known of the same symbols without these values, definitions and all."""
        super().__init__(symbols, lambda code, message, hint: None)
        self._without, self._long_sums, self._given = without, long_sums, given
        self._names = frozenset(given)

    def facts(self, node: Node) -> Facts:
        long = self._long_sums.of(node)
        if long is None:
            return super().facts(node)
        return Facts(Kind.NUMBER, *long.bounds_with(self.facts, long.terms(self._names)), long.places)

    def _made(self, kind: Kind, low: int, high: int, digits: int, below: Sequence[Facts]) -> Facts:
        return Facts(kind, low, high, digits)  # within the bounds that were checked without these values

    def _new_variable(self, name: str) -> Facts:
        if name not in self._given:
            return self._without._variable(name)
        value = self._given[name]
        if isinstance(value, str):
            return Facts(Kind.LABEL, labels=frozenset((value,)))
        return Facts(self._symbols.variables[name].kind, int(value), int(value))

    def _definition(self, name: str) -> Facts:
        if name not in self._definitions:
            touched = not self._names.isdisjoint(self._symbols.free_in_definition(name))
            known = self.facts(self._symbols.definitions[name]) if touched else self._without._definitions[name]
            self._definitions[name] = known
        return self._definitions[name]
