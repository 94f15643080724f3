"""Loops that look up the members that can pass their conditions instead of testing every member.

`for q in room if (r, q) in adjacent` goes over the neighbours of r, `for q in room if row[q] == row[r] + 1` over one
row. A member is left out only where it is certain that the conditions are false for it and that finding this out would
not have failed. Members that are found are tested as ever, so what a loop yields and what it reports stay the same.
"""

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TypeAlias

from pcl_core.authoring.environment import Bindings, Budget, Expansion, as_members, bind, known_truth
from pcl_core.authoring.spelling import ExpressionError
from pcl_core.authoring.values import Expanded, Member, shape_of
from pcl_core.ir.numbers import NumberError

WORTHWHILE = 12
"""Members from which on looking up is cheaper than testing each."""

_FAILURES = (ExpressionError, NumberError)
_SINGLE = (bool, int, Decimal, str)


@dataclass(frozen=True, slots=True)
class Found:
    """Positions of members: for all others the condition is false. `total` where no member makes it fail."""

    positions: Sequence[int]
    total: bool


Test: TypeAlias = Callable[[Bindings], Found]
Prepare: TypeAlias = Callable[[ast.expr, frozenset[str]], Expansion]


@dataclass
class Narrowing:
    """The conditions of one loop over the same members each time, with other loops around it."""

    members: Expansion
    targets: tuple[str, ...]
    around: frozenset[str]
    """Variables of the loops around it."""
    conditions: Sequence[ast.expr]
    prepare: Prepare
    budget: Budget

    def __call__(self, env: Bindings) -> list[Member] | None:
        """The members that can pass, in order; None where all of them have to be looked at."""
        if self._test is None:
            return None
        positions = self._test(env).positions
        return None if positions is self._every else [self._listed[at] for at in positions]

    @property
    def helps(self) -> bool:
        return self._test is not None

    @cached_property
    def _listed(self) -> Sequence[Member]:
        return as_members(self.members.run({}))

    @cached_property
    def _every(self) -> range:
        return range(len(self._listed))

    @cached_property
    def _test(self) -> Test | None:
        try:
            if len(self._listed) < WORTHWHILE:
                return None
            return _all_of([self._condition(tree) for tree in self.conditions], self._every)
        except _FAILURES:  # a loop that tests each member says what is wrong, and where
            return None

    def _depends(self, tree: ast.AST) -> frozenset[str]:
        return names_in(tree) & (self.around | set(self.targets))

    def _of_member(self, tree: ast.AST) -> bool:
        return self._depends(tree) <= set(self.targets)

    def _of_others(self, tree: ast.AST) -> bool:
        return self._depends(tree).isdisjoint(self.targets)

    def _run(self, tree: ast.expr) -> Callable[[Bindings], Expanded]:
        return self.prepare(tree, self.around | set(self.targets)).run

    def _values(self, tree: ast.expr) -> list[Expanded]:
        """What an expression is for each of the members."""
        run, found = self._run(tree), []
        self.budget.spend(len(self._every) * sum(1 for _ in ast.walk(tree)))
        for member in self._listed:
            env: Bindings = {}
            bind(self.targets, member, env)
            found.append(run(env))
        return found

    def _condition(self, tree: ast.expr) -> Test | None:
        if self._of_others(tree):
            return self._decided(tree)
        if self._of_member(tree):
            passing = [at for at, value in enumerate(self._values(tree)) if known_truth(value, "if")]
            return lambda env: Found(passing, True)
        match tree:
            case ast.BoolOp():
                tests = [self._condition(value) for value in tree.values]
                return (_all_of if isinstance(tree.op, ast.And) else _any_of)(tests, self._every)
            case ast.UnaryOp(op=ast.Not()):
                inner = self._condition(tree.operand)
                return inner and (lambda env: Found(self._every, inner(env).total))
            case ast.Compare(left=ast.Tuple() as item, ops=[(ast.In() | ast.NotIn()) as op], comparators=[among]):
                return self._membership(item, op, among)
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                own, other = (left, right) if self._of_member(left) else (right, left)
                return self._comparison(own, op, other) if self._of_member(own) and self._of_others(other) else None
        return None

    def _decided(self, tree: ast.expr) -> Test:
        """A condition that is the same for all members."""
        run = self._run(tree)

        def test(env: Bindings) -> Found:
            try:
                return Found(self._every if known_truth(run(env), "if") else (), True)
            except _FAILURES:
                return Found(self._every, False)

        return test

    def _comparison(self, own: ast.expr, op: ast.cmpop, other: ast.expr) -> Test | None:
        """`row[q] == row[r] + 1`: members by what they are compared with. Other relations only cannot fail."""
        values = self._values(own)
        shapes = set(map(shape_of, values))
        if len(shapes) != 1 or not all(map(_comparable, values)):
            return None
        (shape,) = shapes
        if not isinstance(op, (ast.Eq, ast.NotEq)) and shape is not False:  # only numbers have an order
            return None
        at, run, every = _grouped(values), self._run(other), self._every

        def test(env: Bindings) -> Found:
            try:
                value = run(env)
            except _FAILURES:
                return Found(every, False)
            if not _comparable(value) or shape_of(value) != shape:
                return Found(every, False)
            return Found(at.get(value, ()) if isinstance(op, ast.Eq) else every, True)

        return test

    def _membership(self, item: ast.Tuple, op: ast.cmpop, among: ast.expr) -> Test | None:
        """`(r, q) in adjacent`: from the pairs of r to their second elements, and from these to the members."""
        own = [at for at, part in enumerate(item.elts) if not self._of_others(part)]
        others = [at for at in range(len(item.elts)) if at not in own]
        if self._depends(among) or not all(self._of_member(item.elts[at]) for at in own):
            return None
        sought = as_members(self._run(among)({}))
        self.budget.spend(len(sought))
        alike = [pair for pair in sought if isinstance(pair, tuple) and len(pair) == len(item.elts)]
        columns = [self._values(item.elts[at]) for at in own]
        if not alike or not all(isinstance(value, _SINGLE) for column in columns for value in column):
            return None
        positions = _grouped(zip(*columns, strict=True))
        found: dict[Expanded, list[int]] = {}
        for pair in alike:
            here = positions.get(tuple(pair[at] for at in own), ())
            found.setdefault(tuple(pair[at] for at in others), []).extend(here)
        runs, every = [self._run(item.elts[at]) for at in others], self._every

        def test(env: Bindings) -> Found:
            try:
                key = tuple(run(env) for run in runs)
            except _FAILURES:
                return Found(every, False)
            if not all(isinstance(value, _SINGLE) for value in key):
                return Found(every, False)
            return Found(sorted(set(found.get(key, ()))) if isinstance(op, ast.In) else every, True)

        return test


def names_in(tree: ast.AST) -> frozenset[str]:
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def _all_of(tests: Sequence[Test | None], every: range) -> Test | None:
    """Conditions that are read one after the other, until one is false."""
    if tests[0] is None:
        return None
    known = tests[: tests.index(None)] if None in tests else tests

    def test(env: Bindings) -> Found:
        fewest: Sequence[int] = every
        for one in known:
            assert one is not None
            found = one(env)
            if len(found.positions) < len(fewest):
                fewest = found.positions
            if not found.total:  # whether the next one is read at all depends on this one
                return Found(fewest, False)
        return Found(fewest, len(known) == len(tests))

    return test


def _any_of(tests: Sequence[Test | None], every: range) -> Test | None:
    known = [test for test in tests if test is not None]
    if len(known) < len(tests):
        return None

    def test(env: Bindings) -> Found:
        found = [one(env) for one in known]
        total = all(one.total for one in found)
        if any(one.positions is every for one in found):
            return Found(every, total)
        return Found(sorted({at for one in found for at in one.positions}), total)

    return test


def _comparable(value: Expanded) -> bool:
    return isinstance(value, (int, Decimal, str, tuple)) and not isinstance(value, bool)


def _grouped(values: Iterable[Expanded]) -> dict[Expanded, list[int]]:
    """Positions by value."""
    found: dict[Expanded, list[int]] = {}
    for at, value in enumerate(values):
        found.setdefault(value, []).append(at)
    return found
