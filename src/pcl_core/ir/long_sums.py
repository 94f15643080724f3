"""Sums over very many things, prepared once for all who decide a few of them.

A part of a large problem sees the total of a long sum, and changes a few of its terms. What the others contribute is
the total less these terms; which terms they are is looked up by variable. So what a part costs does not grow with sums
over all parts.
"""

from collections import Counter as Tally
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from pcl_core.ir.domains import Facts, Value
from pcl_core.ir.infer import Inference
from pcl_core.ir.language import TABLE, children, decomposed, with_children
from pcl_core.ir.nodes import Node, Sum
from pcl_core.ir.numbers import Number, places, scaled
from pcl_core.ir.registers import Registers
from pcl_core.ir.symbols import Symbols
from pcl_core.ir.vector import VectorEvaluator

LONG = 100
"""Terms from which on looking up is worth the preparation."""

LEAVES = frozenset(kind for kind, entry in TABLE.items() if not entry.below)


class LongSum:
    """One of them, with the bounds of each term."""

    def __init__(self, node: Node, meaning: Sum, number: int, symbols: Symbols, inference: Inference) -> None:
        """The node is the sum that it means, or, like a count, another spelling of it over the same arguments."""
        self.node, self.number, self.args = node, number, meaning.args
        self._coefs, constant = meaning.coefs, meaning.constant
        self._terms_of: dict[str, list[int]] = {}
        for at, arg in enumerate(self.args):
            for name in symbols.free_variables(arg):
                self._terms_of.setdefault(name, []).append(at)
        facts = [inference.facts(arg) for arg in self.args]
        coefs = self._coefs
        self._places = [places(coef) + fact.places for coef, fact in zip(coefs, facts, strict=True)]
        self._tally = Tally([*self._places, places(constant)])
        self.places = max(self._tally)
        self._bounds = list(map(self._ends, coefs, facts))
        fixed = scaled(constant, self.places)
        self._low = fixed + sum(low for low, _ in self._bounds)
        self._high = fixed + sum(high for _, high in self._bounds)

    @property
    def variables(self) -> Iterable[str]:
        return self._terms_of

    def terms(self, variables: Collection[str]) -> list[int]:
        """The positions of the terms that mention some of the variables, in order."""
        if len(variables) > len(self._terms_of):
            return sorted({at for name, found in self._terms_of.items() if name in variables for at in found})
        return sorted({at for name in variables for at in self._terms_of.get(name, ())})

    def only(self, terms: Sequence[int]) -> Node:
        """The sum of these terms alone."""
        args = tuple([self.args[at] for at in terms])
        if not isinstance(self.node, Sum):
            return with_children(self.node, args)
        coefs = tuple([self._coefs[at] for at in terms])
        return self.node.model_copy(update={"coefs": coefs, "args": args, "constant": 0})

    def bounds_with(self, facts: Callable[[Node], Facts], terms: Sequence[int]) -> tuple[int, int]:
        """Bounds of the sum where something else is known of these terms."""
        low, high = self._low, self._high
        for at in terms:
            least, most = self._ends(self._coefs[at], facts(self.args[at]))
            low, high = low + least - self._bounds[at][0], high + most - self._bounds[at][1]
        return low, high

    def _ends(self, coef: Number, of: Facts) -> tuple[int, int]:
        factor = scaled(coef, self.places - of.places)
        return (factor * of.low, factor * of.high) if factor >= 0 else (factor * of.high, factor * of.low)

    def bounds_without(self, terms: Sequence[int]) -> tuple[int, int, int]:
        """Bounds and places of the sum without these terms, as inference would find them."""
        left = self._tally - Tally([self._places[at] for at in terms])
        digits = max(left)
        unit = 10 ** (self.places - digits)
        low = self._low - sum(self._bounds[at][0] for at in terms)
        high = self._high - sum(self._bounds[at][1] for at in terms)
        return low // unit, high // unit, digits


def _sum_of(node: Node) -> Sum | None:
    """A sum as it is; another kind where it means the plain sum of its arguments."""
    if isinstance(node, Sum):
        return node
    meaning = decomposed(node) if TABLE[type(node)].decompose is not None else None
    if isinstance(meaning, Sum) and meaning.args == children(node) and set(meaning.coefs) == {1}:
        return meaning if meaning.constant == 0 else None
    return None


class LongSums:
    """The long sums of a problem; equal ones are one."""

    def __init__(
        self, symbols: Symbols, inference: Inference, definitions: Registers, expressions: Iterable[Node]
    ) -> None:
        self._found: dict[int, LongSum] = {}
        """By the identity of the node, which the problem keeps alive."""
        known: dict[Node, LongSum] = {}
        pending = [*symbols.definitions.values(), *expressions]
        while pending:
            node = pending.pop()
            below = children(node)
            meaning = _sum_of(node) if len(below) >= LONG else None
            if meaning is not None:
                if node not in known:
                    known[node] = LongSum(node, meaning, len(known), symbols, inference)
                self._found[id(node)] = known[node]
            pending.extend([child for child in below if type(child) not in LEAVES])
        self._evaluator: VectorEvaluator | None = None
        self._lately: tuple[tuple[dict[str, Value], list[int]], ...] = ()
        self._all = list(known.values())
        if known:
            self._evaluator = VectorEvaluator.of(symbols, [found.node for found in self._all], definitions.copied())

    def __bool__(self) -> bool:
        return bool(self._all)

    def of(self, node: Node) -> LongSum | None:
        """The long sum that a node of the problem is."""
        return self._found.get(id(node))

    def totals(self, configuration: Mapping[str, Value]) -> list[int]:
        """All of them for a complete configuration, in units of 10^-places each, by number."""
        if self._evaluator is None:
            return []
        # Parts of one configuration are asked about one after the other, and what stands beside a draft of it.
        for known, found in self._lately:
            if known == configuration:
                return found
        totals = self._evaluator.few([configuration])[0]
        self._lately = ((dict(configuration), totals), *self._lately[:1])
        return totals
