"""The second pass, `flatten`: expressions to columns and constraints.

    numbers become forms            sums stay sums; a count is the sum of its truth values
    truth values become literals    and, or, not, comparisons: each distinct one has one Boolean column
    labels become Boolean columns   one for each label of a variable, exactly one true
    look-ups become sums            Σ entry · (the key is this one)
    min, max, abs, products         a column of their own

A constraint at the root is stated directly; only what is nested is named by a Boolean.
"""

import math
from collections.abc import Sequence

from pcl_core.compile.context import Split
from pcl_core.compile.flat import Apart, AtMostOne, Clause, FlatModel, Form, Row, Truth, add, negated
from pcl_core.compile.terms import Terms
from pcl_core.ir.language import TABLE, decomposed
from pcl_core.ir.nodes import (
    AllDifferent,
    And,
    Cmp,
    Node,
    Or,
)


def flatten(split: Split, origins: Sequence[int]) -> FlatModel:
    """The model of a scope; `origins` are the positions of its constraints among the problem's."""
    work = _Flattening(split)
    features = [work.number(node) for node in split.features]
    for node, origin in zip(split.constraints, origins, strict=True):
        work.constraint(node, origin)
    return work.model(features)


class _Flattening(Terms):
    """Builds the flat model: what must hold is stated in terms of forms and literals."""

    def model(self, features: Sequence[Form]) -> FlatModel:
        return self._build.model(self._own, self._context, features)

    def constraint(self, node: Node, origin: int) -> None:
        """Require a truth value; `origin` is the position of the named constraint."""
        self._build.origin = origin
        self._require(node)
        self._build.origin = -1

    def _require(self, node: Node) -> None:
        match node:
            case And():
                for arg in node.args:
                    self._require(arg)
            case Or():
                self._clause([self.truth(arg) for arg in node.args])
            case Cmp() if not self._is_label(node.left):
                self._require_comparison(node)
            case AllDifferent() if len(node.args) > 2:
                self._require_different(node.args)
            case _ if TABLE[type(node)].decompose:
                self._require(decomposed(node))
            case _:
                self._clause([self.truth(node)])

    def _clause(self, truths: Sequence[Truth]) -> None:
        if any(truth is True for truth in truths):
            return
        literals = tuple(dict.fromkeys(truth for truth in truths if truth is not False))
        if literals:
            self._build.require(Clause(literals))
        else:  # nothing can satisfy it: say so with a row that no solver can misread
            self._build.require(Row(Form((self._build.always(),), (1,)), None, 0))

    def _require_comparison(self, node: Cmp) -> None:
        form = self._difference(node)
        if node.rel == "!=":
            self._require_not_zero(form)
            return
        low, high = self._build.bounds(form)
        lower = {">=": 0, ">": 1, "==": 0}.get(node.rel)
        upper = {"<=": 0, "<": -1, "==": 0}.get(node.rel)
        if (lower is None or low >= lower) and (upper is None or high <= upper):
            return
        row = divided(form, lower, upper) if form.columns else None
        if row is None:
            self._clause([])
        else:
            self._build.require(row)

    def _require_not_zero(self, form: Form) -> None:
        low, high = self._build.bounds(form)
        apart = divided(form, 0, 0) if form.columns else None
        if low == high == 0:
            self._clause([])
        elif low <= 0 <= high and apart is not None:
            self._build.require(Apart(self._build.always(), apart.form))

    def _require_different(self, args: Sequence[Node]) -> None:
        """No two are equal: of each label's literals at most one is true; numbers are left to who knows them."""
        if self._is_label(args[0]):
            held = [self._labels(arg) for arg in args]
            for label in dict.fromkeys(label for labels in held for label in labels):
                self._at_most_one([labels[label] for labels in held if label in labels])
            return
        forms = [self.number(arg) for arg in args]
        digits = max(form.places for form in forms)
        for near in self._build.overlapping([form.at_places(digits)._replace(places=0) for form in forms]):
            if len(near) == 2:
                self._require_not_zero(add([(1, near[0]), (-1, near[1])]))
            elif len(set(near)) < len(near):
                self._clause([])
            else:
                self._build.require(self._build.different(near))

    def _at_most_one(self, truths: Sequence[Truth]) -> None:
        chosen = [truth for truth in truths if truth is True]
        literals = tuple(truth for truth in truths if not isinstance(truth, bool))
        if len(chosen) > 1:
            self._clause([])
        elif chosen or len(set(literals)) < len(literals):
            for literal in dict.fromkeys(literals):
                if chosen or literals.count(literal) > 1:
                    self._clause([negated(literal)])
        elif len(literals) > 1:
            self._build.require(AtMostOne(literals))


def divided(form: Form, lower: int | None, upper: int | None) -> Row | None:
    """The row lower <= form <= upper with the smallest numbers that have the same whole solutions; None: there are none.

    Σ g·a·x <= b is Σ a·x <= floor(b/g): the smaller the numbers, the more solvers can tell neighbours apart.
    """
    divisor = math.gcd(*form.coefs)
    if divisor > 1:
        below = None if lower is None else -((form.constant - lower) // divisor)
        above = None if upper is None else (upper - form.constant) // divisor
        shift = above if above is not None else below
        if shift is None or (below is not None and above is not None and below > above):
            return None
        form = Form(form.columns, tuple([coef // divisor for coef in form.coefs]), -shift)
        lower, upper = None if below is None else below - shift, None if above is None else 0
    return Row(form._replace(places=0), lower, upper)
