"""The vectorised evaluator: many expressions for many configurations in a handful of numpy calls.

Expressions become registers of whole numbers (see `pcl_core.ir.registers`); registers of the same operation at
the same height are computed together. The cost of one configuration is therefore a few microseconds for each
group, not for each node, and a batch of configurations costs hardly more until memory bandwidth counts.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, groupby
from operator import itemgetter
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pcl_core.ir.domains import Value
from pcl_core.ir.nodes import Node
from pcl_core.ir.registers import Operation, Register, Registers
from pcl_core.ir.symbols import Symbols

StraightLine: TypeAlias = Callable[[Sequence[int]], list[int]]

_COMPARISONS = {Operation.EQ: "==", Operation.NE: "!=", Operation.LT: "<", Operation.LE: "<="}


def straight_line(
    registers: Registers, used: Sequence[Register], inputs: Sequence[int], roots: Sequence[int]
) -> StraightLine:
    """A function from the values of the inputs, in their order, to the values of the roots.

    numpy costs a microsecond or more for each call, however small the arrays. For a single configuration a function
    with one line for each register is ten times faster; it pays off once it is called a few dozen times. The text
    is made from registers, which hold whole numbers and operations only, never from anything a person wrote.
    """
    position = {number: at for at, number in enumerate(inputs)}
    lines = [f"    r{register.number} = {_text(register, position)}" for register in used]
    result = ", ".join(f"+r{index}" for index in roots)  # of a truth value this makes a number
    source = "\n".join(["def evaluate(x):", *lines, f"    return [{result}]"])
    scope: dict[str, Any] = {"keys": registers.key_offsets, "entries": registers.entries}
    exec(compile(source, "<registers>", "exec"), scope)
    found: StraightLine = scope["evaluate"]
    return found


def _text(register: Register, position: dict[int, int]) -> str:
    if register.number in position:
        return f"x[{position[register.number]}]"
    args = [f"r{arg}" for arg in register.args]
    match register.operation:
        case Operation.CONSTANT:
            return str(register.offset)
        case Operation.LINEAR:
            terms = [
                arg if factor == 1 else f"{factor}*{arg}" for factor, arg in zip(register.factors, args, strict=True)
            ]
            return " + ".join([*terms, str(register.offset)])
        case Operation.PRODUCT:
            return " * ".join(args)
        case Operation.MIN | Operation.MAX:
            return f"{register.operation.name.lower()}({', '.join(args)})"
        case Operation.LOOKUP:
            found = [f"keys[{factor} + {arg}]" for factor, arg in zip(register.factors, args, strict=True)]
            return f"entries[{' + '.join(found)}]"
        case _:
            return f"1 if {args[0]} {_COMPARISONS[register.operation]} {args[1]} else 0"


LONG = 5000
TO_COMPILE, TO_STEP, TO_LINE = 20.0, 8.0, 0.06
"""Microseconds, roughly: a register as a line of Python, a step of numpy for one configuration, a line when it runs."""

Integers: TypeAlias = npt.NDArray[np.int64]

REDUCTIONS = {Operation.PRODUCT: np.multiply, Operation.MIN: np.minimum, Operation.MAX: np.maximum}
COMPARISONS = {
    Operation.EQ: np.equal,
    Operation.NE: np.not_equal,
    Operation.LT: np.less,
    Operation.LE: np.less_equal,
}


@dataclass(frozen=True)
class _Step:
    """One group: which registers it reads, which consecutive ones it writes."""

    operation: Operation
    first: int
    last: int
    reads: Integers
    starts: Integers
    factors: Integers | None = None
    offsets: Integers | None = None


class VectorEvaluator:
    """Values of a fixed list of expressions, in whole units of 10^-places each."""

    def __init__(self, registers: Registers, roots: Sequence[int], inputs: Sequence[int] | None = None) -> None:
        """The `inputs` are registers whose values are given; without them, these are the variables that matter."""
        self._registers, self._root_numbers = registers, roots
        self._used = registers.reached(roots, inputs or ())
        if inputs is None:
            inputs = [register.number for register in self._used if register.operation is Operation.VARIABLE]
        names = registers.names
        self._singles = 0
        self._straight_line: StraightLine | None = None
        self.variables: tuple[str, ...] = tuple([names[number] for number in inputs if number in names])
        self.places: tuple[int, ...] = tuple([registers.items[number].places for number in roots])
        self._coding = registers.coding
        self._pick = picker(self.variables)
        self._has_labels = any(registers.is_labelled(name) for name in self.variables)
        self._keys = np.array(registers.key_offsets, dtype=np.int64)
        self._entries = np.array(registers.entries, dtype=np.int64)
        position = {number: slot for slot, number in enumerate(inputs)}
        order = sorted([(register.group, register) for register in self._used if register.number not in position])
        position.update((register.number, slot) for slot, (_, register) in enumerate(order, len(position)))
        self._roots = np.array([position[number] for number in roots], dtype=np.int64)
        self._size = len(position)
        self._inputs = inputs
        self._steps: list[_Step] = []
        self._constants: tuple[Integers, Integers] = (np.empty(0, np.int64), np.empty(0, np.int64))
        for (_, operation, _), found in groupby(order, key=itemgetter(0)):
            members = [register for _, register in found]
            first = position[members[0].number]
            if operation is Operation.CONSTANT:
                slots = np.arange(first, first + len(members), dtype=np.int64)
                self._constants = (slots, np.array([member.offset for member in members], dtype=np.int64))
            else:
                self._steps.append(_step(operation, members, first, position))

    @classmethod
    def of(cls, symbols: Symbols, nodes: Sequence[Node], registers: Registers | None = None) -> "VectorEvaluator":
        """For expressions. Registers that hold some of them already save the work of adding them again."""
        registers = registers or Registers(symbols)
        return cls(registers, [registers.add(node) for node in nodes])

    def encode(self, configurations: Sequence[Mapping[str, Value]]) -> Integers:
        """Configurations as columns of whole numbers, one row for each of `self.variables`."""
        columns = [self._coded(x) for x in configurations]
        return np.array(columns, dtype=np.int64).reshape(len(configurations), len(self.variables)).T

    def _coded(self, configuration: Mapping[str, Value]) -> Sequence[int]:
        values = self._pick(configuration)
        return self._coding.codes(values) if self._has_labels else values  # type: ignore[return-value]

    @cached_property
    def _often(self) -> float:
        """After so many single evaluations, straight-line Python would have paid for itself."""
        saved = TO_STEP * len(self._steps) - TO_LINE * self._size
        return TO_COMPILE * self._size / saved if saved > 0 else math.inf

    def evaluate(self, columns: Integers) -> Integers:
        """Values of the roots (rows) for encoded configurations (columns)."""
        registers = np.empty((self._size, columns.shape[1]), dtype=np.int64)
        registers[: len(self._inputs)] = columns
        slots, values = self._constants
        registers[slots] = values[:, None]
        for step in self._steps:
            registers[step.first : step.last] = self._run(step, registers)
        return registers[self._roots]

    def _run(self, step: _Step, registers: Integers) -> npt.NDArray[np.int64] | npt.NDArray[np.bool_]:
        read = registers[step.reads]
        if step.operation is Operation.LINEAR:
            if step.factors is not None:
                read *= step.factors
            total = np.add.reduceat(read, step.starts, axis=0)
            return total if step.offsets is None else total + step.offsets
        if step.operation in REDUCTIONS:
            return REDUCTIONS[step.operation].reduceat(read, step.starts, axis=0)
        if step.operation is Operation.LOOKUP:
            assert step.factors is not None
            return self._entries[np.add.reduceat(self._keys[read + step.factors], step.starts, axis=0)]
        half = len(step.reads) // 2
        return COMPARISONS[step.operation](read[:half], read[half:])

    def one(self, configuration: Mapping[str, Value]) -> Integers:
        """Values of the roots for a single configuration."""
        values = self._coded(configuration)
        if self._straight_line is not None:
            return np.array(self._straight_line(values), dtype=np.int64)
        return self._in_arrays([values])[:, 0]

    def few(self, configurations: Sequence[Mapping[str, Value]]) -> list[list[int]]:
        """Values of the roots for each of a few configurations, as plain numbers."""
        columns = [self._coded(x) for x in configurations]
        if self._straight_line is not None:
            return [self._straight_line(values) for values in columns]
        found: list[list[int]] = self._in_arrays(columns).T.tolist()
        return found

    def _in_arrays(self, columns: Sequence[Sequence[int]]) -> Integers:
        """Values of the roots (rows) for a few configurations (columns).

        What is evaluated often enough to pay for it, and is not too long, is turned into straight-line Python.
        """
        self._singles += 1
        if self._singles > self._often and self._size <= LONG:
            self._straight_line = straight_line(self._registers, self._used, self._inputs, self._root_numbers)
        return self.evaluate(np.array(columns, dtype=np.int64).reshape(len(columns), len(self._inputs)).T)


def _step(operation: Operation, members: list[Register], first: int, position: dict[int, int]) -> _Step:
    last = first + len(members)
    if operation in COMPARISONS:
        sides = [[position[member.args[side]] for member in members] for side in (0, 1)]
        return _Step(operation, first, last, np.array(sides[0] + sides[1], dtype=np.int64), np.empty(0, np.int64))
    reads = np.array([position[arg] for member in members for arg in member.args], dtype=np.int64)
    widths = [len(member.args) for member in members]
    starts = np.array([0, *accumulate(widths[:-1])], dtype=np.int64)
    factors = np.array([factor for member in members for factor in member.factors], dtype=np.int64)[:, None]
    offsets = np.array([member.offset for member in members], dtype=np.int64)[:, None]
    linear = operation is Operation.LINEAR
    return _Step(
        operation,
        first,
        last,
        reads,
        starts,
        factors if operation is Operation.LOOKUP or (linear and bool((factors != 1).any())) else None,
        offsets if linear and bool(offsets.any()) else None,
    )


def picker(names: Sequence[str]) -> Callable[[Mapping[str, Value]], Sequence[Value]]:
    """Reads several values at once, much faster than one by one."""
    if len(names) < 2:
        return lambda x: [x[name] for name in names]
    return itemgetter(*names)
