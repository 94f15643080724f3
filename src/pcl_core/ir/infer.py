"""Kinds and interval bounds of expressions, derived and checked in one walk from the leaves up.

An interval is kept in whole units of 10^-places, where `places` is known without evaluating anything. A node
is refused when its units could leave ±2^53, so no evaluator and no solver can overflow or round.
"""

import math
from collections.abc import Callable, Iterable, Sequence

from pcl_core.errors import Code, suggest
from pcl_core.ir.coding import range_of
from pcl_core.ir.domains import UNKNOWN, Facts, Kind, is_labelled
from pcl_core.ir.language import TABLE, children
from pcl_core.ir.nodes import MAX_DEPTH, Cmp, Const, In, Label, Lookup, Node, Product, Ref, Sum, Var
from pcl_core.ir.numbers import MAX_MAGNITUDE, places, scaled
from pcl_core.ir.symbols import Symbols, Table

MAX_REACHED = 5_000_000
"""Entries of tables that are looked at for close bounds, in all."""

MAX_TOTAL_PLACES = 40
"""More decimal places than this cannot be scaled below 2^53 unless everything is zero."""

TWO_NUMBERS = (
    "a product of two decisions that are numbers is not linear",
    "read a table at both, t[x, y]; only one factor may be a number that varies, others are constant or Boolean",
)
"""What is wrong with x * y, and what to write instead."""

ReportIssue = Callable[[Code, str, str | None], None]


class Inference:
    """Facts about expressions of one problem. Findings go to `report`; the walk always finishes."""

    def __init__(self, symbols: Symbols, report: ReportIssue) -> None:
        self._symbols = symbols
        self.report = report
        self._definitions: dict[str, Facts] = {}
        self._variables: dict[str, Facts] = {}
        self._reached = 0
        self._keys_checked: set[tuple[object, ...]] = set()
        self._label_sets: dict[tuple[str, ...], frozenset[str]] = {}
        self._unknown: set[tuple[str, str]] = set()
        self._entries: dict[tuple[str, tuple[frozenset[str] | range, ...]], tuple[int, int]] = {}

    def define(self, name: str, facts: Facts) -> None:
        self._definitions[name] = facts

    def facts(self, node: Node) -> Facts:
        """What is known of an expression."""
        match node:
            case Const():
                if isinstance(node.value, bool):
                    return Facts(Kind.TRUTH, int(node.value), int(node.value))
                digits = places(node.value)
                units = scaled(node.value, digits)
                return Facts(Kind.NUMBER, units, units, digits)
            case Label():
                return Facts(Kind.LABEL, labels=frozenset((node.value,)))
            case Var():
                return self._variable(node.name)
            case Ref():
                return self._definition(node.name)
            case Sum():
                return self._sum(node)
            case Product():
                return self._product(node)
            case Lookup():
                return self._lookup(node)
            case Cmp():
                return self._comparison(node)
            case In():
                return self._membership(node)
            case _:
                return self._of_arguments(node)

    def _of_arguments(self, node: Node) -> Facts:
        """For the kinds whose bounds follow from those of their arguments."""
        entry = TABLE[type(node)]
        assert entry.bounds is not None, f"`{node.op}` has rules of its own"
        if entry.takes is Kind.TRUTH:
            args = [self._truth(arg, node.op) for arg in children(node)]
        elif entry.takes is Kind.NUMBER:
            args = [self._number(arg, node.op) for arg in children(node)]
        else:
            args = [self.facts(arg) for arg in children(node)]
            if len({a.kind is Kind.LABEL for a in args if a.kind is not Kind.UNKNOWN}) > 1:
                self.report(Code.WRONG_KIND, f"{node.op} mixes labels and numbers", "give all of one sort")
        digits, units = self._aligned(args)
        return self._made(entry.gives, *entry.bounds(units), digits if entry.gives is Kind.NUMBER else 0, args)

    def _made(self, kind: Kind, low: int, high: int, digits: int, below: Sequence[Facts]) -> Facts:
        deepest = max((facts.depth for facts in below), default=0)
        depth = 1 + deepest
        if depth > MAX_DEPTH >= deepest:
            hint = (
                f"split it into sums, `all` or `any` over lists; definitions count as part of the depth ({MAX_DEPTH})"
            )
            self.report(Code.TOO_DEEP, f"the expression is nested more than {MAX_DEPTH} nodes deep", hint)
        if kind is Kind.NUMBER and any(facts.kind is Kind.UNKNOWN for facts in below):
            return Facts(Kind.UNKNOWN, depth=depth)  # the bounds of what is wrong are made up
        if max(abs(low), abs(high)) > MAX_MAGNITUDE:
            self._overflow(digits)
            return Facts(Kind.UNKNOWN, depth=depth)
        return Facts(kind, low, high, digits, depth=depth)

    def _overflow(self, digits: int) -> None:
        if digits:
            hint = "use fewer decimal places or smaller numbers in this expression"
            message = f"with {digits} decimal places its values cannot be scaled to whole numbers below 2^53"
            self.report(Code.CANNOT_SCALE, message, hint)
        else:
            self.report(Code.NUMBER_TOO_LARGE, "its value could go beyond 2^53", "tighten the bounds of the variables")

    def _report_unknown(self, sort: str, name: str, known: Iterable[str]) -> None:
        """A name that does not exist is one finding, however often it is used."""
        if (sort, name) not in self._unknown:
            self._unknown.add((sort, name))
            self.report(Code.UNKNOWN_NAME, f"unknown {sort} '{name}'", suggest(name, known))

    def _variable(self, name: str) -> Facts:
        if name not in self._variables:
            self._variables[name] = self._new_variable(name)
        return self._variables[name]

    def _new_variable(self, name: str) -> Facts:
        variable = self._symbols.variables.get(name)
        if variable is None:
            self._report_unknown("variable", name, self._symbols.variables)
            return UNKNOWN
        if is_labelled(variable):
            labels = self._label_sets.setdefault(variable.labels, frozenset(variable.labels))
            return Facts(Kind.LABEL, labels=labels)
        codes = range_of(variable)
        return Facts(variable.kind, codes[0], codes[-1])

    def _definition(self, name: str) -> Facts:
        facts = self._definitions.get(name)
        if facts is None:
            if name not in self._symbols.definitions:
                self._report_unknown("definition", name, self._symbols.definitions)
            return UNKNOWN
        return self._made(facts.kind, facts.low, facts.high, facts.places, [facts])._replace(labels=facts.labels)

    def _number(self, node: Node, used_in: str) -> Facts:
        facts = self.facts(node)
        if facts.kind is Kind.LABEL:
            self.report(Code.WRONG_KIND, f"{used_in} needs numbers, not a label", "read a table at the label instead")
            return Facts(Kind.UNKNOWN, depth=facts.depth)
        return facts

    def _truth(self, node: Node, used_in: str) -> Facts:
        facts = self.facts(node)
        if facts.kind in (Kind.LABEL, Kind.NUMBER):
            self.report(Code.WRONG_KIND, f"{used_in} needs truth values, not {facts.kind}", "compare it with something")
            return Facts(Kind.UNKNOWN, depth=facts.depth)
        return facts

    def _sum(self, node: Sum) -> Facts:
        if len(node.coefs) != len(node.args):
            message = f"a sum has {len(node.coefs)} coefficients for {len(node.args)} arguments"
            self.report(Code.WRONG_SHAPE, message, "give one coefficient for each argument")
            return UNKNOWN
        args = [self._number(arg, "sum") for arg in node.args]
        digits = max([places(node.constant), *(places(c) + a.places for c, a in zip(node.coefs, args, strict=True))])
        if digits > MAX_TOTAL_PLACES:
            self._overflow(digits)
            return UNKNOWN
        low = high = scaled(node.constant, digits)
        reach = abs(low)
        for coef, arg in zip(node.coefs, args, strict=True):
            factor = scaled(coef, digits - arg.places)
            least, most = factor * arg.low, factor * arg.high
            if factor < 0:
                least, most = most, least
            low, high = low + least, high + most
            reach += max(-least, most)
        if reach > MAX_MAGNITUDE >= max(abs(low), abs(high)):
            self._overflow(digits)  # partial sums could leave the range although the total cannot
        return self._made(Kind.NUMBER, low, high, digits, args)

    def _product(self, node: Product) -> Facts:
        args = [self._number(arg, "a product") for arg in node.args]
        free = [a for a in args if not a.is_boolean and a.low != a.high and a.kind is not Kind.UNKNOWN]
        if len(free) > 1:
            self.report(Code.PRODUCT_OF_VARIABLES, *TWO_NUMBERS)
            return UNKNOWN
        low = high = 1
        for arg in args:
            ends = [a * b for a in (low, high) for b in (arg.low, arg.high)]
            low, high = min(ends), max(ends)
        digits = sum(a.places for a in args)
        if digits > MAX_TOTAL_PLACES:
            self._overflow(digits)
            return UNKNOWN
        return self._made(Kind.NUMBER, low, high, digits, args)

    def _aligned(self, args: list[Facts]) -> tuple[int, list[tuple[int, int]]]:
        """Intervals at the number of places that all arguments share."""
        digits = max(a.places for a in args)
        units = [a.units(digits) for a in args]
        if any(max(abs(low), abs(high)) > MAX_MAGNITUDE for low, high in units):
            self._overflow(digits)
        return digits, units

    def _comparison(self, node: Cmp) -> Facts:
        left, right = self.facts(node.left), self.facts(node.right)
        kinds = {left.kind, right.kind} - {Kind.UNKNOWN}
        if len(kinds) == 2 and Kind.LABEL in kinds:
            hint = "compare it with a label, in quotes, or read a table at it"
            self.report(Code.WRONG_KIND, "a label is compared with a number or truth value", hint)
        elif kinds == {Kind.LABEL}:
            if node.rel not in ("==", "!="):
                self.report(Code.WRONG_KIND, f"labels have no order, so '{node.rel}' means nothing", "use == or !=")
            elif left.labels and right.labels:
                self._share_labels(left.labels, right.labels)
        elif Kind.UNKNOWN not in (left.kind, right.kind):
            self._aligned([left, right])
            return self._made(Kind.TRUTH, *left.compared(node.rel, right), 0, [left, right])
        return self._made(Kind.TRUTH, 0, 1, 0, [left, right])

    def _share_labels(self, left: frozenset[str], right: frozenset[str]) -> None:
        if not left.isdisjoint(right):
            return
        small, large = sorted((left, right), key=len)
        word = min(small)
        self.report(
            Code.LABEL_OUTSIDE_DOMAIN, f"'{word}' is never a value of the other side", suggest(word, sorted(large))
        )

    def _membership(self, node: In) -> Facts:
        arg = self.facts(node.arg)
        if arg.kind is Kind.LABEL:
            numbers = [value for value in node.values if not isinstance(value, str)]
            outside = [value for value in node.values if isinstance(value, str) and value not in arg.labels]
            if numbers:
                self.report(Code.WRONG_KIND, f"a label is never {numbers[0]}", "list labels, in quotes")
            elif arg.labels and outside:
                more = f", nor are {len(outside) - 1} others of the list" if len(outside) > 1 else ""
                hint = suggest(outside[0], sorted(arg.labels))
                self.report(Code.LABEL_OUTSIDE_DOMAIN, f"'{outside[0]}' is never a value here{more}", hint)
        elif arg.kind is not Kind.UNKNOWN:
            if words := [value for value in node.values if isinstance(value, str)]:
                self.report(Code.WRONG_KIND, f"a number is never '{words[0]}'", None)
            elif any(abs(value) * 10**arg.places > MAX_MAGNITUDE for value in node.values if isinstance(value, int)):
                self._overflow(arg.places)
        return self._made(Kind.TRUTH, 0, 1, 0, [arg])

    def _lookup(self, node: Lookup) -> Facts:
        keys = [self.facts(key) for key in node.keys]
        table = self._symbols.tables.get(node.table)
        if table is None:
            self._report_unknown("table", node.table, self._symbols.tables)
            return UNKNOWN
        if len(keys) != len(table.axes):
            message = f"table '{node.table}' has {len(table.axes)} axes but is read at {len(keys)} keys"
            self.report(Code.LOOKUP_OUTSIDE_TABLE, message, None)
            return UNKNOWN
        for position, key in enumerate(keys):
            asked = (node.table, position, key.kind, key.low, key.high, key.places, key.labels)
            if asked not in self._keys_checked and self._check_key(table, position, key):
                self._keys_checked.add(asked)  # the same table is read over and over
        possible = tuple(key.labels or key.reachable(axis) for key, axis in zip(keys, table.positions, strict=True))
        low, high = self._entry_bounds(table, possible)
        return self._made(Kind.NUMBER, low, high, table.places, keys)

    def _entry_bounds(self, table: Table, possible: tuple[frozenset[str] | range, ...]) -> tuple[int, int]:
        """The smallest and largest entry, in units, that the possible keys can reach."""
        cached = self._entries.get((table.name, possible))
        if cached is None:
            self._reached += math.prod(len(keys) for keys in possible)
            if self._reached > MAX_REACHED and possible:  # bounds that are too wide are still bounds
                return self._entry_bounds(table, ())
            cached = self._entries[table.name, possible] = table.entry_bounds(possible)
        return cached

    def _check_key(self, table: Table, position: int, key: Facts) -> bool:
        """Whether the table can be read at a key; if not, that is reported."""
        axis, held = table.axes[position], table.positions[position].keys()
        if key.kind is Kind.UNKNOWN:
            return True
        if (key.kind is Kind.LABEL) != isinstance(axis[0], str):
            kinds = "labels" if isinstance(axis[0], str) else "numbers"
            self.report(Code.WRONG_KIND, f"table '{table.name}' is read at {key.kind}, but its keys are {kinds}", None)
            return False
        if key.kind is Kind.LABEL:
            if outside := sorted(key.labels - held):
                message = f"table '{table.name}' has no entry for '{outside[0]}'"
                self.report(Code.LOOKUP_OUTSIDE_TABLE, message, suggest(outside[0], map(str, axis)))
            return not outside
        if key.places:
            self.report(Code.WRONG_KIND, f"table '{table.name}' is read at a number that may not be whole", None)
            return False
        if key.high - key.low >= len(held) or any(value not in held for value in range(key.low, key.high + 1)):
            message = f"table '{table.name}' is read at {key.low}..{key.high}, but does not have all of these keys"
            self.report(Code.LOOKUP_OUTSIDE_TABLE, message, "add the missing keys or tighten the bounds")
            return False
        return True
