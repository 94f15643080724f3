"""Warnings for authors: each is told with a remedy, only where it is true, and a comment switches it off."""

import re

import pytest

from pcl_core import Code, assess, load
from pcl_core.authoring import catalogue, lint, load_with_warnings, parse_authored
from pcl_core.testing import NUMBERS, all_configurations, random_problem

HEAD = "pcl: 1\nname: picnic\n"
DAYS = """\
sets: {day: [mon, tue, wed], dish: [soup, salad, stew]}
variables:
  eats: {index: [day], domain: dish}
"""
PARTS = 'parts:\n  - {name: "{d}", foreach: {d: day}, variables: "eats[d]"}\n'
TOLD_APART = """\
features:
  - {name: "soup[{d}]", foreach: {d: day}, value: "eats[d] == 'soup'"}
  - {name: "stew[{d}]", foreach: {d: day}, value: "eats[d] == 'stew'"}
"""


def warned(text: str) -> list[tuple[Code, str, str]]:
    return [(issue.code, issue.message, issue.hint or "") for issue in lint(parse_authored(HEAD + text))]


def codes(text: str) -> list[Code]:
    return [code for code, _, _ in warned(text)]


def test_nothing_is_said_of_a_problem_in_order() -> None:
    assert warned(DAYS + TOLD_APART + PARTS) == []


def test_values_that_no_feature_tells_apart_are_named_once_for_an_array() -> None:
    (found,) = warned(DAYS + TOLD_APART.replace("'stew'", "'soup'") + PARTS)
    assert found[0] is Code.ALIKE_VALUES
    assert found[1] == "no feature tells 'salad' and 'stew' apart; the same of 2 like it"
    assert "feature" in found[2]


def test_values_that_constraints_rule_out_need_not_be_told_apart() -> None:
    rule = 'constraints:\n  - {name: "c[{d}]", foreach: {d: day}, require: "eats[d] != \'stew\'"}\n'
    assert codes(DAYS + TOLD_APART.replace("'stew'", "'soup'") + rule + PARTS) == []


def test_numbers_beyond_the_last_threshold_are_alike() -> None:
    text = "variables: {n: {domain: 0..5}}\nfeatures: [{name: some, value: n >= 3}]\nparts: [{name: p, variables: n}]\n"
    assert [message for _, message, _ in warned(text)] == [
        "no feature tells 0, 1 and 2 apart",
        "no feature tells 3, 4 and 5 apart",
    ]


def test_scales_are_compared_by_what_is_attained_and_what_is_not_exceeded() -> None:
    features = "features: [{name: n, value: n}, {name: some, value: n >= 1}]\n"
    text = "variables: {n: {domain: 0..%d}}\n" + features + "parts: [{name: p, variables: n}]\n"
    assert codes(text % 90) == []
    (found,) = warned(text % 100_000)
    assert found[0] is Code.SCALES_DIFFER
    assert "'some' over 1 at most" in found[1]


def test_a_variable_with_more_values_than_memory_is_no_trouble() -> None:
    text = "variables: {n: {domain: 0..1_000_000_000_000_000}}\nfeatures: [{name: n, value: n}]\n"
    text += "constraints: [{name: c, require: n >= 1}]\nparts: [{name: p, variables: n}]\n"
    assert codes(text) == []


def test_what_would_take_too_long_to_spell_out_is_not_looked_at() -> None:
    text = "variables: {x: {index: {i: 1..3000}, domain: bool}}\nfeatures: [{name: f, value: 'all_different(x[*])'}]\n"
    assert codes(text + "parts: [{name: p, variables: 'x[*]'}]\n") == []


def test_parts_without_a_feature_of_their_own_and_large_ones_are_told_of() -> None:
    shared = """\
shared_only: allow
variables: {a: {domain: bool}, b: {domain: bool}, c: {domain: bool}}
features: [{name: a, value: a}, {name: b, value: a + b}, {name: c, value: a + c}]
parts: [{name: first, variables: a}, {name: second, variables: b}, {name: third, variables: c}]
"""
    assert [found[:2] for found in warned(shared)] == [
        (Code.SHARED_PART, "it has no feature of its own; the same of 1 like it")
    ]
    large = """\
variables:
  many: {index: {i: 1..9}, domain: bool}
  few: {index: {i: 1..3}, domain: bool}
features:
  - {name: "many {i}", foreach: {i: 1..9}, value: "many[i]"}
  - {name: "few {i}", foreach: {i: 1..3}, value: "few[i]"}
parts:
  - {name: large, variables: "many[*]"}
  - {name: "small {i}", foreach: {i: 1..3}, variables: "few[i]"}
"""
    (found,) = warned(large)
    assert (found[0], found[1]) == (Code.LARGE_PART, "it has 9 variables, the others 1 (median)")
    assert codes(large.replace("1..9", "1..4")) == []


def test_constraints_that_never_fail_or_never_hold_are_told_of_but_not_those_of_which_some_can_fail() -> None:
    rule = 'constraints:\n  - {{name: "c[{{d}}]", foreach: {{d: day}}, require: "{}"}}\n'
    always = "eats[d] == 'soup' or eats[d] != 'soup'"
    assert codes(DAYS + TOLD_APART + rule.format(always) + PARTS) == [Code.ALWAYS_HOLDS]
    assert codes(DAYS + TOLD_APART + rule.format("eats[d] == 'soup' and eats[d] == 'stew'") + PARTS) == [
        Code.NEVER_HOLDS
    ]
    assert codes(DAYS + TOLD_APART + rule.format(f"eats[d] == 'soup' if d == 'mon' else ({always})") + PARTS) == []


def test_a_feature_that_names_its_part_and_has_no_like_elsewhere_is_told_of() -> None:
    lonely = TOLD_APART + "  - {name: \"salad[mon]\", value: \"eats['mon'] == 'salad'\"}\n"
    (found,) = warned(DAYS + lonely + PARTS)
    assert (found[0], found[1]) == (Code.LONELY_FEATURE, "only part 'mon' has a feature of its family salad[*]")
    assert codes(DAYS + lonely.replace("salad[mon]", "salad first") + PARTS) == []


@pytest.mark.parametrize(
    ("comment", "silent"),
    [
        ("# lint: allow alike-values: both are cold\nvariables:", True),
        ("variables:\n  # lint: allow scales-differ, alike-values", True),
        ("variables:\n  # lint: allow scales-differ", False),
        ("variables: # lint: allow alike-values: another line", False),
    ],
)
def test_a_comment_switches_a_warning_off(comment: str, silent: bool, tmp_path_factory: pytest.TempPathFactory) -> None:
    file = tmp_path_factory.mktemp("lint") / "picnic.yaml"
    file.write_text(HEAD + (DAYS + TOLD_APART.replace("'stew'", "'soup'") + PARTS).replace("variables:", comment, 1))
    _, warnings = load_with_warnings(file)
    assert [issue.code for issue in warnings] == ([] if silent else [Code.ALIKE_VALUES])
    if not silent:
        line = file.read_text().splitlines()[(warnings[0].location.line or 0) - 1]
        assert "eats: {index" in line
        file.write_text(file.read_text().replace("domain: dish}", "domain: dish}  # lint: allow alike-values"))
        assert load_with_warnings(file)[1] == ()


def test_ground_files_are_warned_about_at_their_lines(tmp_path_factory: pytest.TempPathFactory) -> None:
    problem = parse_authored(HEAD + DAYS + TOLD_APART.replace("'stew'", "'soup'") + PARTS)
    file = tmp_path_factory.mktemp("lint") / "picnic.json"
    file.write_text(problem.to_json().replace(',"', ',\n"'))
    (found,) = load_with_warnings(file)[1]
    assert found.code is Code.ALIKE_VALUES
    assert found.location.line is not None


@pytest.mark.parametrize("name", sorted(catalogue()))
def test_the_catalogue_is_in_order(name: str) -> None:
    assert load_with_warnings(name)[1] == ()


@pytest.mark.parametrize("seed", range(60))
def test_what_is_said_of_random_problems_is_true(seed: int) -> None:
    """Values said to be alike have equal features whatever else is chosen; what never fails, or holds, never does."""
    problem = random_problem(seed, max_configurations=200, numbers=NUMBERS[seed % len(NUMBERS)])
    everything = list(all_configurations(problem))
    judged = [assess(problem, x) for x in everything]
    features = {tuple(x.values()): found.features for x, found in zip(everything, judged, strict=True)}
    ranges = [max(column) - min(column) for column in zip(*features.values(), strict=True)]
    for issue in lint(problem):
        at = issue.path[1]
        assert isinstance(at, int)
        if issue.code in (Code.ALWAYS_HOLDS, Code.NEVER_HOLDS):
            name = problem.constraints[at].name
            assert {name in found.violated for found in judged} == {issue.code is Code.NEVER_HOLDS}
        elif issue.code is Code.SCALES_DIFFER:
            narrow = next(k for k, it in enumerate(problem.features) if f"'{it.name}' over" in issue.message)
            assert ranges[at] > 100 * ranges[narrow]
        elif issue.code is Code.ALIKE_VALUES:
            it = problem.variables[at]
            said = re.split(", | and ", issue.message.removeprefix("no feature tells ").partition(" apart")[0])
            words = {value: repr(value).lower() if isinstance(value, bool) else repr(value) for value in it.values()}
            alike = [value for value, word in words.items() if word in said]
            assert len(alike) > 1
            for x in everything:
                assert len({features[tuple((x | {it.name: value}).values())] for value in alike}) == 1


def test_a_large_problem_is_looked_at_in_bounded_work() -> None:
    problem = load("grid:side=40,part=4")
    assert lint(problem) == ()
