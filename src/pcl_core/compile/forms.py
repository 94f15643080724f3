"""Whole numbers as sums of columns, and truth values as literals: the arithmetic that all passes share."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

Literal: TypeAlias = int
"""A Boolean column, or its negation written ~column."""

Truth: TypeAlias = bool | Literal
"""A truth value while compiling: known, or a literal. Test with `is True` and `is False`."""


class Form(NamedTuple):
    """constant + Σ coefs · columns, in units of 10^-places; columns ascend and coefficients are not zero.

    In constraints only the units count, so `places` is zero there.
    """

    columns: tuple[int, ...] = ()
    coefs: tuple[int, ...] = ()
    constant: int = 0
    places: int = 0

    def scaled(self, factor: int, places: int | None = None) -> "Form":
        digits = self.places if places is None else places
        if factor == 0:
            return Form(places=digits)
        return Form(self.columns, tuple(c * factor for c in self.coefs), self.constant * factor, digits)

    def at_places(self, digits: int) -> "Form":
        assert digits >= self.places, "decimals cannot be dropped"
        return self if digits == self.places else self.scaled(int(10 ** (digits - self.places)), digits)


def add(forms: Iterable[tuple[int, Form]], constant: int = 0, digits: int = 0) -> Form:
    """constant + Σ factor · form, all at the given places."""
    total = constant
    found: dict[int, int] = {}
    for factor, form in forms:
        if form.places != digits:
            form = form.at_places(digits)
        total += factor * form.constant
        for column, coef in zip(form.columns, form.coefs, strict=True):
            found[column] = found.get(column, 0) + factor * coef
    return form_of(found, total, digits)


def form_of(coefs: Mapping[int, int], constant: int, digits: int = 0) -> Form:
    """constant + Σ coef · column"""
    kept = sorted([(column, coef) for column, coef in coefs.items() if coef])
    return Form(tuple([column for column, _ in kept]), tuple([coef for _, coef in kept]), constant, digits)


def negated(truth: Truth) -> Truth:
    return (not truth) if isinstance(truth, bool) else ~truth


def truth_form(truth: Truth) -> Form:
    """A truth value as a number: 0 or 1."""
    if isinstance(truth, bool):
        return Form(constant=int(truth))
    return Form((truth,), (1,)) if truth >= 0 else Form((~truth,), (-1,), 1)


def total(literals: Iterable[Literal]) -> Form:
    """How many of the literals are true."""
    coefs: dict[int, int] = {}
    constant = 0
    for literal in literals:
        if literal >= 0:
            coefs[literal] = coefs.get(literal, 0) + 1
        else:
            coefs[~literal] = coefs.get(~literal, 0) - 1
            constant += 1
    return form_of(coefs, constant)


def without_common(forms: Sequence[Form]) -> tuple[int, tuple[Form, ...]]:
    """The largest g and smallest forms a, such that the forms are g·a + r for one r."""
    first = forms[0].constant
    divisor = math.gcd(*(number for form in forms for number in (*form.coefs, form.constant - first))) or 1
    return divisor, tuple(quotient(form, divisor) for form in forms)


def quotient(form: Form, divisor: int) -> Form:
    """floor(form / divisor), where the divisor divides all coefficients."""
    return Form(form.columns, tuple([coef // divisor for coef in form.coefs]), form.constant // divisor)
