"""Problems written in Python.

    build = ProblemBuilder("week")
    plan = build.categorical("plan", ["run", "swim", "rest"], days, slots)
    power = build.table("power", {"run": 3, "swim": 4, "rest": 0})
    for d in days:
        build.constraint(f"rest[{d}]", any_of(plan[d, s] == "rest" for s in slots))
        build.feature(f"power[{d}]", total(power[plan[d, s]] for s in slots))
        build.part(d, [plan[d, s] for s in slots])
    problem = build.problem()

What operators and functions make of variables is in `symbolic`; tables are in `table_data`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, TypeAlias, overload

from pcl_core.authoring import arguments
from pcl_core.authoring.refusing import refuse, refuse_operators
from pcl_core.authoring.symbolic import Expression, Operand, constant, kind_of, term, truth
from pcl_core.authoring.table_data import TableData, table_of
from pcl_core.authoring.values import indexed
from pcl_core.errors import Code
from pcl_core.ir import make
from pcl_core.ir.domains import AnyVariable, BoolVariable, CategoricalVariable, IntVariable, Kind, Value
from pcl_core.ir.language import children
from pcl_core.ir.nodes import Const, Key, Label, Lookup, Node, Ref, Var
from pcl_core.ir.symbols import Table
from pcl_core.model.elements import Constraint, Definition, Feature, Part, Reach
from pcl_core.model.problem import Problem

Keys: TypeAlias = Sequence[Key]


@dataclass(frozen=True, eq=False)
class VariableArray:
    """Variables by index: `plan["mon", 1]`."""

    name: str
    axes: tuple[tuple[Key, ...], ...]
    cells: Mapping[tuple[Key, ...], Expression]

    described = "an array of variables"

    def __getitem__(self, index: Key | tuple[Key, ...]) -> Expression:
        given = index if isinstance(index, tuple) else (index,)
        for part in given:
            if isinstance(part, (Expression, slice)):
                hint = "loop over the indices in Python, or read a table at a decision"
                raise arguments.misuse(f"'{self.name}' is read at known indices, one at a time", hint)
        at = tuple(arguments.key(part, f"an index of '{self.name}'") for part in given)
        found = self.cells.get(at)
        if found is None:
            raise arguments.absent(self.name, self.axes, at, Code.INDEX_OUTSIDE_SET)
        return found

    def __iter__(self) -> Iterator[Expression]:
        return iter(self.cells.values())

    def __reversed__(self) -> Iterator[Expression]:
        return reversed(list(self.cells.values()))

    def __len__(self) -> int:
        return len(self.cells)


@dataclass(frozen=True, eq=False)
class TableReader:
    """A table that is read with square brackets, at known keys or at variables."""

    table: Table

    described = "a table"

    def __getitem__(self, keys: Operand | tuple[Operand, ...]) -> Expression:
        """The entry: a number where all keys are known, else a look-up."""
        name, axes = self.table.name, self.table.axes
        given = keys if isinstance(keys, tuple) else (keys,)
        nodes = [self._key(part) for part in given]
        held = [node.value for node in nodes if isinstance(node, (Const, Label))]
        known = tuple(arguments.key(value, f"a key of table '{name}'") for value in held)
        if len(nodes) != len(axes):
            raise arguments.absent(name, axes, (0,) * len(nodes), Code.LOOKUP_OUTSIDE_TABLE)
        fixed = [axis for axis, node in zip(axes, nodes, strict=True) if isinstance(node, (Const, Label))]
        if any(key not in axis for key, axis in zip(known, fixed, strict=True)):
            raise arguments.absent(name, tuple(fixed), known, Code.LOOKUP_OUTSIDE_TABLE)
        if len(known) == len(axes):
            return constant(self.table.at(known))
        return Expression(make.lookup(name, nodes), Kind.NUMBER)

    def _key(self, part: object) -> Node:
        if isinstance(part, Expression):
            return part.node
        return make.node(arguments.key(part, f"a key of table '{self.table.name}'"))


if not TYPE_CHECKING:
    refuse_operators(VariableArray, "an array of variables", "take one of them: x[...], or loop over it")
    refuse_operators(TableReader, "a table", "read one of its entries: t[...]")
    refuse(TableReader, ("iter", "len", "contains"), "a table is no list", "loop over the keys: t[key] for key in ...")


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
    def boolean(self, name: str, axis: Keys, /, *axes: Keys, label: str = "") -> VariableArray: ...
    def boolean(self, name: str, *axes: Keys, label: str = "") -> VariableArray | Expression:
        """One Boolean, or an array of them; a label may use {0}, {1}, ... for the indices."""
        return self._array(name, axes, lambda full, text: BoolVariable(name=full, label=text), label)

    @overload
    def integer(self, name: str, lower: int, upper: int, *, label: str = "", unit: str = "") -> Expression: ...
    @overload
    def integer(
        self, name: str, lower: int, upper: int, axis: Keys, /, *axes: Keys, label: str = "", unit: str = ""
    ) -> VariableArray: ...
    def integer(
        self, name: str, lower: int, upper: int, *axes: Keys, label: str = "", unit: str = ""
    ) -> VariableArray | Expression:
        """One whole number between bounds, or an array of them."""
        low, high = (arguments.whole(bound, f"a bound of variable '{name}'") for bound in (lower, upper))

        def make_one(full: str, text: str) -> AnyVariable:
            return IntVariable(name=full, lower=low, upper=high, label=text, unit=unit)

        return self._array(name, axes, make_one, label)

    @overload
    def categorical(self, name: str, labels: Sequence[str], *, label: str = "") -> Expression: ...
    @overload
    def categorical(
        self, name: str, labels: Sequence[str], axis: Keys, /, *axes: Keys, label: str = ""
    ) -> VariableArray: ...
    def categorical(self, name: str, labels: Sequence[str], *axes: Keys, label: str = "") -> VariableArray | Expression:
        """One of several labels, or an array of such variables."""
        domain = arguments.keys(labels, f"the domain of variable '{name}'", "labels")
        for member in domain:
            if not isinstance(member, str):
                hint = "for whole numbers use build.integer"
                raise arguments.misuse(f"a label of variable '{name}' is text, not {arguments.described(member)}", hint)

        def make_one(full: str, text: str) -> AnyVariable:
            return CategoricalVariable(name=full, labels=tuple(map(str, domain)), label=text)

        return self._array(name, axes, make_one, label)

    def _array(
        self, name: str, axes: tuple[Keys, ...], make_one: Callable[[str, str], AnyVariable], label: str
    ) -> VariableArray | Expression:
        owner = f"variable '{arguments.text(name, 'the name of a variable')}'"
        known = tuple(arguments.keys(axis, f"an axis of {owner}", "labels or whole numbers") for axis in axes)
        cells: dict[tuple[Key, ...], Expression] = {}
        for index in product(*known):
            full = indexed(name, index)
            with arguments.findings(f"variable '{full}'"):
                made = make_one(full, arguments.filled(label, index, owner))
            self._variables.append(made)
            cells[index] = Expression(Var(name=full), made.kind)
        return VariableArray(name, known, cells) if axes else cells[()]

    def table(self, name: str, data: TableData, *axes: Keys) -> TableReader:
        """A table from nested mappings; without axes, the keys of the mappings are the axes."""
        made = table_of(arguments.text(name, "the name of a table"), data, axes)
        self._tables.append(made)
        return TableReader(made)

    def define(self, name: str, value: Expression, *, label: str = "") -> Expression:
        """Name an expression, so that it is stored, shown and computed once."""
        owner = f"definition '{name}'"
        with arguments.findings(owner):
            self._definitions.append(Definition(name=name, value=term(value, owner), label=label))
            return Expression(Ref(name=name), kind_of(value))

    def constraint(self, name: str, require: Expression, *, label: str = "") -> None:
        """What must be true: an expression, never a truth value of Python."""
        owner = f"constraint '{name}'"
        with arguments.findings(owner):
            self._constraints.append(Constraint(name=name, require=truth(require, owner), label=label))

    def feature(
        self, name: str, value: Expression, *, label: str = "", unit: str = "", reach: Reach | None = None
    ) -> None:
        owner = f"feature '{name}'"
        with arguments.findings(owner):
            made = Feature(name=name, value=term(value, owner), label=label, unit=unit, reach=reach)
            self._features.append(made)

    def part(self, name: str, variables: Expression | Iterable[Expression], *, label: str = "") -> None:
        """What is shown and improved together: one variable, or several."""
        owner = f"part '{name}'"
        with arguments.findings(owner):
            self._parts.append(Part(name=name, variables=_names(variables, owner), label=label))

    def initial(self, variables: Expression | Iterable[Expression], value: Value) -> None:
        """Where a learner starts: the value of one variable or of several; a later call overrides an earlier one."""
        known = arguments.plain(value)
        if not isinstance(known, (bool, int, str)):
            sorts = "true or false, a whole number or a label"
            raise arguments.misuse(f"an initial value is {sorts}, not {arguments.described(value)}")
        self._initial.update(dict.fromkeys(_names(variables, "`initial`"), known))

    def problem(self) -> Problem:
        """The problem; everything that is wrong between its pieces is found here, at once."""
        read = self._tables_read()
        return Problem.create(
            **self._head,
            variables=tuple(self._variables),
            tables=tuple(table for table in self._tables if table.name in read),
            definitions=tuple(self._definitions),
            constraints=tuple(self._constraints),
            features=tuple(self._features),
            parts=tuple(self._parts),
            initial=self._initial or None,
        )

    def _tables_read(self) -> set[str]:
        """The tables that some expression reads at a decision; as in files, others were only data."""
        found: set[str] = set()
        pending: list[Node] = [definition.value for definition in self._definitions]
        pending += [constraint.require for constraint in self._constraints]
        pending += [feature.value for feature in self._features]
        while pending:
            node = pending.pop()
            if isinstance(node, Lookup):
                found.add(node.table)
            pending.extend(children(node))
        return found


def _names(variables: object, owner: str) -> tuple[str, ...]:
    members = [variables] if isinstance(variables, Expression) else arguments.listed(variables, owner, "variables")
    names: list[str] = []
    for member in members:
        if not isinstance(member, Expression) or not isinstance(member.node, Var):
            hint = "write *x for the variables of an array x" if isinstance(member, VariableArray) else None
            raise arguments.misuse(
                f"{owner} lists variables, and {arguments.described(member)} is not a variable", hint
            )
        names.append(member.node.name)
    return tuple(names)
