"""Numbers as forms and truth values as literals: the expressions of a scope, term by term."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import product

from pcl_core.compile.context import Split
from pcl_core.compile.flat import Form, Literal, Truth, add, negated, total, truth_form
from pcl_core.compile.flat_builder import FlatBuilder
from pcl_core.ir.coding import VariableColumns, column_specs
from pcl_core.ir.domains import AnyVariable, is_labelled
from pcl_core.ir.language import decomposed, is_logical
from pcl_core.ir.nodes import (
    And,
    Cmp,
    Const,
    In,
    Key,
    Label,
    Lookup,
    Max,
    Min,
    Node,
    Not,
    Or,
    Product,
    Ref,
    Sum,
    Var,
)
from pcl_core.ir.numbers import Number, places, scaled
from pcl_core.ir.symbols import Table


class Terms:
    """Flattens expressions without definitions over own and context variables."""

    def __init__(self, split: Split) -> None:
        self._build = FlatBuilder()
        self._tables = split.symbols.tables
        self._context_names = {value.variable.name for value in split.context}
        self._numbers: dict[int, tuple[Node, Form]] = {}
        self._truths: dict[int, tuple[Node, Truth]] = {}
        self._held: dict[str, VariableColumns] = {}
        self._choices: dict[tuple[str, str, int], dict[Key, Truth]] = {}
        self._entries: dict[tuple[object, ...], tuple[int, list[tuple[tuple[Key, ...], int]]]] = {}
        self._own = [self._declare(variable) for variable in split.variables]
        self._context = [self._declare(value.variable) for value in split.context]

    def _declare(self, variable: AnyVariable) -> VariableColumns:
        columns = tuple([self._build.column(*spec) for spec in column_specs(variable)])
        if is_labelled(variable):
            self._build.exactly_one(columns)
        held = self._held[variable.name] = VariableColumns(variable, columns)
        return held

    def _is_label(self, node: Node) -> bool:
        return isinstance(node, Label) or (isinstance(node, Var) and is_labelled(self._held[node.name].variable))

    def _difference(self, node: Cmp) -> Form:
        left, right = self.number(node.left), self.number(node.right)
        return add([(1, left), (-1, right)], 0, max(left.places, right.places))

    def number(self, node: Node) -> Form:
        """The form of a number; a node that several expressions share is flattened once."""
        if id(node) not in self._numbers:
            self._numbers[id(node)] = (node, self._number(node))
        return self._numbers[id(node)][1]

    def _number(self, node: Node) -> Form:
        match node:
            case Const():
                if isinstance(node.value, bool):
                    return Form(constant=int(node.value))
                return Form((), (), scaled(node.value, places(node.value)), places(node.value))
            case Sum():
                forms = [self.number(arg) for arg in node.args]
                digits = max(
                    places(node.constant), *(places(c) + f.places for c, f in zip(node.coefs, forms, strict=True))
                )
                constant = Form((), (), scaled(node.constant, digits), digits)
                terms = [
                    (1, form if coef == 1 and form.places == digits else _times(coef, form, digits))
                    for coef, form in zip(node.coefs, forms, strict=True)
                ]
                return add([(1, constant), *terms], 0, digits)
            case Product():
                return self._product(node.args)
            case Max():
                return self._largest([self.number(arg) for arg in node.args])
            case Min():
                return self._largest([self.number(arg).scaled(-1) for arg in node.args]).scaled(-1)
            case Lookup():
                return self._lookup(node)
            case Var():
                return Form(self._held[node.name].columns, (1,))
            case In() if isinstance(node.arg, Var) and self._is_label(node.arg):
                # At most one label is true, so their sum is the truth value.
                return total(
                    [column for label, column in self._held[node.arg.name].labels.items() if label in node.values]
                )
            case Ref() | Label():
                raise AssertionError(f"{node.op} is gone before flattening")
            case _ if is_logical(node):
                return truth_form(self.truth(node))
            case _:
                return self.number(decomposed(node))

    def _largest(self, forms: Sequence[Form]) -> Form:
        digits = max(form.places for form in forms)
        return self._build.largest([form.at_places(digits) for form in forms])

    def _product(self, args: Iterable[Node]) -> Form:
        truths: list[Truth] = []
        number, constant, digits = None, 1, 0
        for arg in args:
            if is_logical(arg):
                truths.append(self.truth(arg))
                continue
            factor = self.number(arg)
            low, high = self._build.bounds(factor)
            if low == high:
                constant, digits = constant * low, digits + factor.places
            elif factor.places == 0 and self._is_boolean(factor):
                truths.append(self._build.as_truth(factor))
            else:
                assert number is None, "a product of two varying numbers is refused when a problem is made"
                number = factor
        both = self._build.all_of(truths)
        found = truth_form(both) if number is None else self._build.times(both, number)
        return found.scaled(constant, found.places + digits)

    def _is_boolean(self, form: Form) -> bool:
        low, high = self._build.bounds(form)
        return low >= 0 and high <= 1

    def truth(self, node: Node) -> Truth:
        """The literal of a truth value; a node that several expressions share is flattened once."""
        if id(node) not in self._truths:
            self._truths[id(node)] = (node, self._truth(node))
        return self._truths[id(node)][1]

    def _truth(self, node: Node) -> Truth:
        match node:
            case Const():
                return node.value is True
            case Var():
                return self._held[node.name].columns[0]
            case And():
                return self._build.all_of([self.truth(arg) for arg in node.args])
            case Or():
                return self._build.any_of([self.truth(arg) for arg in node.args])
            case Not():
                return negated(self.truth(node.arg))
            case In():
                return self._member(node)
            case Cmp() if self._is_label(node.left):
                same = self._same_label(node.left, node.right)
                return same if node.rel == "==" else negated(same)
            case Cmp():
                return self._compared(node)
            case _ if is_logical(node):
                return self.truth(decomposed(node))
            case _:
                return self._build.as_truth(self.number(node))

    def _compared(self, node: Cmp) -> Truth:
        form = self._difference(node)._replace(places=0)
        match node.rel:
            case "<=":
                return self._build.at_most_zero(form)
            case "<":
                return self._build.at_most_zero(form._replace(constant=form.constant + 1))
            case ">=":
                return self._build.at_most_zero(form.scaled(-1))
            case ">":
                return negated(self._build.at_most_zero(form))
            case "==":
                return self._build.is_zero(form)
            case "!=":
                return negated(self._build.is_zero(form))

    def _member(self, node: In) -> Truth:
        if isinstance(node.arg, Label):
            return node.arg.value in node.values
        if self._is_label(node.arg):
            return self._build.as_truth(self.number(node))
        form = self.number(node.arg)
        wanted = [form._replace(constant=form.constant - int(v) * 10**form.places, places=0) for v in node.values]
        return self._build.any_of([self._build.is_zero(each) for each in wanted])

    def _labels(self, node: Node) -> dict[str, Truth]:
        """For each label the literal that is true exactly where the node has it."""
        if isinstance(node, Label):
            return {node.value: True}
        assert isinstance(node, Var), "labels come from variables"
        return {**self._held[node.name].labels}

    def _same_label(self, left: Node, right: Node) -> Truth:
        first, second = self._labels(left), self._labels(right)
        if isinstance(right, Label):
            return first.get(right.value, False)
        if isinstance(left, Label):
            return second.get(left.value, False)
        if left == right:
            return True
        if isinstance(left, Var) and left.name in self._context_names:
            first, second = second, first  # once the second is known, little is left to say
        return self._build.same_choice(first, second)

    def _lookup(self, node: Lookup) -> Form:
        table = self._tables[node.table]
        choices = [self._key(key, table, axis) for axis, key in enumerate(node.keys)]
        free = [at for at, choice in enumerate(choices) if len(choice) > 1]
        # Exactly one key is chosen, so the most frequent entry can be taken for granted.
        usual, others = self._unusual(table, tuple([tuple(choice) for choice in choices]))
        if len(free) == 1:
            at = free[0]
            truths = [(choices[at][keys[at]], value) for keys, value in others]
        elif both := self._crossed([choices[at] for at in free], len(others)):
            truths = [(both[tuple([keys[at] for at in free])], value) for keys, value in others]
        else:
            truths = [(self._build.all_of([choices[at][keys[at]] for at in free]), value) for keys, value in others]
            self._build.at_most_one([truth for truth, _ in truths if not isinstance(truth, bool) and truth >= 0])
        return add([(value, truth_form(truth)) for truth, value in truths], usual)._replace(places=table.places)

    def _crossed(self, choices: Sequence[dict[Key, Truth]], wanted: int) -> dict[tuple[Key, ...], Literal]:
        """The literal of each combination of choices, where most of them are wanted; else nothing."""
        if 2 * wanted < math.prod(map(len, choices)) or not all(self._build.is_choice(c.values()) for c in choices):
            return {}
        found: dict[tuple[Key, ...], Literal] = {(key,): literal for key, literal in choices[0].items()}
        for choice in choices[1:]:
            both = self._build.choice_of_both([*found.values()], [*choice.values()])
            found = {
                (*keys, key): literal
                for keys, row in zip(found, both, strict=True)
                for key, literal in zip(choice, row, strict=True)
            }
        return found

    def _unusual(
        self, table: Table, keys: tuple[tuple[Key, ...], ...]
    ) -> tuple[int, list[tuple[tuple[Key, ...], int]]]:
        """The most frequent of a table's entries at some keys, and by how much others differ from it."""
        found = self._entries.get((table.name, keys))
        if found is None:
            entries = [(key, scaled(table.at(key), table.places)) for key in product(*keys)]
            counts = Counter(value for _, value in entries)
            usual = max(counts, key=lambda value: (counts[value], -abs(value), value))
            others = [(key, value - usual) for key, value in entries if value != usual]
            found = self._entries[table.name, keys] = (usual, others)
        return found

    def _key(self, node: Node, table: Table, axis: int) -> dict[Key, Truth]:
        """For each key the node can be, the literal that is true exactly there."""
        if isinstance(node, Label):
            return {node.value: True}
        if self._is_label(node):
            assert isinstance(node, Var)
            known = (node.name, table.name, axis)
            if known not in self._choices:
                keys = table.positions[axis]
                self._choices[known] = {label: truth for label, truth in self._labels(node).items() if label in keys}
            return self._choices[known]
        form = self.number(node)
        if not form.columns:
            return {form.constant: True}
        held = self._build.indicators(self._build.as_column(form))
        return {key: held[key] for key in table.axes[axis] if isinstance(key, int) and key in held}


def _times(coef: Number, form: Form, digits: int) -> Form:
    return form.scaled(scaled(coef, digits - form.places), digits)
