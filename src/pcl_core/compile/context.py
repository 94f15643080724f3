"""The first pass, `split`: separate what a scope decides from what its context fixes.

Before: expressions over all variables. After: expressions over the scope's own variables and *context values*,
each standing for a largest sub-expression that mentions none of them. A sum over a hundred fixed rooms is one
context value; only those values change when the same scope is solved in another context.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from operator import is_

from pcl_core.ir.domains import AnyVariable, BoolVariable, CategoricalVariable, Facts, IntVariable, Kind
from pcl_core.ir.infer import Inference
from pcl_core.ir.language import TABLE, children, with_children
from pcl_core.ir.long_sums import LongSum, LongSums
from pcl_core.ir.nodes import Const, Count, Label, Node, Product, Ref, Sum, Var
from pcl_core.ir.numbers import Number
from pcl_core.ir.symbols import Symbols


@dataclass(frozen=True)
class ContextValue:
    """A sub-expression that the context fixes, as a variable of its own; numbers count units of 10^-places."""

    variable: AnyVariable
    node: Node
    places: int
    less: Node | None = None
    """Where the node is a long sum of the problem: its terms over own variables, which are not part of the value."""


@dataclass(frozen=True)
class Split:
    """The expressions of a scope over its own variables and context values; definitions are put in."""

    symbols: Symbols
    """What the names in these expressions stand for."""
    variables: tuple[AnyVariable, ...]
    context: tuple[ContextValue, ...]
    features: tuple[Node, ...]
    constraints: tuple[Node, ...]


def split(
    symbols: Symbols,
    inference: Inference,
    long_sums: LongSums,
    own: tuple[AnyVariable, ...],
    features: Iterable[Node],
    constraints: Iterable[Node],
) -> Split:
    """Features and constraints of a problem, for those who decide the variables `own`."""
    names = {variable.name for variable in own}
    work = ContextSplit(symbols, names, inference, long_sums, unused_prefix(names))
    mine, required = tuple(map(work.whole, features)), tuple(map(work.whole, constraints))
    variables = (*own, *(value.variable for value in work.values))
    inside = Symbols({variable.name: variable for variable in variables}, symbols.tables)
    return Split(inside, own, tuple(work.values), mine, required)


@dataclass
class ContextSplit:
    """Splits expressions of one problem for one set of own variables; equal sub-expressions share a value."""

    symbols: Symbols
    own: Collection[str]
    inference: Inference
    long_sums: LongSums
    prefix: str
    values: list[ContextValue] = field(default_factory=list)
    _known: dict[Node, Node] = field(default_factory=dict)
    _depends: dict[str | int, bool] = field(default_factory=dict)
    """By the name of a definition, or by the identity of a node; `_alive` keeps identities from being reused."""
    _alive: list[Node] = field(default_factory=list)
    _definitions: dict[str, Node] = field(default_factory=dict)
    _long: dict[int, Node] = field(default_factory=dict)
    """By the number of a long sum: what it is here."""

    def depends(self, node: Node) -> bool:
        """Whether an expression mentions one of the own variables, definitions expanded."""
        if isinstance(node, Var):
            return node.name in self.own
        key = node.name if isinstance(node, Ref) else id(node)
        found = self._depends.get(key)
        if found is None:
            if isinstance(node, Ref):
                found = not self.symbols.free_in_definition(node.name).isdisjoint(self.own)
            elif (long := self.long_sums.of(node)) is not None:
                found = bool(long.terms(self.own))
            else:
                found = any(self.depends(child) for child in children(node))
            self._depends[key] = found
            self._alive.append(node)
        return found

    def whole(self, node: Node) -> Node:
        """A whole feature or constraint, split; most mention nothing but own variables, and stay as they are."""
        pending = [node]
        while pending:
            current = pending.pop()
            if isinstance(current, Var):
                if current.name not in self.own:
                    return self.split(node)
            elif isinstance(current, Ref):
                return self.split(node)
            else:
                pending.extend(children(current))
        return node

    def split(self, node: Node) -> Node:
        """The expression over own variables and context values; definitions that matter are expanded."""
        if isinstance(node, (Const, Label)):
            return node
        long = self.long_sums.of(node)
        if long is not None and 2 * len(terms := long.terms(self.own)) <= len(long.args):
            return self._long_sum(long, terms)
        if not self.depends(node):
            return self._fixed(node)
        match node:
            case Var():
                return node
            case Ref():
                if node.name not in self._definitions:
                    self._definitions[node.name] = self.split(self.symbols.definitions[node.name])
                return self._definitions[node.name]
            case Sum():
                return self._sum(node)
            case _ if TABLE[type(node)].regroups or isinstance(node, Count):
                return self._grouped(node)
            case _:
                before = children(node)
                found = tuple(map(self.split, before))
                return node if _same(found, before) else with_children(node, found)

    def _sum(self, node: Sum) -> Node:
        """All fixed terms of a sum, its constant included, become one context value."""
        own: list[tuple[Number, Node]] = []
        fixed: list[tuple[Number, Node]] = []
        for coef, arg in zip(node.coefs, node.args, strict=True):
            (own if self.depends(arg) else fixed).append((coef, arg))
        args = tuple([self.split(arg) for _, arg in own])
        if not fixed:
            return node if _same(args, node.args) else node.model_copy(update={"args": args})
        rest = {"coefs": tuple([coef for coef, _ in fixed]), "args": tuple([arg for _, arg in fixed])}
        value = self._fixed(node.model_copy(update=rest))
        coefs = tuple([coef for coef, _ in own])
        return node.model_copy(update={"coefs": (*coefs, 1), "args": (*args, value), "constant": 0})

    def _long_sum(self, long: LongSum, terms: Sequence[int]) -> Node:
        """The same for a long sum of the problem: its own terms are looked up, and no node is made of all others."""
        if long.number not in self._long:
            mine = long.only(terms) if terms else None
            args = tuple([self.split(arg) for arg in children(mine)]) if mine is not None else ()
            low, high, digits = long.bounds_without(terms)
            made = rest = self._new(long.node, Facts(Kind.NUMBER, low, high, digits), mine)
            if isinstance(mine, Sum):
                made = mine.model_copy(update={"coefs": (*mine.coefs, 1), "args": (*args, rest)})
            elif mine is not None:
                made = Sum(coefs=(1, 1), args=(with_children(mine, args), rest))
            self._long[long.number] = made
        return self._long[long.number]

    def _grouped(self, node: Node) -> Node:
        """All fixed arguments of an operation that may be regrouped become one context value."""
        own: list[Node] = []
        fixed: list[Node] = []
        for arg in children(node):
            # A constant factor beside a truth value of the context would make a number of it, and of numbers a product
            # may vary in one only.
            stays = self.depends(arg) or (isinstance(node, Product) and self._is_constant(arg))
            (own if stays else fixed).append(arg)
        args = tuple([self.split(arg) for arg in own])
        if not fixed:
            return node if _same(args, children(node)) else with_children(node, args)
        if isinstance(node, Count):  # a count of fixed truths is a number, added to the count of the others
            counted = self._fixed(with_children(node, tuple(fixed)))
            return Sum(coefs=(1, 1), args=(with_children(node, args), counted))
        rest = fixed[0] if len(fixed) == 1 else with_children(node, tuple(fixed))
        return with_children(node, (*args, self._fixed(rest)))

    def _is_constant(self, node: Node) -> bool:
        facts = self.inference.facts(node)
        return facts.low == facts.high

    def _fixed(self, node: Node) -> Node:
        """The context value for a sub-expression without own variables."""
        if isinstance(node, (Const, Label)):
            return node
        value = self._known.get(node)  # looked up once only: the hash of an expression takes its whole tree
        if value is None:
            value = self._known[node] = self._new(node, self.inference.facts(node))
        return value

    def _new(self, node: Node, facts: Facts, less: Node | None = None) -> Node:
        name = f"{self.prefix}{len(self.values)}"
        self.values.append(ContextValue(_as_variable(name, facts, node, self.symbols), node, facts.places, less))
        if facts.places:  # the value counts units; the expression means the decimal number
            # Not validated: products of decimals may need more places than a number that is written.
            return Sum.model_construct(coefs=(_unit(facts.places),), args=(Var(name=name),), constant=0)
        return Var(name=name)


def _same(found: tuple[Node, ...], before: tuple[Node, ...]) -> bool:
    """Whether nothing was replaced; what stays as it is need not be made anew."""
    return all(map(is_, found, before))


def unused_prefix(names: Collection[str]) -> str:
    """A start for the names of context values that no variable's name has."""
    prefix = "@"
    while any(name.startswith(prefix) for name in names):
        prefix += "@"
    return prefix


def _unit(places: int) -> Decimal:
    return Decimal(1).scaleb(-places)


def _as_variable(name: str, facts: Facts, node: Node, symbols: Symbols) -> AnyVariable:
    if facts.kind is Kind.TRUTH:
        return BoolVariable(name=name)
    if facts.kind is Kind.NUMBER:
        return IntVariable(name=name, lower=facts.low, upper=facts.high)
    # Labels only come from variables; the order of the domain is kept.
    declared: Iterable[object] = (
        symbols.variables[node.name].values() if isinstance(node, Var) else sorted(facts.labels)
    )
    return CategoricalVariable(name=name, labels=tuple(map(str, declared)))


def context_variables(
    values: Sequence[ContextValue], own: Collection[str], symbols: Symbols, long_sums: LongSums
) -> tuple[str, ...]:
    """The variables that must have a value before the scope can be solved."""
    names: dict[str, None] = {}
    for value in values:
        long = long_sums.of(value.node)
        names.update(dict.fromkeys(sorted(symbols.free_variables(value.node)) if long is None else long.variables))
    return tuple([name for name in names if name not in own])
