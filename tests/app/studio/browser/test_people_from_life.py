"""Three people who want something definite, on each of the problems from life, in front of the page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from tests.app.studio.browser.visitor import Visitor

Rule = tuple[str, int, str, str]
"""As she says it in the form: kind, how many, of what, where."""
MEAT_AND_FISH = (
    *("pasta with minced meat", "chicken curry", "roast chicken", "chili with beans"),
    *("fish fingers", "salmon with broccoli"),
)
MOST_MORE = 4
"""Questions beside one for each part: what has to be seen again, and the last look."""


@dataclass(frozen=True)
class Person:
    """What she wants, part by part and row by row, as the page calls them; and rules of her own."""

    name: str
    problem: str
    wants: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    rules: Sequence[Rule] = ()
    fills_in: bool = False
    """Whether she has the rest of a part filled in around what she chose."""


def table(rows: str, **parts: str) -> dict[str, dict[str, str]]:
    """`table("lunch, dinner", Mon="pizza, pancakes")`"""
    return {part: dict(zip(rows.split(", "), values.split(", "), strict=True)) for part, values in parts.items()}


PEOPLE = (
    Person(
        "one-menu",
        "meals",
        table(
            "lunch, dinner",
            Mon="vegetable soup, chicken curry",
            Tue="bread and cheese, lentil stew",
            Wed="vegetable soup, pizza",
            Thu="lentil stew, fish fingers",
            Fri="omelette with spinach, salmon with broccoli",
            Sat="pancakes, chili with beans",
            Sun="roast chicken, bread and cheese",
        ),
    ),
    Person(
        "vegetarians",
        "meals",
        rules=(
            *(("never", 1, dish, "everywhere") for dish in MEAT_AND_FISH),
            ("at_least", 2, "vegetable soup", "everywhere"),
            ("never", 1, "pancakes", "every dinner"),
        ),
    ),
    Person(
        "fish-on-friday",
        "meals",
        {"Fri": {"dinner": "salmon with broccoli"}, "Sun": {"lunch": "roast chicken"}},
        fills_in=True,
    ),
    Person(
        "one-trip",
        "trip",
        table(
            "morning, afternoon, evening",
            Thu="cathedral, city beach, tasting dinner",
            Fri="palace, botanic garden, jazz bar",
            Sat="free time, football match, free time",
            Sun="history museum, old town walk, free time",
        ),
    ),
    Person(
        "with-children",
        "trip",
        rules=(
            ("always", 1, "free time", "every evening"),
            ("at_least", 1, "zoo", "everywhere"),
            ("at_least", 1, "city beach", "everywhere"),
            ("never", 1, "art museum", "everywhere"),
        ),
    ),
    Person(
        "match-and-dinner",
        "trip",
        {"Thu": {"evening": "tasting dinner"}, "Sat": {"afternoon": "football match"}},
        fills_in=True,
    ),
    Person(
        "one-computer",
        "pc",
        {
            "Case, board and processor": {
                "case": "silent tower", "board": "B760 medium DDR4", "processor": "Core i5 13600K",
            },
            "Memory and graphics": {"memory": "32 GB DDR4", "graphics card": "RTX 4060"},
            "Storage": {"drive": "2 TB NVMe", "disk": "4 TB disk"},
            "Power and cooling": {"power supply": "750 W gold", "cooler": "silent tower cooler"},
        },
    ),
    Person(
        "office",
        "pc",
        {"Storage": {"drive": "500 GB NVMe"}},
        rules=(("always", 1, "tiny box", "everywhere"), ("always", 1, "no card", "everywhere")),
    ),
    Person(
        "videos",
        "pc",
        {"Memory and graphics": {"memory": "64 GB DDR5"}, "Storage": {"drive": "2 TB NVMe fast", "disk": "4 TB disk"}},
        fills_in=True,
    ),
    Person(
        "last-flat",
        "flat",
        {
            "Bedroom": {"double bed": "b1-b2", "wardrobe": "a3", "armchair": "c1"},
            "Living room": {"sofa": "f2-f3", "television": "d2", "bookcase": "g3", "desk": "g2"},
            "Child's room": {"small bed": "c5-c6", "school desk": "a5", "toy shelf": "a6"},
            "Kitchen": {"kitchen unit": "f4-g4", "dining table": "f6-g6", "fridge": "d5"},
        },
    ),
    Person(
        "corners-free",
        "flat",
        {"Living room": {"desk": "g2"}},
        rules=(("never", 1, "a4", "everywhere"), ("never", 1, "c6", "everywhere"), ("never", 1, "c1", "Bedroom")),
    ),
    Person("large-table", "flat", {"Kitchen": {"dining table": "e5-f5"}, "Bedroom": {"armchair": "a3"}}, fills_in=True),
)  # fmt: skip


@pytest.mark.parametrize("person", PEOPLE, ids=[f"{it.problem}-{it.name}" for it in PEOPLE])
def test_somebody_definite_gets_what_she_wants_on_the_page(visitor: Visitor, person: Person) -> None:
    visitor.begin(person.problem)
    for rule in person.rules:
        say_rule(visitor, rule)
    variables = variables_of(visitor, person.problem)
    typed: dict[str, str] = {}
    for _ in range(60):
        if visitor.page.locator("#end").count():
            break
        part = visitor.page.locator("#part-title").evaluate("it => it.firstChild.textContent.trim()")
        for row, value in changes_in(visitor, person.wants.get(part, {})):
            visitor.pick(row, value)
            typed[variables[part, row]] = value
            if person.fills_in:
                visitor.click("#complete")
                if visitor.page.get_by_text("filled in, was").count():
                    visitor.sees("What you chose stays; because of the rest, this is shown once more.")
        visitor.click("#final")
        standing = visitor.look["configuration"]
        assert {name: standing[name] for name in typed} == typed, "what she typed stays"
    visitor.sees("This is it")
    look = visitor.look
    assert look["certificate"] is not None
    wanted = {variables[part, row]: value for part, rows in person.wants.items() for row, value in rows.items()}
    assert {name: look["configuration"][name] for name in wanted} == wanted
    assert all(holds(rule, look["configuration"], variables) for rule in person.rules)
    assert look["queries"] <= len(look["parts"]) + MOST_MORE


def say_rule(visitor: Visitor, rule: Rule) -> None:
    kind, count, about, where = rule
    form = visitor.page.locator(".rule-form")
    if not form.is_visible():
        visitor.page.get_by_text("+ a rule").click()
    form.locator("[name=kind]").select_option(kind)
    if kind.startswith("at_"):
        form.locator("[name=count]").fill(str(count))
    form.locator("[name=about]").select_option(label=about)
    form.locator("[name=where]").select_option(label=where)
    visitor.click(".rule-form button")
    if visitor.page.locator("#rule-sure").count():
        visitor.click("#rule-sure")
    visitor.sees("From now on:")


def changes_in(visitor: Visitor, wants: Mapping[str, str]) -> list[tuple[str, str]]:
    """What she has to change in the part that she is shown."""
    shown = {row: visitor.row(row).locator("input:checked").input_value() for row in wants}
    return [(row, value) for row, value in wants.items() if shown[row] != value]


def variables_of(visitor: Visitor, problem: str) -> Mapping[tuple[str, str], str]:
    """Names of variables by part and row, as the page calls them."""
    found: Any = visitor.api.get(f"/problems/{problem}").raise_for_status().json()
    called = {it["name"]: it["label"][:1].upper() + it["label"][1:] for it in found["parts"]}
    return {(called[it["part"]], it["short"]): it["name"] for it in found["variables"]}


def holds(rule: Rule, configuration: Mapping[str, object], variables: Mapping[tuple[str, str], str]) -> bool:
    """Whether a rule holds, without the studio's help."""
    kind, count, about, where = rule
    place = where.removeprefix("every ")
    there = [
        configuration[name] for (part, row), name in variables.items() if where == "everywhere" or place in (part, row)
    ]
    often = there.count(about)
    checks: dict[str, Callable[[], bool]] = {
        "never": lambda: often == 0,
        "always": lambda: often == (len(there) if where != "everywhere" else 1),
        "at_least": lambda: often >= count,
    }
    return checks[kind]()
