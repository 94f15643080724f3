"""All that may stand in one part of a configuration, with its features in exact units.

    listing = Listing(problem)
    found = listing.of(part, configuration, pins)      # None: too many to list
    found.units[row]                                   # φ_I of that alternative, whole units

What follows from the part's own variables alone is computed once; a new context costs the rest, over the points that
look different to it. Those who work on a problem share that (`Listing.shared`), and what was listed lately.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pcl_core.compile.pipeline import ContextEvaluator, Scope, scope_of
from pcl_core.ir.coding import place_of, value_at
from pcl_core.ir.domains import AnyVariable, Value
from pcl_core.ir.nodes import Var
from pcl_core.ir.registers import Operation
from pcl_core.ir.vector import Integers, VectorEvaluator
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Indices, distinct
from pcl_core.model.lately import Lately
from pcl_core.model.own_rules import BoundRule
from pcl_core.model.problem import Problem

MAX_LISTED = 2**17
"""Parts with more allowed values than this, by their own constraints alone, are not listed."""
MAX_GROWN = 2**20
"""Nor are those with more combinations on the way there."""
CHUNK = 2**12
"""Points evaluated together: enough to amortise the calls, few enough for their registers to stay in the cache."""

MAX_KEPT, ROWS_KEPT = 8, 2**16
"""How many listings of a part are kept, and how many alternatives in all of them; two are kept however large they are."""

POINTS_KEPT, POINTS_BESIDE = 2**24, 2**9
"""How many points of all parts are kept, about a gigabyte; what is kept of a part beside its points is worth so many."""
MANY_PARTS, KEPT_OF_MANY = 64, 2
"""Of a part among many, so many listings are kept: all of it would take gigabytes."""

ValuePositions = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Alternatives:
    """What constraints and pins allow in a part, in the lexicographic order of its variables."""

    variables: tuple[AnyVariable, ...]
    positions: ValuePositions
    """A row for each alternative, a column for each variable: the value's place in its domain."""
    units: Integers
    """A row for each alternative, a column for each feature of I_p, in whole units."""
    standing: int | None
    """Which row is what stands there now; None if that is not allowed."""

    def __len__(self) -> int:
        return len(self.positions)

    def values(self, row: int) -> Configuration:
        """x_p: the part's values in one alternative."""
        return {
            variable.name: value_at(variable, place)
            for variable, place in zip(self.variables, self.positions[row].tolist(), strict=True)
        }

    def changes(self, values: Mapping[str, Value]) -> npt.NDArray[np.int64]:
        """For each alternative, how many of these values it does not have; those of other parts do not count."""
        columns = [column for column, variable in enumerate(self.variables) if variable.name in values]
        wanted = [place_of(self.variables[column], values[self.variables[column].name]) for column in columns]
        return np.asarray((self.positions[:, columns] != np.array(wanted, dtype=np.int32)).sum(axis=1), dtype=np.int64)

    @cached_property
    def offered(self) -> dict[str, tuple[Value, ...]]:
        """For each variable the values that it has in some alternative, in the order of its domain."""
        return {
            variable.name: tuple(
                value_at(variable, place) for place in np.flatnonzero(np.bincount(self.positions[:, column])).tolist()
            )
            for column, variable in enumerate(self.variables)
        }

    @cached_property
    def kinds(self) -> tuple[Indices, Indices]:
        """Alternatives with equal features are of one kind: the first row of each kind, and for each row its kind."""
        return distinct(self.units)

    @cached_property
    def differences(self) -> Integers:
        """φ_I(x′) − φ_I(x) for every alternative x′ to what stands, each vector once; zero is left out."""
        if self.standing is None:
            raise ValueError("what stands there is not allowed, so nothing differs from it")
        some = self.units[self.kinds[0]] - self.units[self.standing]
        return np.asarray(some[some.any(axis=1)], dtype=np.int64)


def obeying(rules: Sequence[BoundRule], alternatives: Alternatives, configuration: Mapping[str, Value]) -> Alternatives:
    """The alternatives to a part of a configuration that rules of a person's own allow."""
    if not rules:
        return alternatives
    column_of = {variable.name: at for at, variable in enumerate(alternatives.variables)}
    allowed = np.ones(len(alternatives), dtype=np.bool_)
    for group in (group for rule in rules for group in rule.groups if group.touches(column_of)):
        count = np.full(len(alternatives), group.count(configuration, column_of), dtype=np.int64)
        for name, values in group.wanted:
            if name in column_of:
                variable = alternatives.variables[column_of[name]]
                wanted = np.array([place_of(variable, value) for value in values])
                count += np.isin(alternatives.positions[:, column_of[name]], wanted)
        allowed &= (count >= group.least) & (count <= group.most)
    if allowed.all():
        return alternatives
    at = alternatives.standing
    standing = None if at is None or not allowed[at] else int(allowed[:at].sum())
    return Alternatives(alternatives.variables, alternatives.positions[allowed], alternatives.units[allowed], standing)


class Listing:
    """Lists the alternatives of a problem's parts; what was prepared for a part is kept. Several threads may use it."""

    def __init__(self, problem: Problem, most: int = MAX_LISTED) -> None:
        self.problem = problem
        self.prepared = 0
        """For how many parts the points were listed so far."""
        self._most = most
        self._parts = Lately["_Part | None"](POINTS_KEPT, _size)

    @classmethod
    def shared(cls, problem: Problem) -> "Listing":
        """The one that is in use on this problem, or a new one."""
        return problem.shared.get((cls,), lambda: cls(problem))

    def of(
        self,
        part: int,
        configuration: Mapping[str, Value],
        fixed: Mapping[str, Value] | None = None,
        rules: Sequence[BoundRule] = (),
    ) -> Alternatives | None:
        """Everything that may stand in a part of a complete configuration around fixed values of its own.

        Rules of the person's own leave some of it out. None means that there is too much of it.
        """
        found = self._parts.get(part, lambda: self._prepared(part))
        return None if found is None else found.listed(configuration, fixed or {}, rules)

    def _prepared(self, part: int) -> "_Part | None":
        with self.problem.shared.lock:  # one thread prepares it, and others wait for that
            return self._parts.get(part, lambda: self._part(part))

    def _part(self, part: int) -> "_Part | None":
        self.prepared += 1
        subset = self.problem.structure.feature_subsets[part]
        scope = scope_of(self.problem, self.problem.parts[part].variables, subset)
        own = _Own(scope)
        positions = own.grown(self._most)
        if positions is None:
            return None
        kept = MAX_KEPT if len(self.problem.parts) <= MANY_PARTS else KEPT_OF_MANY
        return _Part(own, positions, ContextEvaluator(self.problem, scope), kept)


class _Own:
    """The registers of one part, and which of them its own variables decide."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.registers = scope.registers.registers.copied()
        self._inputs = [self.registers.add(Var(name=variable.name)) for variable in scope.variables]
        domains = map(self.registers.coding.domain, scope.variables)
        # A whole number may have too many codes to be written out.
        self._codes = [codes if isinstance(codes, range) else np.array(codes, dtype=np.int64) for codes in domains]
        self._known: dict[int, bool] = {}

    def decide(self, number: int) -> bool:
        """Whether a register is the same in every context."""
        if number not in self._known:
            register = self.registers.items[number]
            if register.operation is Operation.VARIABLE:
                self._known[number] = number in self._inputs
            else:
                self._known[number] = all(self.decide(arg) for arg in register.args)
        return self._known[number]

    def evaluated(self, roots: Sequence[int], positions: ValuePositions) -> Integers:
        """Registers that own variables decide (rows) at points (columns) that may lack the last variables."""
        evaluator = VectorEvaluator(self.registers, roots, self._inputs[: len(positions)])
        found = np.empty((len(roots), positions.shape[1]), dtype=np.int64)
        for start in range(0, positions.shape[1] if roots else 0, CHUNK):
            piece = positions[:, start : start + CHUNK]
            columns = np.empty(piece.shape, dtype=np.int64)
            for row, codes in enumerate(self._codes[: len(piece)]):
                if isinstance(codes, range):
                    np.add(piece[row], codes.start, out=columns[row], dtype=np.int64)
                else:
                    columns[row] = codes[piece[row]]
            found[:, start : start + CHUNK] = evaluator.evaluate(columns)
        return found

    def grown(self, most: int) -> ValuePositions | None:
        """The points that own constraints allow, a row for each variable; each prunes once its variables have values."""
        at = {number: position for position, number in enumerate(self._inputs)}
        stages: list[list[int]] = [[] for _ in at]
        for root in filter(self.decide, self.scope.registers.constraints):
            mentioned = [at[it.number] for it in self.registers.reached([root]) if it.number in at]
            stages[max(mentioned, default=0)].append(root)
        grown = np.zeros((0, 1), dtype=np.int32)
        if any(variable.size > MAX_GROWN for variable in self.scope.variables):
            return None
        for variable, roots in zip(self.scope.variables, stages, strict=True):
            if grown.shape[1] * variable.size > MAX_GROWN:
                return None
            values = np.tile(np.arange(variable.size, dtype=np.int32), grown.shape[1])
            grown = np.vstack([np.repeat(grown, variable.size, axis=1), values])
            if roots:
                grown = grown.compress(self.evaluated(roots, grown).all(axis=0), axis=1)
        return grown if grown.shape[1] <= most else None


class _Part:
    """The points of one part, and what a context adds."""

    def __init__(self, own: _Own, positions: ValuePositions, context: ContextEvaluator, most: int) -> None:
        self._variables, self._positions, self._context_of = own.scope.variables, positions, context
        self.points = positions.shape[1]
        registers, roots, count = own.registers, own.scope.registers.roots, len(own.scope.features)
        known = [at for at in range(count) if own.decide(roots[at])]
        mixed = [at for at, root in enumerate(roots) if not own.decide(root)]
        self._mixed_features = [at for at in mixed if at < count]
        self._units = np.zeros((count, positions.shape[1]), dtype=np.int64)
        self._units[known] = own.evaluated([roots[at] for at in known], positions)
        separated, early = registers.separated([roots[at] for at in mixed], own.decide)
        reached = {register.number for register in registers.reached(separated, early)}
        names = [value.variable.name for value in own.scope.context]
        self._context = [name for name in names if registers.variables.get(name) in reached]
        self._coding = registers.coding
        inputs = [*early, *(registers.variables[name] for name in self._context)]
        self._evaluator = VectorEvaluator(registers, separated, inputs)
        # Points that look the same to what the context has a say in are evaluated once.
        looks = own.evaluated(early, positions)
        first, self._spread = distinct(looks.T)
        self._template = np.zeros((len(inputs), len(first)), dtype=np.int64)
        self._template[: len(early)] = looks[:, first]
        self._radix = _radix([variable.size for variable in self._variables])
        self._keys = None if self._radix is None else self._radix @ positions
        self._names = frozenset(variable.name for variable in self._variables)
        self._lately = Lately[Alternatives](max(2, min(most, ROWS_KEPT // max(1, positions.shape[1]))))

    def listed(
        self, configuration: Mapping[str, Value], fixed: Mapping[str, Value], rules: Sequence[BoundRule]
    ) -> Alternatives:
        """The alternatives; the same object again where nothing is different that this part can see."""
        seen = self._context_of(configuration)
        context = tuple(seen[name] for name in self._context)
        own = tuple(configuration[variable.name] for variable in self._variables)
        pins = tuple((name, value) for name, value in fixed.items() if name in self._names)
        touching = [(rule, group) for rule in rules for group in rule.groups if group.touches(self._names)]
        counts = tuple((rule, group.count(configuration, self._names)) for rule, group in touching)

        def alternatives() -> Alternatives:
            return obeying(rules, self._alternatives(configuration, context, dict(pins)), configuration)

        return self._lately.get((context, own, pins, counts), alternatives)

    def _alternatives(
        self, configuration: Mapping[str, Value], context: Sequence[Value], fixed: Mapping[str, Value]
    ) -> Alternatives:
        rows = self._template.copy()
        for row, value in enumerate(context, len(rows) - len(context)):
            rows[row] = self._coding.code(value)
        found, mixed = self._evaluator.evaluate(rows), len(self._mixed_features)
        allowed = np.asarray(found[mixed:].all(axis=0), dtype=np.bool_)[self._spread]
        for variable, column in zip(self._variables, self._positions, strict=True):
            if variable.name in fixed:
                allowed &= column == place_of(variable, fixed[variable.name])
        if allowed.all():
            positions, units, keys, spread = self._positions, self._units.copy(), self._keys, self._spread
        else:
            positions, units = self._positions.compress(allowed, axis=1), self._units.compress(allowed, axis=1)
            keys, spread = None if self._keys is None else self._keys.compress(allowed), self._spread.compress(allowed)
        units[self._mixed_features] = found[:mixed].take(spread, axis=1)
        return Alternatives(self._variables, positions.T, units.T, self._row(configuration, positions, keys))

    def _row(self, configuration: Mapping[str, Value], positions: ValuePositions, keys: Integers | None) -> int | None:
        here = np.array([place_of(variable, configuration[variable.name]) for variable in self._variables])
        if keys is None or self._radix is None:
            rows = np.flatnonzero((positions == here[:, None]).all(axis=0))
            return int(rows[0]) if len(rows) else None
        key = int(self._radix @ here)
        at = int(np.searchsorted(keys, key))
        return at if at < len(keys) and keys[at] == key else None


def _size(part: _Part | None) -> int:
    return 1 if part is None else POINTS_BESIDE + part.points


def _radix(sizes: Sequence[int]) -> Integers | None:
    """What makes one number of the places of a point, in the order of points; None where such numbers are too large.

    A part with few alternatives may have very many combinations: its constraints leave few of them.
    """
    if math.prod(sizes) >= 2**63:
        return None
    return np.array([math.prod(sizes[at + 1 :]) for at in range(len(sizes))], dtype=np.int64)
