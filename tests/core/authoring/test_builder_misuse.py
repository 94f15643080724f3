"""Mistakes in Python code are answered with sentences, never decided silently and never a foreign exception."""

import copy
import os
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from random import Random
from typing import Any

import numpy as np
import pytest

import pcl_core
from pcl_core import Code, Issue, MisuseError, PclError, ProblemBuilder

pcl: Any = pcl_core
"""Untyped, because every test here does what the types forbid."""


@dataclass
class Pieces:
    """A builder with one of everything."""

    build: Any = field(default_factory=lambda: ProblemBuilder("misuse"))

    def __post_init__(self) -> None:
        self.a: Any = self.build.boolean("a")
        self.b: Any = self.build.boolean("b")
        self.n: Any = self.build.integer("n", 0, 5)
        self.x: Any = self.build.integer("x", 0, 5, ["u", "v"], [1, 2])
        self.c: Any = self.build.categorical("colour", ["red", "green"])
        self.price: Any = self.build.table("price", {"red": 1, "green": 2})

    def problem(self) -> Any:
        total = self.a + self.b + self.n + pcl.total(self.x) + self.price[self.c]
        self.build.feature("all", total)
        self.build.part("all", [self.a, self.b, self.n, *self.x, self.c])
        return self.build.problem()


Mistake = Callable[[Pieces], object]

UNDECIDED: dict[str, Mistake] = {
    "if a == b": lambda p: 1 if p.a == p.b else 2,
    "a == b == c": lambda p: p.a == p.b == p.n,
    "1 <= n <= 3": lambda p: 1 <= p.n <= 3,
    "not a": lambda p: not p.a,
    "a and b": lambda p: p.a and p.b,
    "a or b": lambda p: p.a or p.b,
    "max": lambda p: max(p.n, p.x["u", 1]),
    "min": lambda p: min([p.n, 3]),
    "sorted": lambda p: sorted([p.n, p.a]),
    "all": lambda p: all([p.a, p.b]),
    "any": lambda p: any(member == 1 for member in p.x),
    "in a list": lambda p: p.b in [p.a, p.b],
    "index": lambda p: [p.a, p.b].index(p.b),
    "remove": lambda p: [p.a, p.b].remove(p.b),
    "lists": lambda p: [p.a] == [p.b],
    "assert": lambda p: bool(p.n == 3),
    "in an array": lambda p: 3 in p.x,
    "numpy": lambda p: np.array([p.a, p.b]) == 1,
}

BOOLS: dict[str, Mistake] = {
    "constraint": lambda p: p.build.constraint("c", True),
    "constraint of numpy": lambda p: p.build.constraint("c", np.int64(1) == 1),
    "constraint of two words": lambda p: p.build.constraint("c", p.x.name == "b"),
    "feature": lambda p: p.build.feature("f", False),
    "definition": lambda p: p.build.define("d", np.True_),
    "choose": lambda p: pcl.choose(True, p.n, 0),
    "implies": lambda p: p.a.implies(False),
    "iff": lambda p: p.a.iff(True),
    "&": lambda p: p.a & True,
    "& from the left": lambda p: True & p.a,
    "| of numpy": lambda p: np.False_ | p.a,
    "|": lambda p: p.a | False,
    "any_of": lambda p: pcl.any_of([p.a, 1 == 1]),
    "all_of": lambda p: pcl.all_of([np.bool_(True), p.a]),
    "count": lambda p: pcl.count([p.a, False]),
}

REFUSED: dict[str, tuple[Mistake, Code, str]] = {
    "unknown index": (lambda p: p.x["w", 1], Code.INDEX_OUTSIDE_SET, "known: u, v"),
    "too few indices": (lambda p: p.x["u"], Code.INDEX_OUTSIDE_SET, "2 indices, not 1"),
    "too many indices": (lambda p: p.x["u", 1, 2], Code.INDEX_OUTSIDE_SET, "2 indices, not 3"),
    "no index": (lambda p: p.x[()], Code.INDEX_OUTSIDE_SET, "not 0"),
    "negative index": (lambda p: p.x["u", -1], Code.INDEX_OUTSIDE_SET, "-1"),
    "float index": (lambda p: p.x["u", 1.0], Code.WRONG_KIND, "write 1"),
    "truth value as index": (lambda p: p.x["u", True], Code.WRONG_KIND, "truth value"),
    "None as index": (lambda p: p.x["u", None], Code.WRONG_KIND, "None"),
    "list as index": (lambda p: p.x[["u"], 1], Code.WRONG_KIND, "a list"),
    "slice": (lambda p: p.x["u", :], Code.WRONG_KIND, "loop"),
    "decision as index": (lambda p: p.x["u", p.n], Code.WRONG_KIND, "table"),
    "index of a single variable": (lambda p: p.n["u"], Code.BAD_EXPRESSION, "arrays"),
    "unknown key": (lambda p: p.price["rde"], Code.LOOKUP_OUTSIDE_TABLE, "'red'"),
    "two keys": (lambda p: p.price["red", 1], Code.LOOKUP_OUTSIDE_TABLE, "1 indices, not 2"),
    "number for a label key": (lambda p: p.price[0], Code.LOOKUP_OUTSIDE_TABLE, "no index 0"),
    "float key": (lambda p: p.price[0.5], Code.WRONG_KIND, "0.5"),
    "None as key": (lambda p: p.price[None], Code.WRONG_KIND, "None"),
    "array as key": (lambda p: p.price[p.x], Code.WRONG_KIND, "array of variables"),
    "loop over a table": (lambda p: list(p.price), Code.BAD_EXPRESSION, "keys"),
    "None compared": (lambda p: p.n == None, Code.WRONG_KIND, "None"),  # noqa: E711
    "order of None": (lambda p: p.n < None, Code.WRONG_KIND, "None"),
    "list compared": (lambda p: p.n != [1], Code.WRONG_KIND, "a list"),
    "object added": (lambda p: p.n + object(), Code.WRONG_KIND, "a object"),
    "label added": (lambda p: p.n + "red", Code.WRONG_KIND, "label"),
    "label from the left": (lambda p: "red" + p.n, Code.WRONG_KIND, "label"),
    "list times": (lambda p: [1] * p.n, Code.WRONG_KIND, "a list"),
    "array added": (lambda p: p.n + p.x, Code.WRONG_KIND, "array of variables"),
    "array compared": (lambda p: p.x == 3, Code.BAD_EXPRESSION, "take one"),
    "arrays compared": (lambda p: p.x != p.x, Code.BAD_EXPRESSION, "take one"),
    "array and": (lambda p: p.x and p.a, Code.BAD_EXPRESSION, "take one"),
    "table compared": (lambda p: p.price == 3, Code.BAD_EXPRESSION, "entries"),
    "array as a constraint": (lambda p: p.build.constraint("c", p.x), Code.WRONG_KIND, "array of variables"),
    "nothing as a constraint": (lambda p: p.build.constraint("c", None), Code.WRONG_KIND, "None"),
    "number as a constraint": (lambda p: p.build.constraint("c", 1), Code.WRONG_KIND, "compare"),
    "number variable as a constraint": (lambda p: p.build.constraint("c", p.n), Code.WRONG_KIND, "compare"),
    "number as a condition": (lambda p: p.n & p.a, Code.WRONG_KIND, "compare"),
    "label as a feature": (lambda p: p.build.feature("f", "red"), Code.WRONG_KIND, "numbers"),
    "list as a definition": (lambda p: p.build.define("d", [p.n]), Code.WRONG_KIND, "a list"),
    "not a number": (lambda p: p.n * float("nan"), Code.NOT_FINITE, "finite"),
    "infinite": (lambda p: p.n <= np.inf, Code.NOT_FINITE, "finite"),
    "too large": (lambda p: p.n * 2**60, Code.NUMBER_TOO_LARGE, "2^53"),
    "too large together": (lambda p: p.n * 2**40 * 2**40, Code.NUMBER_TOO_LARGE, "2^53"),
    "a third": (lambda p: p.n + Fraction(1, 3), Code.WRONG_KIND, "1/3"),
    "complex": (lambda p: p.n + 1j, Code.WRONG_KIND, "complex"),
    "division": (lambda p: p.n / 2, Code.BAD_EXPRESSION, "multiply"),
    "division from the left": (lambda p: 2 / p.n, Code.BAD_EXPRESSION, "multiply"),
    "remainder": (lambda p: p.n % 2, Code.BAD_EXPRESSION, "table"),
    "power": (lambda p: p.n**2, Code.BAD_EXPRESSION, "table"),
    "exclusive or": (lambda p: p.a ^ p.b, Code.BAD_EXPRESSION, "p != q"),
    "call": (lambda p: p.n(1), Code.BAD_EXPRESSION, "square brackets"),
    "length": (lambda p: len(p.n), Code.BAD_EXPRESSION, "list"),
    "loop": (lambda p: list(p.n), Code.BAD_EXPRESSION, "list"),
    "int": (lambda p: int(p.n), Code.BAD_EXPRESSION, "before solving"),
    "range": (lambda p: range(p.n), Code.BAD_EXPRESSION, "before solving"),
    "list read at a decision": (lambda p: [1, 2][p.n], Code.BAD_EXPRESSION, "table"),
    "sum of one": (lambda p: pcl.total(p.n), Code.BAD_EXPRESSION, "[...]"),
    "sum of a number": (lambda p: pcl.total(3), Code.WRONG_KIND, "[...]"),
    "sum of a mapping": (lambda p: pcl.total({1: p.n}), Code.WRONG_KIND, ".values()"),
    "sum of text": (lambda p: pcl.total("ab"), Code.WRONG_KIND, "list"),
    "sum of labels": (lambda p: pcl.total(["red"]), Code.WRONG_KIND, "numbers"),
    "smallest of nothing": (lambda p: pcl.smallest([]), Code.EMPTY_DOMAIN, "nothing"),
    "is_in of text": (lambda p: p.c.is_in("red"), Code.WRONG_KIND, "[...]"),
    "is_in of a number": (lambda p: p.n.is_in(3), Code.WRONG_KIND, "[...]"),
    "is_in of floats": (lambda p: p.n.is_in([1.5]), Code.WRONG_KIND, "1.5"),
    "is_in of expressions": (lambda p: p.n.is_in([p.a]), Code.WRONG_KIND, "any_of"),
    "choose labels": (lambda p: pcl.choose(p.a, "red", "green"), Code.WRONG_KIND, "numbers"),
    "bounds turned round": (lambda p: p.build.integer("m", 3, 1), Code.EMPTY_DOMAIN, "3..1"),
    "bounds as floats": (lambda p: p.build.integer("m", 0, 5.0), Code.WRONG_KIND, "write 5"),
    "bounds as text": (lambda p: p.build.integer("m", "0", 5), Code.WRONG_KIND, "text '0'"),
    "bounds as truth values": (lambda p: p.build.integer("m", False, True), Code.WRONG_KIND, "truth value"),
    "a list as bound": (lambda p: p.build.integer("m", 5, ["u"]), Code.WRONG_KIND, "a list"),
    "bounds too large": (lambda p: p.build.integer("m", 0, 2**60), Code.NUMBER_TOO_LARGE, "2^53"),
    "labels as text": (lambda p: p.build.categorical("m", "abc"), Code.WRONG_KIND, "[...]"),
    "labels as numbers": (lambda p: p.build.categorical("m", [1, 2]), Code.WRONG_KIND, "build.integer"),
    "labels as a set": (lambda p: p.build.categorical("m", {"a", "b"}), Code.WRONG_KIND, "sort"),
    "no labels": (lambda p: p.build.categorical("m", []), Code.EMPTY_DOMAIN, "empty"),
    "labels twice": (lambda p: p.build.categorical("m", ["a", "b", "a"]), Code.DUPLICATE_NAME, "'a' twice"),
    "labels of None": (lambda p: p.build.categorical("m", [None]), Code.WRONG_KIND, "None"),
    "axis as text": (lambda p: p.build.boolean("m", "abc"), Code.WRONG_KIND, "[...]"),
    "axis as a number": (lambda p: p.build.boolean("m", 3), Code.WRONG_KIND, "range(3)"),
    "axis as a set": (lambda p: p.build.boolean("m", {1, 2}), Code.WRONG_KIND, "sort"),
    "axis of floats": (lambda p: p.build.boolean("m", [0.5]), Code.WRONG_KIND, "0.5"),
    "axis of lists": (lambda p: p.build.boolean("m", [["u", "v"]]), Code.WRONG_KIND, "a list"),
    "empty axis": (lambda p: p.build.boolean("m", []), Code.EMPTY_DOMAIN, "empty"),
    "axis twice": (lambda p: p.build.boolean("m", [1, 1]), Code.DUPLICATE_NAME, "'1' twice"),
    "name that is no text": (lambda p: p.build.boolean(3), Code.WRONG_KIND, "text"),
    "name of an array that is no text": (lambda p: p.build.boolean(None, [1]), Code.WRONG_KIND, "text"),
    "empty name": (lambda p: p.build.boolean(""), Code.BAD_NAME, "empty"),
    "label that cannot be filled": (lambda p: p.build.boolean("m", [1], label="{day}"), Code.BAD_EXPRESSION, "{0}"),
    "label with an open brace": (lambda p: p.build.boolean("m", label="{"), Code.BAD_EXPRESSION, "braces"),
    "label that is no text": (lambda p: p.build.boolean("m", label=3), Code.WRONG_KIND, "text"),
    "table of a list": (lambda p: p.build.table("t", [1, 2]), Code.WRONG_KIND, "axes"),
    "table of nothing": (lambda p: p.build.table("t", None), Code.WRONG_KIND, "None"),
    "empty table": (lambda p: p.build.table("t", {}), Code.EMPTY_DOMAIN, "empty"),
    "table with tuples": (lambda p: p.build.table("t", {("a", "b"): 1}), Code.WRONG_KIND, "nest"),
    "table of words": (lambda p: p.build.table("t", {"a": "b"}), Code.WRONG_KIND, "text 'b'"),
    "table of truth values": (lambda p: p.build.table("t", {"a": True}), Code.WRONG_KIND, "truth value"),
    "table of None": (lambda p: p.build.table("t", {"a": None}), Code.WRONG_KIND, "at [a]"),
    "table with a gap": (lambda p: p.build.table("t", {"a": {1: 1, 2: 2}, "b": {1: 1}}), Code.TABLE_DATA, "[b, 2]"),
    "table with more": (lambda p: p.build.table("t", {"a": {1: 1}, "b": {1: 1, 2: 2}}), Code.TABLE_DATA, "[b, 2]"),
    "table without a key": (lambda p: p.build.table("t", {"a": 1}, ["a", "b"]), Code.TABLE_DATA, "[b]"),
    "table with too few axes": (lambda p: p.build.table("t", {"a": {1: 2}}, ["a"]), Code.TABLE_DATA, "levels"),
    "table with too many axes": (lambda p: p.build.table("t", {"a": 1}, ["a"], [1]), Code.TABLE_DATA, "levels"),
    "table with a short list": (lambda p: p.build.table("t", [1], [1, 2]), Code.TABLE_DATA, "1 values for the 2"),
    "table with mixed keys": (lambda p: p.build.table("t", {"a": 1, 2: 2}), Code.WRONG_KIND, "mixes"),
    "table not finite": (lambda p: p.build.table("t", {"a": np.nan}), Code.NOT_FINITE, "finite"),
    "part of nothing known": (lambda p: p.build.part("p", None), Code.WRONG_KIND, "None"),
    "part of names": (lambda p: p.build.part("p", ["n"]), Code.WRONG_KIND, "not a variable"),
    "part of a name": (lambda p: p.build.part("p", "n"), Code.WRONG_KIND, "[...]"),
    "part of expressions": (lambda p: p.build.part("p", [p.n + 1]), Code.WRONG_KIND, "not a variable"),
    "part of an array in a list": (lambda p: p.build.part("p", [p.x]), Code.WRONG_KIND, "*x"),
    "part with a wrong name": (lambda p: p.build.part(3, [p.n]), Code.WRONG_SHAPE, "string"),
    "initial of a name": (lambda p: p.build.initial("n", 3), Code.WRONG_KIND, "[...]"),
    "initial as nothing": (lambda p: p.build.initial(p.n, None), Code.WRONG_KIND, "None"),
    "initial as a list": (lambda p: p.build.initial(p.x, [1, 2]), Code.WRONG_KIND, "a list"),
    "initial that is not whole": (lambda p: p.build.initial(p.n, 1.5), Code.WRONG_KIND, "1.5"),
    "unknown reach": (lambda p: p.build.feature("f", p.n, reach="far"), Code.UNKNOWN_OPTION, "local"),
    "constant of nothing": (lambda p: pcl.constant(None), Code.WRONG_KIND, "None"),
}

FOUND_TOGETHER: dict[str, tuple[Mistake, Code, str]] = {
    "label outside the domain": (lambda p: p.build.constraint("c", p.c == "rde"), Code.LABEL_OUTSIDE_DOMAIN, "'red'"),
    "label outside in a list": (lambda p: p.build.constraint("c", p.c.is_in(["rde"])), Code.LABEL_OUTSIDE_DOMAIN, "'red'"),
    "label compared with a number": (lambda p: p.build.constraint("c", p.c == 3), Code.WRONG_KIND, "label"),
    "labels in order": (lambda p: p.build.constraint("c", p.c < "red"), Code.WRONG_KIND, "=="),
    "product": (lambda p: p.build.feature("f", p.n * p.x["u", 1]), Code.PRODUCT_OF_VARIABLES, "Boolean"),
    "table read outside": (lambda p: p.build.feature("f", p.price[p.n]), Code.WRONG_KIND, "keys are labels"),
    "variable twice": (lambda p: p.build.integer("n", 0, 1), Code.DUPLICATE_NAME, "name"),
    "constraint twice": (lambda p: [p.build.constraint("c", p.a) for _ in range(2)], Code.DUPLICATE_NAME, "name"),
    "part of nothing": (lambda p: p.build.part("p", []), Code.EMPTY_PART, "variables"),
    "initial value outside": (lambda p: p.build.initial([*p.x, p.n, p.a, p.b], 9), Code.BAD_CONFIGURATION, "9"),
    "constant feature": (lambda p: p.build.feature("f", pcl.constant(3)), Code.FEATURE_WITHOUT_VARIABLES, "variable"),
}  # fmt: skip


@pytest.mark.parametrize("name", UNDECIDED)
def test_python_cannot_decide_on_an_expression(name: str) -> None:
    with pytest.raises(MisuseError, match="no truth value before solving") as caught:
        UNDECIDED[name](Pieces())
    assert isinstance(caught.value, TypeError)
    assert caught.value.issues[0].hint


@pytest.mark.parametrize("name", BOOLS)
def test_a_truth_value_of_python_is_no_condition(name: str) -> None:
    with pytest.raises(MisuseError, match="not the truth value") as caught:
        BOOLS[name](Pieces())
    assert "did you compare" in (caught.value.issues[0].hint or "")


@pytest.mark.parametrize("name", REFUSED)
def test_a_wrong_argument_is_refused_where_it_is_given(name: str) -> None:
    mistake, code, phrase = REFUSED[name]
    with pytest.raises(PclError) as caught:
        mistake(Pieces())
    (issue,) = caught.value.issues
    assert issue.code is code, str(issue)
    assert phrase in str(issue)


@pytest.mark.parametrize("name", FOUND_TOGETHER)
def test_what_concerns_the_whole_is_found_by_problem(name: str) -> None:
    mistake, code, phrase = FOUND_TOGETHER[name]
    pieces = Pieces()
    mistake(pieces)
    with pytest.raises(PclError) as caught:
        pieces.problem()
    assert code in {issue.code for issue in caught.value.issues}, str(caught.value)
    assert phrase in str(caught.value)


def test_expressions_can_be_copied_and_shown() -> None:
    pieces = Pieces()
    for again in (copy.deepcopy(pieces.n + 1), pickle.loads(pickle.dumps(pieces.n + 1)), copy.copy(pieces.n + 1)):
        assert repr(again) == "Expression(n + 1)"


ANYTHING: list[Callable[[Pieces], object]] = [
    lambda p: None, lambda p: True, lambda p: np.False_, lambda p: 0, lambda p: -3, lambda p: 1.0, lambda p: 0.5,
    lambda p: float("nan"), lambda p: 2**70, lambda p: Decimal("0.1"), lambda p: Decimal("NaN"), lambda p: 1j,
    lambda p: Fraction(1, 2), lambda p: "", lambda p: "red", lambda p: "n", lambda p: b"red", lambda p: [],
    lambda p: ["u", "v"], lambda p: [1, "a"], lambda p: ("u", 1), lambda p: {"red": 1}, lambda p: {1: {2: 3}}, lambda p: {},
    lambda p: {"a", "b"}, lambda p: range(3), lambda p: (k for k in "ab"), lambda p: object(), lambda p: int, lambda p: len,
    lambda p: np.int64(1), lambda p: np.float32(0.1), lambda p: np.float64(2), lambda p: np.array([1, 2]),
    lambda p: np.array(3), lambda p: np.str_("red"), lambda p: p.a, lambda p: p.n, lambda p: p.c, lambda p: p.x,
    lambda p: p.price, lambda p: p.build, lambda p: p.n + 1, lambda p: p.a & p.b, lambda p: [p.a, p.n], lambda p: slice(1),
    lambda p: pcl.constant("red"), lambda p: pcl.constant(1), lambda p: Ellipsis, lambda p: [None], lambda p: [[1]],
    lambda p: "x\x00", lambda p: "{0}", lambda p: "\ud800",
]  # fmt: skip
DONE: list[Callable[..., object]] = [
    lambda p, v, w: p.build.boolean(v, w),
    lambda p, v, w: p.build.boolean("m", v, w),
    lambda p, v, w: p.build.boolean("m", [1], label=v),
    lambda p, v, w: p.build.integer("m", v, w),
    lambda p, v, w: p.build.integer("m", 0, 1, v, unit=w),
    lambda p, v, w: p.build.categorical("m", v, w),
    lambda p, v, w: p.build.categorical(v, ["a"], label=w),
    lambda p, v, w: p.build.table("m", v, w),
    lambda p, v, w: p.build.table(v, w),
    lambda p, v, w: p.build.table("m", {"a": v, "b": w}),
    lambda p, v, w: p.build.define(v, w),
    lambda p, v, w: p.build.define("m", v, label=w),
    lambda p, v, w: p.build.constraint(v, w),
    lambda p, v, w: p.build.constraint("m", v, label=w),
    lambda p, v, w: p.build.feature(v, w),
    lambda p, v, w: p.build.feature("m", v, unit=w),
    lambda p, v, w: p.build.feature("m", p.n, reach=v, label=w),
    lambda p, v, w: p.build.part(v, w),
    lambda p, v, w: p.build.part("m", [v, w]),
    lambda p, v, w: p.build.initial(v, w),
    lambda p, v, w: p.build.initial([v], w),
    lambda p, v, w: ProblemBuilder(v, label=w),
    lambda p, v, w: p.x[v],
    lambda p, v, w: p.x[v, w],
    lambda p, v, w: p.price[v],
    lambda p, v, w: p.price[v, w],
    lambda p, v, w: p.build.feature("m", pcl.choose(v, w, 1)),
    lambda p, v, w: p.build.feature("m", pcl.choose(p.a, v, w)),
    lambda p, v, w: p.build.constraint("m", p.a.implies(v) & w),
    lambda p, v, w: p.build.constraint("m", p.a.iff(v) | w),
    lambda p, v, w: p.build.constraint("m", (p.n == v) & (w != p.c)),
    lambda p, v, w: p.build.constraint("m", (p.n <= v) | (w > p.n)),
    lambda p, v, w: p.build.constraint("m", p.c.is_in(v)),
    lambda p, v, w: p.build.constraint("m", p.n.is_in([v, w])),
    lambda p, v, w: p.build.feature("m", p.n + v - w),
    lambda p, v, w: p.build.feature("m", v * p.n * w),
    lambda p, v, w: p.build.feature("m", pcl.total([v, w])),
    lambda p, v, w: p.build.feature("m", pcl.total(v)),
    lambda p, v, w: p.build.feature("m", pcl.smallest([v, w]) + pcl.largest([v, p.n])),
    lambda p, v, w: p.build.constraint("m", pcl.all_different([v, w])),
    lambda p, v, w: p.build.constraint("m", pcl.any_of([v, w]) & pcl.all_of(v)),
    lambda p, v, w: p.build.feature("m", pcl.count(v) + pcl.count([w])),
    lambda p, v, w: p.build.feature("m", pcl.constant(v) + pcl.constant(w)),
]
TRIES = 20_000 if os.environ.get("PCL_CAMPAIGN") == "1" else 1_500


def test_whatever_is_handed_over_ends_in_a_problem_or_in_a_sentence() -> None:
    random = Random(10)
    for _ in range(TRIES):
        pieces = Pieces()
        action, first, second = random.choice(DONE), random.choice(ANYTHING), random.choice(ANYTHING)
        issues: tuple[Issue, ...] = ()
        try:
            action(pieces, first(pieces), second(pieces))
            pieces.problem()
        except PclError as error:
            issues = error.issues
        assert all(issue.message and len(str(issue)) < 600 for issue in issues)


@pytest.mark.parametrize("look", [lambda p: "red" in p.c, lambda p: 1 in p.n, lambda p: p.a in p.n])
def test_looking_for_a_value_in_a_variable_names_is_in(look: Callable[[Pieces], object]) -> None:
    with pytest.raises(MisuseError, match="is_in"):
        look(Pieces())


def test_functions_of_many_take_one_list_or_several_arguments() -> None:
    pieces = Pieces()
    n, m, p, q = pieces.n, pieces.x["u", 1], pieces.a, pieces.b
    for numbers in (pcl.total, pcl.largest, pcl.smallest, pcl.all_different):
        assert numbers(n, m, 3).node == numbers([n, m, 3]).node
    for truths in (pcl.any_of, pcl.all_of, pcl.count):
        assert truths(p, q).node == truths([p, q]).node
    for function in (pcl.total, pcl.largest, pcl.smallest, pcl.all_different, pcl.any_of, pcl.all_of, pcl.count):
        with pytest.raises(MisuseError, match="none are given"):
            function()


def test_an_array_can_be_walked_backwards() -> None:
    x = Pieces().x
    assert [repr(member) for member in reversed(x)] == [repr(member) for member in x][::-1]
