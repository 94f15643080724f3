"""Problems written in Python.

    build = ProblemBuilder("week")
    plan = build.categorical("plan", ["run", "swim", "rest"], days, slots)
    power = build.table("power", {"run": 3, "swim": 4, "rest": 0})
    for d in days:
        build.feature(f"power[{d}]", total(power[plan[d, s]] for s in slots))
        build.part(d, [plan[d, s] for s in slots])
    problem = build.problem()

Operators do what they say: + - * on numbers, < <= > >= compare, & | ~ combine truth values. Equality is the
method `equals`, because `==` on these objects means what it means on any Python object.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from typing import Any, TypeAlias, overload

from pydantic import ValidationError

from pcl_core.authoring.grounding import indexed
from pcl_core.errors import ProblemError
from pcl_core.ir import make
from pcl_core.ir.domains import AnyVariable, BoolVariable, CategoricalVariable, IntVariable, Value
from pcl_core.ir.nodes import Key, Node, Ref, Var
from pcl_core.ir.numbers import Number, exact
from pcl_core.ir.tables import Table
from pcl_core.model.elements import Constraint, Definition, Feature, Part, Reach
from pcl_core.model.problem import Problem
from pcl_core.model.shape import issues_from_validation

Plain: TypeAlias = bool | int | float | Decimal | str
Axis: TypeAlias = Sequence[Key]
TableData: TypeAlias = "Mapping[Any, Any] | Sequence[int | float | Decimal] | int | float | Decimal"


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression under construction; hashable and compared by structure, like any value."""

    node: Node

    def __add__(self, other: "Expression | Plain") -> "Expression":
        return Expression(make.add(self.node, _node(other)))

    def __radd__(self, other: Plain) -> "Expression":
        return Expression(make.add(_node(other), self.node))

    def __sub__(self, other: "Expression | Plain") -> "Expression":
        return Expression(make.subtract(self.node, _node(other)))

    def __rsub__(self, other: Plain) -> "Expression":
        return Expression(make.subtract(_node(other), self.node))

    def __mul__(self, other: "Expression | Plain") -> "Expression":
        return Expression(make.multiply(self.node, _node(other)))

    def __rmul__(self, other: Plain) -> "Expression":
        return Expression(make.multiply(_node(other), self.node))

    def __neg__(self) -> "Expression":
        return Expression(make.linear(((-1, self.node),)))

    def __abs__(self) -> "Expression":
        return Expression(make.absolute(self.node))

    def __lt__(self, other: "Expression | Plain") -> "Expression":
        return Expression(make.compare(self.node, "<", _node(other)))

    def __le__(self, other: "Expression | Plain") -> "Expression":
        return Expression(make.compare(self.node, "<=", _node(other)))

    def __gt__(self, other: "Expression | Plain") -> "Expression":
        return Expression(make.compare(self.node, ">", _node(other)))

    def __ge__(self, other: "Expression | Plain") -> "Expression":
        return Expression(make.compare(self.node, ">=", _node(other)))

    def __and__(self, other: "Expression | bool") -> "Expression":
        return Expression(make.conjunction((self.node, _node(other))))

    def __or__(self, other: "Expression | bool") -> "Expression":
        return Expression(make.disjunction((self.node, _node(other))))

    def __invert__(self) -> "Expression":
        return Expression(make.negation(self.node))

    def __bool__(self) -> bool:
        raise TypeError("an expression has no truth value before solving; use & | ~ instead of and, or, not")

    def equals(self, other: "Expression | Plain") -> "Expression":
        return Expression(make.compare(self.node, "==", _node(other)))

    def differs(self, other: "Expression | Plain") -> "Expression":
        return Expression(make.compare(self.node, "!=", _node(other)))

    def is_in(self, values: Iterable[Key]) -> "Expression":
        return Expression(make.member(self.node, values))

    def implies(self, other: "Expression | bool") -> "Expression":
        return Expression(make.implies(self.node, _node(other)))

    def iff(self, other: "Expression | bool") -> "Expression":
        return Expression(make.iff(self.node, _node(other)))


def _node(operand: Expression | Plain) -> Node:
    return operand.node if isinstance(operand, Expression) else make.node(operand)


Operand: TypeAlias = Expression | Plain


def total(operands: Iterable[Operand]) -> Expression:
    """The sum of numbers; Python's own `sum` works too, one step at a time."""
    return Expression(make.linear((1, _node(operand)) for operand in operands))


def any_of(operands: Iterable[Operand]) -> Expression:
    return Expression(make.disjunction(map(_node, operands)))


def all_of(operands: Iterable[Operand]) -> Expression:
    return Expression(make.conjunction(map(_node, operands)))


def count(operands: Iterable[Operand]) -> Expression:
    return Expression(make.count(map(_node, operands)))


def smallest(operands: Iterable[Operand]) -> Expression:
    return Expression(make.minimum([_node(operand) for operand in operands]))


def largest(operands: Iterable[Operand]) -> Expression:
    return Expression(make.maximum([_node(operand) for operand in operands]))


def all_different(operands: Iterable[Operand]) -> Expression:
    return Expression(make.all_different(map(_node, operands)))


def choose(condition: Operand, yes: Operand, no: Operand) -> Expression:
    """`yes` where the condition holds, else `no`."""
    return Expression(make.choose(_node(condition), _node(yes), _node(no)))


@dataclass(frozen=True)
class VariableArray:
    """Variables by index: `plan["mon", 1]`."""

    name: str
    cells: Mapping[tuple[Key, ...], Expression]

    def __getitem__(self, index: Key | tuple[Key, ...]) -> Expression:
        return self.cells[index if isinstance(index, tuple) else (index,)]

    def __iter__(self) -> Iterator[Expression]:
        return iter(self.cells.values())


@dataclass(frozen=True)
class TableReader:
    """A table that is read with square brackets, at known keys or at variables."""

    table: Table

    def __getitem__(self, keys: Operand | tuple[Operand, ...]) -> Expression:
        listed = keys if isinstance(keys, tuple) else (keys,)
        return Expression(make.lookup(self.table.name, [_node(key) for key in listed]))


class ProblemBuilder:
    """Collects the pieces of a problem; `problem()` checks them and gives the immutable result."""

    def __init__(self, name: str, *, label: str = "", description: str = "", allow_shared_only: bool = False) -> None:
        self._head = {
            "name": name,
            "label": label,
            "description": description,
            "shared_only": "allow" if allow_shared_only else "refuse",
        }
        self._variables: list[AnyVariable] = []
        self._tables: list[Table] = []
        self._definitions: list[Definition] = []
        self._constraints: list[Constraint] = []
        self._features: list[Feature] = []
        self._parts: list[Part] = []
        self._initial: dict[str, Value] = {}

    @overload
    def boolean(self, name: str, *, label: str = "") -> Expression: ...
    @overload
    def boolean(self, name: str, axis: Axis, /, *axes: Axis, label: str = "") -> VariableArray: ...
    def boolean(self, name: str, *axes: Axis, label: str = "") -> VariableArray | Expression:
        """One Boolean, or an array of them; a label may use {0}, {1}, ... for the indices."""
        return self._array(name, axes, lambda full, text: BoolVariable(name=full, label=text), label)

    @overload
    def integer(self, name: str, lower: int, upper: int, *, label: str = "", unit: str = "") -> Expression: ...
    @overload
    def integer(
        self, name: str, lower: int, upper: int, axis: Axis, /, *axes: Axis, label: str = "", unit: str = ""
    ) -> VariableArray: ...
    def integer(
        self, name: str, lower: int, upper: int, *axes: Axis, label: str = "", unit: str = ""
    ) -> VariableArray | Expression:
        """One whole number between bounds, or an array of them."""

        def make_one(full: str, text: str) -> AnyVariable:
            return IntVariable(name=full, lower=lower, upper=upper, label=text, unit=unit)

        return self._array(name, axes, make_one, label)

    @overload
    def categorical(self, name: str, labels: Sequence[str], *, label: str = "") -> Expression: ...
    @overload
    def categorical(
        self, name: str, labels: Sequence[str], axis: Axis, /, *axes: Axis, label: str = ""
    ) -> VariableArray: ...
    def categorical(self, name: str, labels: Sequence[str], *axes: Axis, label: str = "") -> VariableArray | Expression:
        """One of several labels, or an array of such variables."""

        def make_one(full: str, text: str) -> AnyVariable:
            return CategoricalVariable(name=full, labels=tuple(labels), label=text)

        return self._array(name, axes, make_one, label)

    def _array(
        self, name: str, axes: tuple[Axis, ...], make_one: Callable[[str, str], AnyVariable], label: str
    ) -> VariableArray | Expression:
        cells: dict[tuple[Key, ...], Expression] = {}
        for index in product(*axes):
            full = indexed(name, index)
            with _findings():
                self._variables.append(make_one(full, label.format(*index)))
            cells[index] = Expression(Var(name=full))
        return VariableArray(name, cells) if axes else cells[()]

    def table(self, name: str, data: TableData, *axes: Axis) -> TableReader:
        """A table from nested mappings; without axes, the keys of the mappings are the axes."""
        found = axes or tuple(_axes(data))
        values = tuple(_entry(data, keys) for keys in product(*found))
        with _findings():
            made = Table(name=name, axes=tuple(tuple(axis) for axis in found), values=values)
        self._tables.append(made)
        return TableReader(made)

    def define(self, name: str, value: Operand, *, label: str = "") -> Expression:
        """Name an expression, so that it is stored, shown and computed once."""
        self._definitions.append(Definition(name=name, value=_node(value), label=label))
        return Expression(Ref(name=name))

    def constraint(self, name: str, require: Operand, *, label: str = "") -> None:
        self._constraints.append(Constraint(name=name, require=_node(require), label=label))

    def feature(
        self, name: str, value: Operand, *, label: str = "", unit: str = "", reach: Reach | None = None
    ) -> None:
        self._features.append(Feature(name=name, value=_node(value), label=label, unit=unit, reach=reach))

    def part(self, name: str, variables: Iterable[Expression], *, label: str = "") -> None:
        self._parts.append(Part(name=name, variables=_names(variables, f"part '{name}'"), label=label))

    def initial(self, variables: Expression | Iterable[Expression], value: Value) -> None:
        """Where a learner starts: the value of one variable or of several; a later call overrides an earlier one."""
        listed = [variables] if isinstance(variables, Expression) else variables
        self._initial.update(dict.fromkeys(_names(listed, "`initial`"), value))

    def problem(self) -> Problem:
        return Problem.create(
            **self._head,
            variables=tuple(self._variables),
            tables=tuple(self._tables),
            definitions=tuple(self._definitions),
            constraints=tuple(self._constraints),
            features=tuple(self._features),
            parts=tuple(self._parts),
            initial=self._initial or None,
        )


def _names(variables: Iterable[Expression], owner: str) -> tuple[str, ...]:
    nodes = [variable.node for variable in variables]
    names = tuple(node.name for node in nodes if isinstance(node, Var))
    if len(names) != len(nodes):
        raise TypeError(f"{owner} lists something that is not a variable")
    return names


@contextmanager
def _findings() -> Iterator[None]:
    """What Pydantic finds wrong with a piece, as our own error."""
    try:
        yield
    except ValidationError as error:
        raise ProblemError(issues_from_validation(error)) from None


def _axes(data: TableData) -> Iterator[tuple[Key, ...]]:
    while isinstance(data, Mapping):
        yield tuple(data)
        data = next(iter(data.values()))


def _entry(data: TableData, keys: tuple[Key, ...]) -> Number:
    for key in keys:
        assert isinstance(data, Mapping), "the data has fewer levels than the table has axes"
        data = data[key]
    return exact(data)
