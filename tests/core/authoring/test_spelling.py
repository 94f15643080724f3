"""What people write who come from other languages is answered in the words of ours, at its own column."""

import ast
import json
import re
from random import Random

import pytest
from tests.core.authoring.test_fuzz import WORDS
from tests.core.authoring.test_language import FILE

from pcl_core import Code, Issue, PclError, assess, parse_authored
from pcl_core.authoring.infix import ALLOWED, INSTEAD, ExpressionError, parse
from pcl_core.authoring.spelling import INSTEAD as SIGNS
from pcl_core.authoring.spelling import KEYWORDS

LINE = FILE[: FILE.index("CONSTRAINT")].count("\n") + 1
DAYS = ("mon", "tue", "wed")
START = len('  - {name: k, require: "') + 1
FOREIGN = re.compile(
    r"[A-Z][a-z]+[A-Z]|invalid|Perhaps|syntax|unterminated|unmatched|literal|EOF|keyword|parenthes|None\\b"
)
"""Words of Python's parser and of its tree."""

MISTAKES: list[tuple[str, str]] = [
    ("top ▸= 3", "write =="),
    ("top ▸=== 3", "write =="),
    ("top == 3 ▸&& on['mon']", "write `and`"),
    ("on['mon'] ▸|| on['tue']", "write `or`"),
    ("not ▸!on['mon']", "write `not`"),
    ("top ▸<> 3", "write !="),
    ("top ▸=< 3", "write <="),
    ("on['mon'] ▸=> on['tue']", "implies(p, q)"),
    ("on['mon'] ▸-> on['tue']", "implies(p, q)"),
    ("on['mon'] ▸<=> on['tue']", "iff(p, q)"),
    ("top ▸≤ 3", "write <="),
    ("top in ▸range(0, 5)", "0..4"),
    ("top > ▸len(day)", "size"),
    ("0 < ▸SUM(x['mon', *])", "write sum(...)"),
    ("0 < ▸smu(x['mon', *])", "'sum'"),
    ("true == ▸AllDifferent(x['mon', *])", "all_different"),
    ("true == ▸forall(on[d] for d in day)", "write all("),
    ("1 > ▸print(top)", "functions are"),
    ("1 < ▸x(1)", "square brackets"),
    ("0 < ▸sum", "write sum(...)"),
    ("1 + top ▸** 2 > 3", "table"),
    ("1 + top ▸/ 2 > 1", "multiply"),
    ("1 < ▸top * x['mon', 1]", "table"),
    ("1 < ▸2 * top * x['mon', 1]", "table"),
    ("top > sum(▸[x[d, 1] for d in day])", "without brackets"),
    ("top > sum(▸{x[d, 1] for d in day})", "without brackets"),
    ("0 < sum(▸*x['mon', *])", "x[*]"),
    ("top in [▸*day, 1]", "A | B"),
    ("c['mon'] == ▸f'red'", "straight quotes"),
    ("c['mon'] == ▸‘red’", "straight quotes"),
    ("c['mon'] == ▸'red", "not closed"),
    ("c['mon'] == ▸red", "in quotes"),
    ("c['mon'] in ['red' ▸'green']", "comma"),
    ("1 < ▸lambda: top", "definitions"),
    ("1 < top▸.real", "square brackets"),
    ("sum(x['mon', 1▸:2]) > 1", "a..b"),
    ("top > {1▸: 2}", "table"),
    ("top > ▸{}", "table"),
    ("1 < (top ▸if on['mon'])", "a if p else b"),
    ("1 < (top ▸else 3)", "a if p else b"),
    ("(▸if on['mon'] then top > 1 else top < 1)", "a if p else b"),
    ("top▸?1:2", "a if p else b"),
    ("1 > 0 or ▸TRUE", "write true"),
    ("top > 1 ▸AND on['mon']", "small letters"),
    ("(▸NOT on['mon'])", "small letters"),
    ("true and ▸'mon' in pair", "tuple (a, b)"),
    ("true and ▸('mon', 'tue', 'wed') in pair", "tuple (a, b)"),
    ("true and ▸top in pair", "any("),
    ("true and ▸(top, 1) in pair", "any("),
    ("0 < sum(▸x)", "x[*, *]"),
    ("top in ▸top..5", "low <= x <= high"),
    ("true and ▸on['mon'] | on['tue']", "write `or`"),
    ("true and ▸on['mon'] & on['tue']", "write `and`"),
    ("top == ▸1 | top == 2", "write `or`"),
    ("top in ▸1..3 - 2..2", "brackets"),
    ("top in ▸day - 1", "brackets"),
    ("top in ▸day + colour", "A | B"),
    ("1 < top ▸on", "operator or a comma"),
    ("1 < ▸2top", "2 * top"),
    ("▸(top > 1", "not closed"),
    ("top > 1▸)", "closes nothing"),
    ("[top > 1▸)", "closes nothing"),
    ("top ▸>", "missing after"),
    ("top > ▸> 1", "missing before"),
    ("0 < max(x[d, 1] ▸for d in day, 3)", "only argument"),
    ("0 < max(▸(x[d, 1] for d in day), 3)", "sum(... for ...)"),
    ("0 < sum(x[d, 1] ▸for (d, 1) in day)", "plain name"),
    ("top ▸is 3", "write =="),
    ("top == ▸None", "leave it out"),
    ("top ▸:= 3", "definitions"),
    ("top > 1▸; top < 3", "no meaning"),
    ("true and ▸top % 2 == 1", "table"),
    ("top ▸not 3", "not in"),
    ("true == ▸day[1]", "loop"),
]


def own_words(said: str) -> str:
    """A message without what it quotes."""
    return re.sub(r"'[^']*'|`[^`]*`", "", said)


def finding(text: str) -> Issue:
    file = FILE.replace('"CONSTRAINT"', json.dumps(text, ensure_ascii=False)).replace("FEATURE", "top")
    with pytest.raises(PclError) as caught:
        parse_authored(file, "spelling.yaml")
    (issue,) = caught.value.issues
    return issue


@pytest.mark.parametrize(("marked", "phrase"), MISTAKES)
def test_a_foreign_spelling_is_answered(marked: str, phrase: str) -> None:
    text = marked.replace("▸", "")
    issue = finding(text)
    column = START + marked.index("▸") + text[: marked.index("▸")].count('"')
    assert (issue.location.line, issue.location.column) == (LINE, column if column > START else START - 1), str(issue)
    assert phrase in str(issue)
    assert not FOREIGN.search(own_words(f"{issue.message} {issue.hint}")), str(issue)


EVERY_KIND: dict[type[ast.AST], str] = {
    ast.NamedExpr: "(a := 1)", ast.Lambda: "lambda: 1", ast.Dict: "{1: 2}", ast.ListComp: "[a for a in b]",
    ast.SetComp: "{a for a in b}", ast.DictComp: "{a: 1 for a in b}", ast.Await: "await a", ast.Yield: "(yield a)",
    ast.YieldFrom: "(yield from a)", ast.FormattedValue: "f'{a}'", ast.JoinedStr: "f'a'", ast.Attribute: "a.b",
    ast.Starred: "f(*a)", ast.MatMult: "a @ b", ast.Div: "a / b", ast.Pow: "a ** b", ast.RShift: "a >> b",
    ast.BitXor: "a ^ b", ast.Invert: "~a", ast.Is: "a is b", ast.IsNot: "a is not b", ast.keyword: "f(a=1)",
}  # fmt: skip
ABSTRACT = {
    "slice",
    "ExtSlice",
    "Index",
    "Num",
    "Str",
    "Bytes",
    "NameConstant",
    "Ellipsis",
    "AugLoad",
    "AugStore",
    "Param",
    "Suite",
}


def test_every_kind_of_python_expression_is_allowed_or_answered() -> None:
    bases = (ast.expr, ast.operator, ast.unaryop, ast.cmpop, ast.boolop)
    kinds = {kind for base in bases for kind in base.__subclasses__() if kind.__name__ not in ABSTRACT}
    assert kinds - set(ALLOWED) == set(EVERY_KIND) - {ast.keyword}
    assert set(INSTEAD) <= set(EVERY_KIND)
    for text in [*EVERY_KIND.values(), "a << b", "a[1:2]", "None", "...", "1j", "b'a'"]:
        with pytest.raises(ExpressionError) as caught:
            parse(text) if text != "1j" else finding_of_constant(text)
        assert not FOREIGN.search(f"{caught.value.message} {caught.value.hint}".replace("None", "")), text


def finding_of_constant(text: str) -> None:
    issue = finding(f"top == {text}")
    raise ExpressionError(issue.code, issue.message, issue.hint)


def test_no_sign_or_word_is_both_ours_and_foreign() -> None:
    for sign in SIGNS:
        with pytest.raises(ExpressionError, match="no meaning"):
            parse(f"a {sign} b")
    for word in KEYWORDS:
        with pytest.raises(ExpressionError, match="not a word"):
            parse(f"a {word} b")


def test_texts_that_look_foreign_and_are_not() -> None:
    for text in [
        "x<-1",
        "x==-1",
        "x!=-1",
        "x<=-1",
        "a--1",
        "1..5",
        "a..b",
        "0..n-1",
        "x[*,*]",
        "x[ * ]",
        "1.5*x",
        "a*-1",
        ".5",
        "1.",
    ]:
        parse(text)


def test_a_salad_of_words_is_refused_in_our_words() -> None:
    random = Random(7)
    for _ in range(4000):
        text = random.choice(("", " ")).join(
            random.choices([*WORDS, *SIGNS, "==", "'a'", "x[1]", "(a", "b)"], k=random.randint(1, 8))
        )
        try:
            parse(text)
        except ExpressionError as error:
            said = f"{error.message} {error.hint or ''}"
            start = error.offset
        else:
            continue
        assert not FOREIGN.search(own_words(said)), f"{text!r}: {said}"
        assert 0 <= start <= len(text)


@pytest.mark.parametrize(
    ("written", "members"),
    [
        ("1..3 | 5..6", [1, 2, 3, 5, 6]),
        ("1..3 | 2..4", [1, 2, 3, 4]),
        ("[3, 1] | [2, 3]", [3, 1, 2]),
        ("(1..5) - (2..3)", [1, 4, 5]),
        ("slot - [2] - [3]", [1]),
        ("1..4 & 3..9", [3, 4]),
        ("1..2 | 3..4 & 4..5", [1, 2, 4]),
        ("slot | 4..n + 2", [1, 2, 3, 4, 5]),
        ("{2, 1, 2}", [2, 1]),
    ],
)
def test_sets_are_joined_wherever_a_set_stands(written: str, members: list[int]) -> None:
    changes = {
        "FEATURE": f"top + sum(k * top for k in {written})",
        "CONSTRAINT": f"top in {written}",
        "  colour: [red": f'  joined: "{written}"\n  colour: [red',
        "  top: {domain": f'''  u: {{index: [joined], domain: bool}}
  v: {{index: ["{written}", day], domain: bool}}
  w: {{index: {{k: "{written}"}}, domain: bool}}
  top: {{domain''',
        ", top]": ', top, "w[*]", "v[*, *]"]',
        "+ top + sum(shade": "+ top + sum(w[*]) + sum(v[*, *]) + sum(shade",
        "features:\n": 'features:\n  - {name: u, foreach: {k: joined}, value: "u[k]"}\n',
        "parts:\n": f'parts:\n  - {{name: each, foreach: {{k: "{written}"}}, variables: "u[k]"}}\n',
    }
    text = FILE
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    problem = parse_authored(text)
    names = [variable.name for variable in problem.variables]
    assert [name for name in names if name.startswith("w[")] == [f"w[{k}]" for k in members]
    assert [name for name in names if name.startswith("v[")] == [f"v[{k},{d}]" for k in members for d in DAYS]
    assert [part.name for part in problem.parts[:-1]] == [f"each[{k}]" for k in members]
    inside = [top for top in range(-3, 4) if top in members]
    start = {v.name: v.values()[0] for v in problem.variables}
    assert [top for top in range(-3, 4) if assess(problem, start | {"top": top}).feasible] == inside
    assert assess(problem, start | {"top": 1}).features[-1] == 1 + sum(members)


@pytest.mark.parametrize(
    ("domain", "bounds"),
    [
        ("slot", (1, 3)),
        ("slot | 4..5", (1, 5)),
        ("(1..5) - [1, 5]", (2, 4)),
        ("[3, 2, 4]", (2, 4)),
        ("2..2 | 3..3", (2, 3)),
    ],
)
def test_a_set_of_consecutive_numbers_is_a_domain(domain: str, bounds: tuple[int, int]) -> None:
    text = (
        FILE.replace("FEATURE", "top")
        .replace("CONSTRAINT", "true")
        .replace("domain: -n..n", f'domain: "{domain}", unit: m')
    )
    variable = parse_authored(text).variables[-1]
    assert (variable.model_dump()["lower"], variable.model_dump()["upper"]) == bounds


@pytest.mark.parametrize(
    ("domain", "code", "phrase"),
    [
        ('"[1, 2, 4]"', Code.WRONG_KIND, "3 is not in it"),
        ("[1, 2, 4]", Code.WRONG_KIND, "the range 1..4"),
        ('"1..2 | 5..6"', Code.WRONG_KIND, "3 is not in it"),
        ("[1, red]", Code.WRONG_KIND, "all labels or all whole numbers"),
        ("pair", Code.WRONG_KIND, "a tuple"),
        ('"day - day"', Code.EMPTY_DOMAIN, "no value"),
        ("[red, red]", Code.DUPLICATE_NAME, "twice"),
        ("[1, 1]", Code.DUPLICATE_NAME, "twice"),
    ],
)
def test_a_domain_that_cannot_be_one(domain: str, code: Code, phrase: str) -> None:
    text = FILE.replace("FEATURE", "1").replace("CONSTRAINT", "true").replace("domain: -n..n", f"domain: {domain}")
    with pytest.raises(PclError) as caught:
        parse_authored(text, "domain.yaml")
    (issue,) = caught.value.issues
    assert issue.code is code
    assert phrase in str(issue)
