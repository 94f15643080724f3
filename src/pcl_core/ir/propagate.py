"""Values of very many expressions after a few variables changed, at the cost of what depends on these.

All registers of one configuration are kept as an array. A change goes from the variables to what is computed from them, in
the order of the registers; a sum takes the differences of its terms, however many others it has.
"""

from collections.abc import Iterable, Mapping, Sequence
from heapq import heappop, heappush

import numpy as np

from pcl_core.ir.domains import Value
from pcl_core.ir.registers import Operation, Register, Registers
from pcl_core.ir.vector import Integers, VectorEvaluator


class Propagation:
    """All registers that some roots are computed from, each at its slot."""

    def __init__(self, registers: Registers, roots: Sequence[int]) -> None:
        self._used = registers.reached(roots)
        slots = {register.number: slot for slot, register in enumerate(self._used)}
        self._whole = VectorEvaluator(registers, [register.number for register in self._used])
        self.roots = np.array([slots[root] for root in roots], dtype=np.intp)
        """The slots of the roots"""
        self._slot_of = {name: slots[number] for name, number in registers.variables.items() if number in slots}
        self._coding, self._keys, self._entries = registers.coding, registers.key_offsets, registers.entries
        self._args: list[list[int]] = [[slots[arg] for arg in register.args] for register in self._used]
        self._above: list[list[tuple[int, int]]] = [[] for _ in self._used]
        """By slot: what is computed from it; of sums with its factor, else with zero"""
        for slot, register in enumerate(self._used):
            factors = register.factors if register.operation is Operation.LINEAR else [0] * len(register.args)
            for arg, factor in zip(self._args[slot], factors, strict=True):
                self._above[arg].append((slot, factor))

    def values(self, configuration: Mapping[str, Value]) -> Integers:
        """All registers, by slot."""
        return self._whole.one(configuration)

    def changed(self, values: Integers, configuration: Mapping[str, Value], names: Iterable[str]) -> Integers:
        """The same for a configuration that differs in some variables."""
        found = values.copy()
        moved: dict[int, int] = {}
        """By how much a sum changes"""
        pending, waiting = list[int](), set[int]()

        def differs(slot: int, value: int) -> None:
            difference = value - int(values[slot])
            if not difference:
                return
            found[slot] = value
            for above, factor in self._above[slot]:
                if factor:
                    moved[above] = moved.get(above, 0) + factor * difference
                if above not in waiting:
                    waiting.add(above)
                    heappush(pending, above)

        for name in names:
            slot = self._slot_of.get(name)
            if slot is not None:
                differs(slot, self._coding.code(configuration[name]))
        while pending:
            slot = heappop(pending)
            register = self._used[slot]
            if register.operation is Operation.LINEAR:
                differs(slot, int(values[slot]) + moved.get(slot, 0))
            else:
                differs(slot, self._computed(register, [int(found[arg]) for arg in self._args[slot]]))
        return found

    def _computed(self, register: Register, args: list[int]) -> int:
        match register.operation:
            case Operation.MIN:
                return min(args)
            case Operation.MAX:
                return max(args)
            case Operation.EQ:
                return int(args[0] == args[1])
            case Operation.NE:
                return int(args[0] != args[1])
            case Operation.LT:
                return int(args[0] < args[1])
            case Operation.LE:
                return int(args[0] <= args[1])
            case Operation.LOOKUP:
                return self._entries[sum(self._keys[at + arg] for at, arg in zip(register.factors, args, strict=True))]
            case _:
                product = 1
                for arg in args:
                    product *= arg
                return product
