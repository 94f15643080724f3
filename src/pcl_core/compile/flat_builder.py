"""The flat model under construction: columns, and the Boolean columns that stand for facts about forms.

Equal requests give the same column, and nothing is added where bounds already decide: every Boolean is tied both ways,
because weights may have any sign.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from pcl_core.compile.flat import (
    Apart,
    Clause,
    Column,
    Different,
    ExactlyOne,
    FlatConstraint,
    FlatModel,
    Form,
    Groups,
    Implied,
    Literal,
    Maximum,
    Row,
    Truth,
    add,
    interval,
    negated,
    quotient,
    truth_form,
    without_common,
)
from pcl_core.ir.coding import VariableColumns


class FlatBuilder:
    """Columns and the constraints that define them, as far as they are made."""

    def __init__(self) -> None:
        self.origin = -1
        """Which named constraint is being stated; -1 for definitions."""
        self.columns: list[Column] = []
        self._constraints: list[FlatConstraint] = []
        self._origins: list[int] = []
        self._groups = Groups({}, [])
        self._made = 0
        self._named: dict[tuple[object, ...], int] = {}
        self._indicators: dict[int, dict[int, Literal]] = {}
        self._choices: dict[tuple[object, ...], list[list[Literal]]] = {}

    def model(
        self, variables: Sequence[VariableColumns], context: Sequence[VariableColumns], features: Sequence[Form]
    ) -> FlatModel:
        """What was made, for good."""
        return FlatModel(
            tuple(self.columns),
            tuple(self._constraints),
            tuple(self._origins),
            tuple(variables),
            tuple(context),
            tuple(features),
            self._groups,
            self._indicators,
        )

    def bounds(self, form: Form) -> tuple[int, int]:
        return interval(form, self.columns, self._groups)

    def column(self, name: str, lower: int, upper: int) -> int:
        self.columns.append(Column(name, lower, upper))
        return len(self.columns) - 1

    def require(self, constraint: FlatConstraint) -> None:
        self._constraints.append(constraint)
        self._origins.append(self.origin)

    def define(self, constraint: FlatConstraint) -> None:
        """Add a constraint that ties an auxiliary column; it serves whoever uses the column."""
        self._constraints.append(constraint)
        self._origins.append(-1)

    def exactly_one(self, columns: tuple[int, ...]) -> None:
        """Of these columns exactly one is true."""
        self.define(ExactlyOne(columns))
        self._group(columns, len(columns))

    def at_most_one(self, columns: Iterable[int]) -> None:
        """Of these columns at most one is true, as the constraints that define them have it; for bounds alone."""
        self._group([column for column in columns if column not in self._groups.of_column], None)

    def _group(self, columns: Iterable[int], size: int | None) -> None:
        self._groups.of_column.update(dict.fromkeys(columns, len(self._groups.sizes)))
        self._groups.sizes.append(size)

    def _fresh(self, sort: str) -> int:
        return self._auxiliary(sort, 0, 1)

    def _auxiliary(self, sort: str, lower: int, upper: int) -> int:
        """A column that no variable has; auxiliary columns are counted on their own."""
        self._made += 1
        return self.column(f"{sort}{self._made - 1}", lower, upper)

    def always(self) -> int:
        """A column that is one."""
        if ("true",) not in self._named:
            self._named["true",] = self.column("true", 1, 1)
        return self._named["true",]

    def as_truth(self, form: Form) -> Truth:
        """A form whose only values are 0 and 1 as a literal; a column is made when it is not one already."""
        if not form.columns:
            return form.constant == 1
        if len(form.columns) == 1 and (form.coefs[0], form.constant) in ((1, 0), (-1, 1)):
            return form.columns[0] if form.coefs[0] == 1 else ~form.columns[0]
        key = ("is", form)
        if key not in self._named:
            fresh = self._named[key] = self._fresh("b")
            self.define(Row(add([(1, form), (-1, Form((fresh,), (1,)))]), 0, 0))
        return self._named[key]

    def all_of(self, truths: Iterable[Truth]) -> Truth:
        """A literal that is true exactly where all are."""
        literals: dict[int, None] = {}
        for truth in truths:
            if truth is False:
                return False
            if truth is not True:
                if ~truth in literals:
                    return False
                literals[truth] = None
        found = tuple(sorted(literals))
        if len(found) <= 1:
            return found[0] if found else True
        key = ("and", found)
        if key not in self._named:
            fresh = self._named[key] = self._fresh("and")
            for literal in found:
                self.define(Clause((~fresh, literal)))
            self.define(Clause((fresh, *(~literal for literal in found))))
        return self._named[key]

    def any_of(self, truths: Iterable[Truth]) -> Truth:
        return negated(self.all_of(negated(truth) for truth in truths))

    def differ(self, left: Truth, right: Truth) -> Truth:
        """Exclusive or."""
        if isinstance(left, bool):
            return negated(right) if left else right
        if isinstance(right, bool):
            return negated(left) if right else left
        flip = (left < 0) != (right < 0)
        a, b = sorted((left if left >= 0 else ~left, right if right >= 0 else ~right))
        if a == b:
            return flip
        key = ("xor", a, b)
        if key not in self._named:
            x = self._named[key] = self._fresh("xor")
            for clause in ((~x, a, b), (~x, ~a, ~b), (x, ~a, b), (x, a, ~b)):
                self.define(Clause(clause))
        return ~self._named[key] if flip else self._named[key]

    def same_choice(self, first: Mapping[str, Truth], second: Mapping[str, Truth]) -> Truth:
        """A literal that is true exactly where both choose the same; of each, exactly one literal is true."""
        key = ("same", tuple(sorted(first.items())), tuple(sorted(second.items())))
        if key not in self._named:
            same = self._named[key] = self._fresh("same")
            for label in dict.fromkeys((*first, *second)):
                a, b = first.get(label, False), second.get(label, False)
                if b is False or a is False:
                    self.define(Clause((~same, *(~literal for literal in (a, b) if literal is not False))))
                else:  # where b is chosen, same says whether a is
                    self.define(Clause((~b, ~same, a)))
                    self.define(Clause((~b, same, ~a)))
        return self._named[key]

    def is_choice(self, truths: Collection[Truth]) -> bool:
        """Whether these are the columns of a choice, all of them: exactly one is true."""
        groups = {self._groups.of_column.get(truth) for truth in truths}
        group = groups.pop() if len(groups) == 1 else None
        return group is not None and self._groups.sizes[group] == len(truths)

    def choice_of_both(self, first: Sequence[Literal], second: Sequence[Literal]) -> list[list[Literal]]:
        """For each of the first and each of the second, where exactly one of each is true, the literal that both are.

            Σ_j both[i][j] = first[i]        Σ_i both[i][j] = second[j]

        These are two rows for what would be three clauses for each pair, and solvers see that one pair is chosen.
        """
        key = ("both", *first, -1, *second)
        if key not in self._choices:
            both = [[self._fresh("both") for _ in second] for _ in first]
            for literal, row in zip(first, both, strict=True):
                self.define(ExactlyOne((~literal, *row)))
            for literal, column in zip(second, zip(*both, strict=True), strict=True):
                self.define(ExactlyOne((~literal, *column)))
            made = [each for row in both for each in row]
            self._group(made, len(made))
            self._choices[key] = both
        return self._choices[key]

    def at_most_zero(self, form: Form) -> Truth:
        """A literal that is true exactly where form <= 0."""
        low, high = self.bounds(form)
        if high <= 0 or low > 0:
            return high <= 0
        divisor = math.gcd(*form.coefs)
        # Σ coefs·x <= -constant is Σ (coefs/g)·x <= floor(-constant/g)
        form = Form(form.columns, tuple(c // divisor for c in form.coefs), -(-form.constant // divisor))
        if len(form.columns) == 1 and self._is_boolean(form.columns[0]):
            return form.columns[0] if form.coefs[0] < 0 else ~form.columns[0]
        key, opposite = ("<=", form), ("<=", form.scaled(-1)._replace(constant=1 - form.constant))
        if opposite in self._named:  # form >= 1 is exactly where form <= 0 is not
            return ~self._named[opposite]
        if key not in self._named:
            fresh = self._named[key] = self._fresh("le")
            self.define(Implied(fresh, form, None, 0))
            self.define(Implied(~fresh, form, 1, None))
        return self._named[key]

    def is_zero(self, form: Form) -> Truth:
        """A literal that is true exactly where form == 0."""
        low, high = self.bounds(form)
        if not form.columns or low > 0 or high < 0 or form.constant % math.gcd(*form.coefs):
            return form == Form(places=form.places)
        if low == 0:
            return self.at_most_zero(form)
        if high == 0:
            return self.at_most_zero(form.scaled(-1))
        if len(form.columns) == 1 and form.columns[0] in self._indicators:
            wanted = -form.constant // form.coefs[0]
            return self._indicators[form.columns[0]].get(wanted, False)
        if len(form.columns) == 2 and all(map(self._is_boolean, form.columns)):
            if sorted(form.coefs) == [-1, 1] and form.constant == 0:
                return negated(self.differ(*form.columns))
            if abs(form.constant) == 1 and form.coefs == (-form.constant,) * 2:  # x + y == 1
                return self.differ(*form.columns)
        divisor = math.gcd(*form.coefs) * (1 if form.coefs[0] > 0 else -1)
        form = Form(form.columns, tuple([c // divisor for c in form.coefs]), form.constant // divisor)
        key = ("==", form)
        if key not in self._named:
            fresh = self._named[key] = self._fresh("eq")
            self.define(Implied(fresh, form, 0, 0))
            self.define(Apart(~fresh, form))
        return self._named[key]

    def _is_boolean(self, column: int) -> bool:
        held = self.columns[column]
        return held.lower >= 0 and held.upper <= 1

    def indicators(self, column: int) -> dict[int, Literal]:
        """For each value of a column the literal that is true exactly where the column has it."""
        if column not in self._indicators:
            held = self.columns[column]
            if self._is_boolean(column):
                self._indicators[column] = {0: ~column, 1: column}
            else:
                fresh = {v: self.column(f"{held.name}={v}", 0, 1) for v in range(held.lower, held.upper + 1)}
                self._indicators[column] = fresh
                self.exactly_one(tuple(fresh.values()))
                picked = add([(1, Form((f,), (v,))) for v, f in fresh.items()])
                self.define(Row(add([(1, picked), (-1, Form((column,), (1,)))]), 0, 0))
        return self._indicators[column]

    def as_column(self, form: Form) -> int:
        """A column that equals a form without decimals."""
        if form.constant == 0 and form.coefs == (1,):
            return form.columns[0]
        key = ("column", form)
        if key not in self._named:
            fresh = self._named[key] = self._auxiliary("n", *self.bounds(form))
            self.define(Row(add([(1, form), (-1, Form((fresh,), (1,)))]), 0, 0))
        return self._named[key]

    def largest(self, forms: Sequence[Form]) -> Form:
        """The largest of forms at the same places."""
        digits = forms[0].places
        floor = max(self.bounds(form)[0] for form in forms)
        kept = list(dict.fromkeys(form for form in forms if self.bounds(form)[1] > floor))
        if not kept:  # nothing can exceed the form with the largest lower bound
            return next(form for form in forms if self.bounds(form)[0] == floor)
        kept += [form for form in dict.fromkeys(forms) if form not in kept and self.bounds(form)[0] == floor][:1]
        if len(kept) == 1:
            return kept[0]
        divisor, forms = without_common(kept)  # max(g·a + r, g·b + r) is g·max(a, b) + r
        rest = kept[0].constant % divisor
        key = ("max", tuple(sorted(forms)))
        if key not in self._named:
            bounds = [self.bounds(form) for form in forms]
            fresh = self._auxiliary("max", max(low for low, _ in bounds), max(high for _, high in bounds))
            self._named[key] = fresh
            self.define(Maximum(fresh, forms))
        return Form((self._named[key],), (divisor,), rest, digits)

    def overlapping(self, forms: Sequence[Form]) -> list[list[Form]]:
        """The forms in groups of two and more, such that only those of a group can be equal; bounds tell the others apart."""
        found: list[list[Form]] = []
        end: int | None = None
        for low, high, form in sorted([(*self.bounds(form), form) for form in forms]):
            if end is None or low > end:
                found.append([])
            found[-1].append(form)
            end = high if end is None else max(end, high)
        return [group for group in found if len(group) > 1]

    def different(self, forms: Sequence[Form]) -> Different:
        """No two of the forms are equal. Where all have literals for their values, these say it too."""
        _, small = without_common(forms)
        affine = tuple([form if len(form.columns) < 2 else Form((self.as_column(form),), (1,)) for form in small])
        having: dict[int, list[Literal]] = {}
        for form in affine:
            if not form.columns or form.columns[0] not in self._indicators:
                return Different(affine)
            for value, literal in self._indicators[form.columns[0]].items():
                having.setdefault(form.constant + form.coefs[0] * value, []).append(literal)
        return Different(affine, tuple([tuple(literals) for literals in having.values() if len(literals) > 1]))

    def times(self, truth: Truth, form: Form) -> Form:
        """The form where the literal is true, zero elsewhere."""
        if isinstance(truth, bool):
            return form if truth else Form(places=form.places)
        if not form.columns:
            return add([(form.constant, truth_form(truth))])._replace(places=form.places)
        # b·(g·a + r) is g·(b·a) + r·b
        divisor = math.gcd(*form.coefs)
        inner, rest = quotient(form, divisor), form.constant % divisor
        key = ("times", truth, inner)
        if key not in self._named:
            low, high = self.bounds(inner)
            fresh = self._named[key] = self._auxiliary("p", min(0, low), max(0, high))
            mine = Form((fresh,), (1,))
            self.define(Implied(truth, add([(1, mine), (-1, inner)]), 0, 0))
            self.define(Implied(~truth, mine, 0, 0))
        found = Form((self._named[key],), (divisor,))
        return (add([(1, found), (rest, truth_form(truth))]) if rest else found)._replace(places=form.places)
