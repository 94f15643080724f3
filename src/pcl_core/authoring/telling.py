"""What is proven of expressions by looking at all their values: which values of a variable they tell apart, and whether
they are ever false.

Work is bounded. What is not proven within the bound is not known: nothing here is ever guessed.
"""

import math
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from pcl_core.ir.nodes import Node, Var
from pcl_core.ir.registers import Operation
from pcl_core.ir.vector import VectorEvaluator
from pcl_core.model.problem import Problem

MAX_POINTS = 2**12
"""Combinations of values over which an expression is computed."""
MAX_WORK = 100_000
"""Registers that are looked at, and computing as much as that takes, before all else stays unknown: about a second."""

Classes = npt.NDArray[np.int64]
"""For each value of a variable a number; values with the same number are not told apart."""


class OutOfWorkError(Exception):
    """The bound is reached."""


class Telling:
    """Looks at the expressions of one problem."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._registers = problem.registers.copied()
        self._sizes = {self._registers.add(Var(name=it.name)): it.size for it in problem.variables}
        self._names = {number: name for name, number in self._registers.variables.items()}
        self._supports: dict[int, frozenset[int] | None] = {}
        self._work = MAX_WORK
        self._features: dict[int, int] = {}

    def feature(self, position: int) -> int:
        """The register of a feature."""
        if position not in self._features:
            self._features[position] = self._added(self._problem.features[position].value)
        return self._features[position]

    def truths(self, position: int) -> frozenset[bool] | None:
        """Which values a constraint takes over all combinations of values; None if these are too many."""
        facts = self._problem.inference.facts(self._problem.constraints[position].require)
        if facts.low == facts.high:
            return frozenset({bool(facts.low)})
        root = self._added(self._problem.constraints[position].require)
        support = self._support(root)
        if support is None or self._points(support) > MAX_POINTS:
            return None
        return frozenset(map(bool, np.unique(self._computed(root, sorted(support))).tolist()))

    def allowed(self, name: str) -> npt.NDArray[np.bool_]:
        """Which values of a variable the constraints on it alone allow."""
        variable = self._problem.symbols.variables[name]
        found = np.ones(variable.size, dtype=np.bool_)
        for position in self._problem.constraints_of_variable[name]:
            require = self._problem.constraints[position].require
            if len(self._problem.symbols.free_variables(require)) == 1:
                root = self._added(require)
                found &= self._computed(root, [self._registers.variables[name]]).astype(np.bool_)
        return found

    def classes(self, name: str, features: Iterable[int]) -> Classes:
        """Which values of a variable no feature tells apart, whatever the other variables are.

        Two values are of one class only if that is proven: every expression that both enter is computed over all its
        values where these are few, and else tells apart what one of its arguments tells apart.
        """
        variable = self._problem.symbols.variables[name]
        found = np.zeros(variable.size, dtype=np.int64)
        known: dict[int, Classes] = {}
        for position in features:
            root = self.feature(position)
            found = _refined([found, self._classes(root, self._registers.variables[name], known)])
            if found.max(initial=0) + 1 == variable.size:
                break
        return found

    def _classes(self, root: int, variable: int, known: dict[int, Classes]) -> Classes:
        size, pending, inner = self._sizes[variable], [root], set[int]()
        while pending:  # from the top down: what has few values is computed as a whole
            number = pending.pop()
            if number in known or number in inner:
                continue
            self._spend(1)
            support = self._support(number)
            if support is None:
                inner.add(number)
                pending += self._registers.items[number].args
            elif variable in support:
                others = sorted(support - {variable})
                known[number] = _rows(self._computed(number, [variable, *others]).reshape(size, -1))
            else:
                known[number] = np.zeros(size, dtype=np.int64)
        for number in sorted(inner):  # arguments come before what is computed from them
            known[number] = _refined([known[arg] for arg in dict.fromkeys(self._registers.items[number].args)])
        return known[root]

    def _computed(self, root: int, inputs: Sequence[int]) -> npt.NDArray[np.int64]:
        """An expression at every combination of the values of its variables; the last one varies fastest."""
        points = self._points(inputs)
        self._spend(20 + points // 50 + len(self._sizes) // 20)  # an evaluator goes through all names
        domains = [self._codes(number) for number in inputs]
        grid = np.meshgrid(*domains, indexing="ij") if domains else []
        columns = np.array([axis.ravel() for axis in grid], dtype=np.int64).reshape(len(inputs), points)
        evaluator = VectorEvaluator(self._registers, [root], inputs)
        return np.asarray(evaluator.evaluate(columns)[0], dtype=np.int64)

    def _codes(self, number: int) -> npt.NDArray[np.int64]:
        variable = self._problem.symbols.variables[self._names[number]]
        return np.array(self._registers.coding.domain(variable), dtype=np.int64)

    def _points(self, variables: Iterable[int]) -> int:
        return math.prod(self._sizes[number] for number in variables)

    def _support(self, root: int) -> frozenset[int] | None:
        """The variables that an expression is computed from; None if they are too many to be of use."""
        for register in self._registers.reached([root], self._supports):
            if register.number not in self._supports:
                self._spend(1)
                self._supports[register.number] = self._support_of(register.number)
        return self._supports[root]

    def _support_of(self, number: int) -> frozenset[int] | None:
        register = self._registers.items[number]
        if register.operation is Operation.VARIABLE:
            return frozenset((number,))
        below = [self._supports[arg] for arg in register.args]
        if any(it is None for it in below):
            return None
        found = frozenset[int]().union(*(it for it in below if it is not None))
        return found if self._points(found) <= MAX_POINTS else None

    def _added(self, node: Node) -> int:
        before = len(self._registers.items)
        number = self._registers.add(node)
        self._spend(1 + len(self._registers.items) - before)
        return number

    def _spend(self, work: int) -> None:
        self._work -= work
        if self._work < 0:
            raise OutOfWorkError


def _rows(table: npt.NDArray[np.int64]) -> Classes:
    """Equal rows have the same number."""
    return np.asarray(np.unique(table, axis=0, return_inverse=True)[1].reshape(-1), dtype=np.int64)


def _refined(all_classes: Sequence[Classes]) -> Classes:
    """Values of one class in all of these."""
    return all_classes[0] if len(all_classes) == 1 else _rows(np.stack(all_classes, axis=1))
