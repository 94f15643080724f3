"""Loops that look up their members yield, and report, what loops that test every member do."""

import random
from itertools import pairwise

import pytest

from pcl_core.authoring import Limits, narrowing, parse_authored
from pcl_core.authoring.environment import STEPS_A_NODE, Budget
from pcl_core.errors import ProblemError

ROOMS = 14
HEAD = """
pcl: 1
name: rooms
sets:
  room: [{rooms}]
  pair: [{pairs}]
  mixed: [[a, 1], [b, 2], [a, b, 1]]
  some: [{some}]
tables:
  row: {{index: [room], values: {rows}}}
  width: {{index: [some], values: {sizes}}}
variables:
  x: {{index: [room], domain: 0..3}}
"""
BODY = """
features:
- {{name: "f[{{r}}]", foreach: {{r: room}}, value: "x[r]"}}
- {{name: "g[{{r}}]", foreach: {{r: room}}, value: "sum(x[q] for q in room if {0}) + x[r]"}}
- {{name: "h[{{r}}]", foreach: {{r: room}}, value: "sum(x[q] + x[p] for p in room if {1} for q in room if {2}) + x[r]"}}
constraints:
- {{name: "c[{{r}},{{q}}]", foreach: {{r: room, q: room}}, if: "{3}", require: "x[r] + x[q] <= 5"}}
parts:
- {{name: "{{r}}", foreach: {{r: room}}, variables: "x[r]"}}
"""


def problem_text(rng: random.Random) -> str:
    rooms = [f"r{at}" for at in range(ROOMS)]
    some = rng.sample(rooms, rng.choice((ROOMS, ROOMS - 2)))
    pairs = sorted({(rng.choice(rooms), rng.choice(rooms)) for _ in range(20)}, key=lambda _: rng.random())
    head = HEAD.format(
        rooms=", ".join(rooms),
        pairs=", ".join(f"[{a}, {b}]" for a, b in pairs),
        some=", ".join(some),
        rows=[rng.choice(("1", "2", "3.5")) for _ in rooms],
        sizes=[rng.randrange(3) for _ in some],
    ).replace("'", "")
    return head + BODY.format(*(condition(rng, names, 2) for names in ("rq", "rp", "pq", "rq")))


def condition(rng: random.Random, names: str, depth: int) -> str:
    if depth and rng.random() < 0.6:
        first, second = condition(rng, names, depth - 1), condition(rng, names, depth - 1)
        return rng.choice((f"({first} and {second})", f"({first} or {second})", f"not {first}"))
    a, b = rng.choice(names), rng.choice(names)
    relation = rng.choice(("==", "==", "!=", "<", ">="))
    return rng.choice(
        (
            f"({a}, {b}) in pair",
            f"({a}, {b}) not in pair",
            f"{a} {rng.choice(('==', '!='))} {b}",
            f"row[{a}] {relation} row[{b}] + 1",
            f"(row[{a}], {b}) {rng.choice(('==', '!='))} (row[{b}], {a})",
            f"({a}, row[{b}]) in mixed",
            f"({a}, {b}, 1) in pair",
            f"width[{a}] {relation} 1",
            f"{a} in some",
            f"abs(row[{a}] - row[{b}]) <= 1",
            f"{a} < 3",
            f"any(({a}, o) in pair for o in room if (o, {b}) in pair)",
        )
    )


def outcome(text: str, worthwhile: int, monkeypatch: pytest.MonkeyPatch) -> object:
    """The ground problem, or the findings with their places."""
    monkeypatch.setattr(narrowing, "WORTHWHILE", worthwhile)
    try:
        return parse_authored(text).to_json()
    except ProblemError as error:
        return [(issue.code, issue.message, issue.hint, issue.location) for issue in error.issues]


@pytest.mark.parametrize("seed", range(60))
def test_a_narrowed_loop_yields_and_reports_what_a_test_of_every_member_does(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = problem_text(random.Random(seed))
    assert outcome(text, 0, monkeypatch) == outcome(text, ROOMS + 1, monkeypatch)


def test_among_the_random_problems_are_right_ones_and_wrong_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    outcomes = [outcome(problem_text(random.Random(seed)), 0, monkeypatch) for seed in range(20)]
    right = sum(isinstance(found, str) for found in outcomes)
    assert 3 < right < 17


def house(rooms: int, foreach: str = "") -> str:
    names = [f"r{at}" for at in range(rooms)]
    pairs = ", ".join(f"[{a}, {b}]" for a, b in pairwise(names))
    return (
        f"pcl: 1\nname: house\nsets:\n  room: [{', '.join(names)}]\n  next: [{pairs}]\n"
        "variables:\n  x: {index: [room], domain: bool}\n"
        "features:\n"
        '- {name: "f[{r}]", foreach: {r: room}, value: "x[r]"}\n'
        '- {name: "g[{r}]", foreach: {r: room}, value: "count(x[q] for q in room if (r, q) in next or (q, r) in next)"}\n'
        f"{foreach}"
        'parts:\n- {name: "{r}", foreach: {r: room}, variables: "x[r]"}\n'
    )


PAIRS = 'constraints:\n- {name: c, foreach: {r: room, q: room}, if: "(r, q) in next", require: "x[r] or x[q]"}\n'


@pytest.mark.parametrize("foreach", ["", PAIRS])
def test_what_a_loop_over_pairs_costs_grows_with_the_pairs_it_yields(
    foreach: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    spent = []
    for rooms in (100, 400):
        budgets: list[Budget] = []
        made = Budget.__init__

        def note(self: Budget, limit: int = 0, made: object = made, budgets: list[Budget] = budgets) -> None:
            made(self, limit)  # type: ignore[operator]
            budgets.append(self)

        with monkeypatch.context() as patched:
            patched.setattr(Budget, "__init__", note)
            parse_authored(house(rooms, foreach))
        spent.append(max(budget.spent for budget in budgets))
    assert spent[1] < 4.2 * spent[0]


def test_a_loop_over_pairs_far_beyond_the_limit_is_refused_before_it_runs() -> None:
    text = house(400, PAIRS)
    with pytest.raises(ProblemError) as refused:
        parse_authored(text, limits=Limits(nodes=400 * 400 // STEPS_A_NODE // STEPS_A_NODE - 1))
    assert refused.value.issues[0].code == "too-many-nodes"
