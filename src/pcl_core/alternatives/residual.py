"""The residual problem of a part: its features and constraints in a context, as functions of its own variables.

Where it is the same as when a person confirmed the part, she would confirm it again: each feature of I_p is the same
function up to a constant, and nothing is allowed that was not. So parts that are too large to be listed stay confirmed.

Functions are compared by how they are written, after the context's values were put in and whatever these decide became a
constant: `cost <= 300` is false for every value of this part once the others cost 400. Equal text is an equal function;
functions that are equal in other ways are taken to differ, which asks once more and is never wrong.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

import numpy as np

from pcl_core.compile.pipeline import ContextEvaluator, Scope, scope_of
from pcl_core.ir.domains import Value
from pcl_core.ir.registers import Operation, Register
from pcl_core.model.lately import Lately
from pcl_core.model.own_rules import BoundRule
from pcl_core.model.problem import Problem

FormNumber: TypeAlias = int
"""A number for each different text of a function; only texts of the same part are compared."""
MAX_ENTRIES = 10_000
"""Look-ups that can reach more entries than this are bounded by all entries there are."""

MAX_KEPT = 1_000
"""For how many contexts the functions of a part are kept."""


@dataclass(frozen=True)
class Residual:
    """What a part is in a context."""

    part: int
    features: tuple[FormNumber, ...]
    """φ_i for i in I_p, without constants that are added"""
    constraints: Mapping[str, FormNumber]
    """Those that do not hold whatever stands there."""
    fixed: Mapping[str, Value]
    """Values of the part that are pinned."""
    rules: Mapping[BoundRule, tuple[int, ...]] = field(default_factory=dict)
    """Rules of the person's own that touch the part, with how many other parts had of what each of their groups counts."""

    def still_holds(self, now: "Residual") -> bool:
        """Whether what was best here is best `now`: the same features, and nothing is allowed that was not."""
        return (
            self.part == now.part
            and self.features == now.features
            and self.constraints.items() <= now.constraints.items()
            and self.fixed.items() <= now.fixed.items()
            and self.rules.items() <= now.rules.items()
        )


class Residuals:
    """The residual problems of a problem's parts. Several threads may use it."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._parts: dict[int, _Functions] = {}

    @classmethod
    def shared(cls, problem: Problem) -> "Residuals":
        """The one that is in use on this problem, or a new one."""
        return problem.shared.get((cls,), lambda: cls(problem))

    def of(
        self,
        part: int,
        configuration: Mapping[str, Value],
        fixed: Mapping[str, Value] | None = None,
        rules: Sequence[BoundRule] = (),
    ) -> Residual:
        """That of a part of a complete configuration, around fixed values of its own and under a person's rules."""
        with self.problem.shared.lock:  # forms are numbered as they come
            if part not in self._parts:
                subset = self.problem.structure.feature_subsets[part]
                scope = scope_of(self.problem, self.problem.parts[part].variables, subset)
                self._parts[part] = _Functions(self.problem, scope)
            features, constraints = self._parts[part].in_context(configuration)
        own = self.problem.parts[part].variables
        counted = {
            rule: tuple(group.count(configuration, own) for group in rule.groups if group.touches(own))
            for rule in rules
            if rule.touches(own)
        }
        return Residual(part, features, constraints, dict(fixed or {}), counted)


class _Reduced(NamedTuple):
    """A register in a context: how it is written, and between what it lies; `low == high` for a constant."""

    form: FormNumber
    low: int
    high: int

    @property
    def decided(self) -> bool:
        return self.low == self.high


class _Functions:
    """The registers of one part's scope."""

    def __init__(self, problem: Problem, scope: Scope) -> None:
        self._context_of = ContextEvaluator(problem, scope)
        self._registers, self._roots = scope.registers.registers, scope.registers
        self._used = self._registers.reached(scope.registers.roots)
        self._names = [problem.constraints[index].name for index in scope.constraints]
        numbers, coding = self._registers.variables, self._registers.coding
        self._own = {numbers[v.name]: coding.domain(v) for v in scope.variables if v.name in numbers}
        self._tables = [np.array(x, dtype=np.int64) for x in (self._registers.key_offsets, self._registers.entries)]
        self._forms: dict[Hashable, FormNumber] = {}
        self._seen = Lately[tuple[tuple[FormNumber, ...], dict[str, FormNumber]]](MAX_KEPT)

    def in_context(self, configuration: Mapping[str, Value]) -> tuple[tuple[FormNumber, ...], dict[str, FormNumber]]:
        values = self._context_of(configuration)
        return self._seen.get(tuple(values.values()), lambda: self._reduced(values))

    def _reduced(self, context: Mapping[str, Value]) -> tuple[tuple[FormNumber, ...], dict[str, FormNumber]]:
        known = {number: _Reduced(self._form("own", number), *_ends(codes)) for number, codes in self._own.items()}
        numbers, coding = self._registers.variables, self._registers.coding
        known |= {numbers[name]: self._constant(coding.code(v)) for name, v in context.items() if name in numbers}
        for register in self._used:
            if register.operation is not Operation.VARIABLE:
                known[register.number] = self._of(register, [known[arg] for arg in register.args])
        features = tuple(self._without_constant(self._registers.items[at], known) for at in self._roots.features)
        constraints = zip(self._names, self._roots.constraints, strict=True)
        return features, {name: known[at].form for name, at in constraints if not known[at].low}

    def _form(self, *text: Hashable) -> FormNumber:
        return self._forms.setdefault(text, len(self._forms))

    def _constant(self, value: int) -> _Reduced:
        return _Reduced(self._form("constant", value), value, value)

    def _without_constant(self, root: Register, known: Mapping[int, _Reduced]) -> FormNumber:
        """A feature; its constant is left out."""
        whole = known[root.number]
        if whole.decided:
            return self._constant(0).form
        if root.operation is not Operation.LINEAR:
            return self._linear(Register(0, Operation.LINEAR, factors=(1,)), [whole]).form
        return self._linear(root._replace(offset=0), [known[arg] for arg in root.args], constants=False).form

    def _of(self, register: Register, args: Sequence[_Reduced]) -> _Reduced:
        operation = register.operation
        if operation is Operation.CONSTANT:
            return self._constant(register.offset)
        if operation is Operation.LINEAR:
            return self._linear(register, args)
        if operation is Operation.LOOKUP:
            low, high = self._entry_bounds(register, args)
        elif operation is Operation.PRODUCT:
            low = high = 1
            for arg in args:
                ends = [a * b for a in (low, high) for b in (arg.low, arg.high)]
                low, high = min(ends), max(ends)
        elif operation in (Operation.MIN, Operation.MAX):
            pick = min if operation is Operation.MIN else max
            low, high = pick(arg.low for arg in args), pick(arg.high for arg in args)
            args = _needed(args, low, high, smallest=operation is Operation.MIN)
            if len(args) == 1:
                return args[0]
        else:
            low, high = _compared(operation, *args)
        if low == high:
            return self._constant(low)
        text = tuple(arg.form for arg in args)
        return _Reduced(self._form(operation, text, register.factors, register.offset), low, high)

    def _linear(self, register: Register, args: Sequence[_Reduced], constants: bool = True) -> _Reduced:
        terms = list(zip(register.factors, args, strict=True))
        offset = register.offset + (sum(factor * arg.low for factor, arg in terms if arg.decided) if constants else 0)
        free = [(factor, arg) for factor, arg in terms if not arg.decided and factor]
        if not free:
            return self._constant(offset)
        low = offset + sum(min(factor * arg.low, factor * arg.high) for factor, arg in free)
        high = offset + sum(max(factor * arg.low, factor * arg.high) for factor, arg in free)
        text = tuple((factor, arg.form) for factor, arg in free)
        return _Reduced(self._form(Operation.LINEAR, text, offset), low, high)

    def _entry_bounds(self, register: Register, args: Sequence[_Reduced]) -> tuple[int, int]:
        keys, entries = self._tables
        reach: list[Sequence[int]] = [
            self._own.get(number, range(arg.low, arg.high + 1)) for number, arg in zip(register.args, args, strict=True)
        ]
        if math.prod(map(len, reach)) > MAX_ENTRIES:
            return int(entries.min()), int(entries.max())
        at = np.zeros(1, dtype=np.int64)
        for factor, values in zip(register.factors, reach, strict=True):
            # Bounds of a key can be wider than its axis; entries beside it widen the result, which is no harm.
            starts = keys[np.clip(np.array(values, dtype=np.int64) + factor, 0, len(keys) - 1)]
            at = (at[:, None] + starts[None, :]).reshape(-1)
        found = entries[np.clip(at, 0, len(entries) - 1)]
        return int(found.min()), int(found.max())


def _ends(codes: Sequence[int]) -> tuple[int, int]:
    """The least and the greatest; those of a range without going through it."""
    return (codes[0], codes[-1]) if isinstance(codes, range) else (min(codes), max(codes))


def _needed(args: Sequence[_Reduced], low: int, high: int, smallest: bool) -> list[_Reduced]:
    """The arguments of a minimum (maximum) between these bounds that can be it: one that always is as small, and rivals."""
    if smallest:
        first = next(at for at, arg in enumerate(args) if arg.high == high)
        return [arg for at, arg in enumerate(args) if at == first or arg.low < high]
    first = next(at for at, arg in enumerate(args) if arg.low == low)
    return [arg for at, arg in enumerate(args) if at == first or arg.high > low]


def _compared(operation: Operation, left: _Reduced, right: _Reduced) -> tuple[int, int]:
    """Bounds of a comparison: (1, 1) or (0, 0) where the intervals decide it."""
    if operation in (Operation.EQ, Operation.NE):
        same = left.decided and right.decided and left.low == right.low
        apart = left.high < right.low or right.high < left.low
        return (int(same), int(not apart)) if operation is Operation.EQ else (int(apart), int(not same))
    if operation is Operation.LT:
        return int(left.high < right.low), int(left.low < right.high)
    return int(left.high <= right.low), int(left.low <= right.high)
