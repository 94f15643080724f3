"""Rules of a person's own: they hold from when she says them, are named as hers, and can be taken back."""

from contextlib import suppress
from fractions import Fraction
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.core.elicitation.sessions import TRIP, seen
from tests.core.elicitation.test_data import valid
from tests.core.elicitation.test_people import ORACLE, asked, finish, live

from pcl_core import (
    Certificate,
    Code,
    Configuration,
    Elicitation,
    FeatureMap,
    InfeasibleError,
    Problem,
    RequestError,
    Settings,
    assess,
    load,
    parse_authored,
    verify,
)
from pcl_core.alternatives import Listing, Residuals
from pcl_core.elicitation import read_events
from pcl_core.elicitation.speaking import without_query
from pcl_core.model.own_rules import EACH, RULE_KINDS, BoundRule, read_rule, under
from pcl_core.solve.oracle import Oracle
from pcl_core.testing.generate import ProblemGenerator


class Refusing:
    """A backend that must not be asked."""

    name = "refusing"
    capabilities = ORACLE.backend.capabilities
    availability = ORACLE.backend.availability

    def compile(self, scope: object) -> object:
        raise AssertionError("replay solves")


def resumed(log: Path, problem: Problem) -> Elicitation:
    return Elicitation.resume(log, problem, oracle=Oracle(problem, Refusing()))  # type: ignore[arg-type]


def all_seen(elicitation: Elicitation) -> dict[str, object]:
    state = elicitation._state
    return {
        **seen(elicitation),
        "rules": state.own_rules,
        "facts": state.facts,
        "spoken": dict(state.spoken),
        "typed": dict(state.typed),
        "skipped": state.skipped,
        "corrections": state.corrections,
    }


# What is said


def test_what_stands_and_breaks_a_rule_is_repaired_with_the_fewest_changes_and_shown() -> None:
    week = live()
    ruling = week.never("place[*]", "town")
    assert {change.variable for change in ruling.changes} == {"place[one]", "place[two]", "place[three]"}
    assert all(change.before == "town" and change.after == "sea" for change in ruling.changes)  # hills need a guide
    assert {week.configuration[f"place[{day}]"] for day in ("one", "two", "three")} == {"sea"}
    assert ruling.against == ()


def test_a_rule_is_listed_as_data_with_words_for_people() -> None:
    week = live()
    week.at_most("place[*]", ["sea", "town"], 2)
    week.at_most("nights[*]", 3, 0, each="part")
    week.never("place[one]", "hills")
    week.always(["guide[one]", "guide[two]"], False)
    assert [rule.words for rule in week.rules] == [
        "at most 2 of sea or town",
        "at most 0 of 3 in each part of nights[*]",
        "never hills in one",
        "always no in guide[one], guide[two]",
    ]
    assert week.rules[0].data() == {
        "kind": "at_most",
        "variables": "place[*]",
        "values": ["sea", "town"],
        "count": 2,
        "each": "all",
        "words": "at most 2 of sea or town",
    }


def test_rules_rulings_and_certificates_with_them_have_a_form_that_fits_the_schema_and_is_read_back() -> None:
    week = live()
    data = valid("Ruling", week.never(["place[one]", "place[two]"], "town").data())
    assert data["rule"]["variables"] == ["place[one]", "place[two]"]
    assert [change["after"] for change in data["changes"]] == ["sea", "sea"]
    week.at_most("nights[*]", 1, 2)
    week.confirm()
    assert week.certificate is not None
    kept = valid("Certificate", week.certificate.data())
    assert [rule["words"] for rule in kept["rules"]] == [rule.words for rule in week.rules]
    read = Certificate.from_data(kept)
    assert read == week.certificate
    assert verify(read, ORACLE, [0.0] * len(TRIP.features)).holds  # type: ignore[arg-type]


def test_a_proposal_never_breaks_a_rule_and_only_what_it_allows_is_possible() -> None:
    week = live(learner="perceptron")
    week.tell(asked(week, "one").improve({"place[one]": "sea", "nights[one]": 3}))
    week.never("nights[*]", [2, 3])
    assert week.configuration["nights[one]"] in (0, 1)
    query = asked(week, "one")
    assert query.proposal["nights[one]"] in (0, 1)
    assert query.possible["nights[one]"] == (0, 1)


def test_values_that_break_a_rule_are_refused_with_its_name() -> None:
    week = live()
    week.never("place[*]", "sea")
    with pytest.raises(InfeasibleError, match="a rule of your own") as caught:
        week.tell(asked(week, "one").improve({"place[one]": "sea"}))
    assert caught.value.conflict == ("yours: never sea in place[*]",)
    preview = week.preview({"place[one]": "sea"})
    assert [(it.name, it.label) for it in preview.broken] == [("yours: never sea in place[*]", "a rule of your own")]


def test_room_for_an_edit_is_made_so_that_her_rules_hold() -> None:
    week = live()
    week.tell(asked(week, "two").improve({"place[two]": "sea"}))
    week.at_most("place[*]", "sea", 1)
    learned = week.tell(asked(week, "one").improve({"place[one]": "sea"}, final=True))
    assert learned is not None
    assert learned.moved.keys() == {"place[two]"}


def test_the_newest_word_wins_over_protected_values_and_that_is_shown_first() -> None:
    week = live()
    week.tell(asked(week, "one").improve({"place[one]": "sea"}, final=True))
    before = week.configuration
    shown = week.preview_rule("never", "place[*]", "sea")
    assert week.configuration == before
    assert week.rules == ()
    assert shown.against == ("place[one]",)
    assert week.never("place[*]", "sea") == shown
    assert week.configuration["place[one]"] != "sea"
    assert "place[one]" not in week._state.spoken
    assert week.confirmed == {}


def test_of_her_own_values_as_few_as_can_be_are_changed() -> None:
    """Two of three days may be at the sea; she chose it for two of them."""
    week = live()
    week.tell(asked(week, "one").improve({"place[one]": "sea"}, final=True))
    week.tell(asked(week, "two").improve({"place[two]": "sea"}))
    week.tell(asked(week, "three").improve({"place[three]": "sea"}, final=True))
    ruling = week.at_most("place[*]", "sea", 2)
    assert [change.variable for change in ruling.changes] == ["place[two]"]
    assert ruling.against == ()


def test_pins_are_kept_and_a_rule_that_they_exclude_is_refused() -> None:
    week = live()
    asked(week, "one")
    week.pin("place[one]", "sea")
    before = all_seen(week)
    with pytest.raises(InfeasibleError, match=r"beside what you pinned, place\[one\] = sea") as caught:
        week.never("place[*]", "sea")
    assert caught.value.conflict == ("yours: never sea in place[*]",)
    assert all_seen(week) == before
    week.never("place[*]", "town")
    assert week.configuration["place[one]"] == "sea"


# What cannot be


def test_a_rule_that_cannot_hold_names_hers_and_the_problems_constraints_and_changes_nothing() -> None:
    week = live()
    asked(week, "one")
    before = all_seen(week)
    with pytest.raises(InfeasibleError) as caught:
        week.at_least("nights[*]", 3, 3)  # costs 18 of 14
    assert caught.value.conflict == ("budget", "yours: at least 3 of 3 in nights[*]")
    assert all_seen(week) == before
    week.never("guide[*]", True)
    with pytest.raises(InfeasibleError) as caught:
        week.at_least("place[*]", "hills", 1)
    assert caught.value.conflict == (
        "hills[one]",
        "hills[two]",
        "hills[three]",
        "yours: never yes in guide[*]",
        "yours: at least 1 of hills in place[*]",
    )
    with pytest.raises(InfeasibleError) as caught:
        week.always("guide[one]", True)
    assert caught.value.conflict == ("yours: never yes in guide[*]", "yours: always yes in guide[one]")
    assert len(week.rules) == 1


@pytest.mark.parametrize(
    ("said", "message", "hint"),
    [
        (("never", "plase[*]", "sea"), "no variable is called 'plase", "place[*]"),
        (("never", "place[on]", "sea"), "no variable is called 'place[on]'", "place[one]"),
        (("never", "place[*,*]", "sea"), "no variable is called", "place[*]"),
        (("never", "place", "sea"), "no variable is called 'place'", "place[*]"),
        (("never", [], "sea"), "no variable is selected", "name"),
        (("never", "place[*]", "see"), "can be 'see'", "'sea'"),
        (("never", "nights[*]", 4), "can be 4", "from 0 to 3"),
        (("never", "place[*]", []), "at least one value", "say"),
        (("nevr", "place[*]", "sea"), "no rule 'nevr'", "'never'"),
        (("always", ["place[one]", "nights[one]"], "sea"), "'nights[one]' cannot be 'sea'", "from 0 to 3"),
        (("at_most", "place[*]", "sea", None), "no number to count to", "0, 1, 2"),
        (("at_most", "place[*]", "sea", -1), "no number to count to", "0, 1, 2"),
        (("at_most", "place[*]", "sea", True), "no number to count to", "0, 1, 2"),
        (("at_most", "place[*]", "sea", 1, "day"), "way to count 'day'", "all"),
        (("at_least", "place[*]", "sea", 4), "cannot be among 3", "at most 3"),
        (("at_least", "place[*]", "sea", 2, "part"), "of part 'one'", "at most 1"),
        (("never", "place[*]", "sea", 3), "counts nothing", ""),
    ],
)
def test_what_cannot_be_meant_is_a_sentence_with_a_suggestion(said: tuple[Any, ...], message: str, hint: str) -> None:
    week = live()
    with pytest.raises(RequestError) as caught:
        week.add_rule(*said)
    assert caught.value.code in (Code.UNKNOWN_NAME, Code.BAD_VALUE)
    assert message in caught.value.issues[0].message
    assert hint in (caught.value.issues[0].hint or "")
    assert week.rules == ()


def test_the_same_rule_twice_is_refused_and_so_is_taking_back_what_is_not_there() -> None:
    week = live()
    week.never("place[*]", "sea")
    with pytest.raises(RequestError, match="already"):
        week.never("place[*]", "sea")
    with pytest.raises(RequestError, match="no rule number 1"):
        week.remove_rule(1)
    week.stop()
    with pytest.raises(RequestError, match="stopped"):
        week.never("place[*]", "hills")
    with pytest.raises(RequestError, match="stopped"):
        week.remove_rule(0)


# What was said before


def test_parts_that_still_stand_as_confirmed_stay_closed_under_a_new_rule() -> None:
    week = live()
    week.confirm(["one", "two"])
    week.never("nights[*]", 3)
    assert set(week.confirmed) == {"one", "two"}
    week.never("place[three]", "town")
    assert week.confirmed == {}
    assert finish(week) == [("three",), ("one", "two")]
    assert week.certificate is not None
    assert [rule.words for rule in week.certificate.rules] == [rule.words for rule in week.rules]


def test_without_a_rule_facts_decide_what_opens() -> None:
    """Accepted among what the rule allowed; what it did not allow she has never turned down."""
    week = live()
    week.confirm(["three"])
    week.never("place[one]", "sea")
    week.confirm(["one", "two"])
    assert week.certificate is not None
    week.remove_rule(0)
    assert week.certificate is None
    assert set(week.confirmed) == {"two", "three"}
    assert finish(week) == [("one",)]


def test_what_was_rejected_before_the_rule_closes_its_part_without_it() -> None:
    week = live()
    week.confirm()
    week.never("place[one]", "sea")
    assert week.certificate is not None
    week.remove_rule(0)
    assert set(week.confirmed) == {"two", "three"}
    assert set(week._rules.standing(week._state)) == {
        "closed"
    }  # nothing is open: it is seen once more, and that is all
    assert finish(week) == [("one", "two", "three")]
    assert week.certificate is not None


def test_an_open_query_is_taken_back_by_a_rule_and_costs_nothing() -> None:
    week = live()
    query = asked(week, "two")
    week.never("place[*]", "town")
    assert week.queries == 0
    assert query.proposal["place[two]"] == "town"
    with pytest.raises(RequestError, match="no open query"):
        week.tell(query.accept())
    again = asked(week, "two")
    assert again.number == query.number
    with pytest.raises(RequestError, match="another proposal"):
        week.tell(query.accept())
    week.undo()
    assert asked(week).part == "two"
    assert asked(week).proposal == query.proposal


def test_parts_confirmed_beside_an_open_query_stay_confirmed_when_it_is_taken_back() -> None:
    week = live()
    asked(week, "two")
    week.confirm(["one"])
    week.never("nights[three]", 3)
    assert week.confirmed == {"one": 2}
    week.undo()
    assert asked(week, "three").part == "three"
    assert week.confirmed == {"one": 2}


@pytest.mark.parametrize("mode", ["keep", "paper"])
def test_rules_hold_in_the_other_modes_too(mode: str) -> None:
    week = live(mode=mode)
    week.never("place[*]", "town")
    week.tell(asked(week).improve({"nights[one]": 0}))
    for _ in range(9):
        query = asked(week)
        assert query.configuration["place[one]"] != "town"
        week.tell(query.skip())
    week.confirm()
    assert week.certificate is not None
    assert len(week.certificate.rules) == 1
    week.remove_rule(0)
    assert week.certificate is None


# What is kept


def test_a_log_with_rules_is_resumed_without_solving_and_undone_like_others(tmp_path: Path) -> None:
    log = tmp_path / "week.jsonl"
    week = live(log=log)
    asked(week)
    week.never("place[*]", "town")
    states = [all_seen(week)]
    week.at_most(["nights[one]", "nights[two]"], [1, 2], 1)
    query = asked(week)
    states.append(all_seen(week))
    week.tell(query.accept())
    states.append(all_seen(week))
    week.remove_rule(0)
    states.append(all_seen(week))
    week.close()
    again = resumed(log, TRIP)
    assert all_seen(again) == states.pop()
    while states:
        again.undo()
        assert all_seen(again) == states.pop()
    again.close()
    assert read_events(log)[0].problem_hash == TRIP.content_hash  # type: ignore[union-attr]


def test_a_log_whose_rule_is_broken_is_refused_with_its_line(tmp_path: Path) -> None:
    log = tmp_path / "week.jsonl"
    week = live(log=log)
    week.never("place[one]", "sea")
    week.tell(asked(week, "one").improve({"place[one]": "town", "nights[one]": 0}))
    week.close()
    log.write_text(log.read_text().replace('"nights[one]":0', '"place[one]":"sea"'))
    with pytest.raises(RequestError, match="breaks the rule 'never sea") as caught:
        resumed(log, TRIP)
    assert caught.value.code is Code.LOG_BROKEN
    assert caught.value.issues[0].location is not None
    assert caught.value.issues[0].location.line == 4


@pytest.mark.parametrize("event", ['"number":1', '"number":-1'])
def test_a_log_that_removes_a_rule_which_is_not_there_is_refused(tmp_path: Path, event: str) -> None:
    log = tmp_path / "week.jsonl"
    week = live(log=log)
    week.never("place[one]", "sea")
    week.remove_rule(0)
    week.close()
    log.write_text(log.read_text().replace('"number":0', event))
    with pytest.raises(RequestError, match="no rule number"):
        resumed(log, TRIP)


def test_a_certificate_that_breaks_its_rules_is_refused_and_one_under_rules_is_checked_among_what_they_allow() -> None:
    week = live()
    week.never("place[*]", ["sea", "hills"])
    week.confirm()
    certificate = week.certificate
    assert certificate is not None
    weights = [1.0 if feature.name.startswith("sea") else 0.0 for feature in TRIP.features]
    assert verify(certificate, ORACLE, weights).holds  # type: ignore[arg-type]
    week.remove_rule(0)
    week.confirm()
    assert week.certificate is not None
    assert not verify(week.certificate, ORACLE, weights).holds  # type: ignore[arg-type]
    certificate.configuration["place[one]"] = "sea"
    found = verify(certificate, ORACLE, weights)  # type: ignore[arg-type]
    assert not found.holds
    assert any("lists the rule" in words for words in found.wrong)


# The problem in force


@pytest.mark.parametrize("backend", ["table", "cpsat", "pulp", "cvxpy", "auto"])
def test_rules_are_compiled_like_any_constraint_for_every_backend(backend: str) -> None:
    week = Elicitation(TRIP, backend=backend, settings=Settings(mode="people", order="declared"))
    assert len(week.never("place[*]", ["town", "hills"]).changes) == 3
    assert len(week.at_most("nights[*]", [2, 3], 0, each="part").changes) == 0
    assert len(week.at_least("guide[*]", True, 2).changes) == 2
    query = asked(week, "one")
    assert (query.possible["place[one]"], query.possible["nights[one]"]) == (("sea",), (0, 1))
    week.at_least("nights[*]", 1, 3)
    with pytest.raises(InfeasibleError) as caught:
        week.always("guide[*]", True)
    assert set(caught.value.conflict) == {
        "budget",
        "yours: at least 3 of 1 in nights[*]",
        "yours: always yes in guide[*]",
    }
    week.confirm()
    assert week.certificate is not None
    assert verify(week.certificate, week.oracle, [1.0] * len(TRIP.features)).holds  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", RULE_KINDS)
@pytest.mark.parametrize("each", EACH)
def test_alternatives_are_those_of_the_problem_with_the_rules_among_its_constraints(kind: str, each: str) -> None:
    random, compared = Random(f"{kind} {each}"), 0
    for seed in range(60):
        problem = ProblemGenerator(Random(seed), max_configurations=200).problem()
        rule = drawn_rule(problem, random, kind, each)
        if rule is None:
            continue
        stricter = under(problem, (rule,))
        assert stricter.structure == problem.structure
        listing, in_force = Listing(problem), Listing(stricter)
        everything = configurations(problem)
        for configuration in random.sample(everything, min(20, len(everything))):
            assert rule.obeyed_by(configuration) == (broken(stricter, configuration) == broken(problem, configuration))
            if not rule.obeyed_by(configuration):
                continue
            for part in range(len(problem.parts)):
                found = listing.of(part, configuration, {}, (rule,))
                expected = in_force.of(part, configuration, {})
                assert found is not None
                assert expected is not None
                assert found.positions.tolist() == expected.positions.tolist()
                assert found.units.tolist() == expected.units.tolist()
                assert found.standing == expected.standing
                compared += len(found)
    assert compared > 500


def test_a_part_too_large_to_be_listed_stays_confirmed_under_new_rules_and_opens_without_them() -> None:
    residuals, standing = Residuals(TRIP), TRIP.initial_configuration
    assert standing is not None
    first, second = (read_rule(TRIP, "at_most", "place[*]", value, 2) for value in ("sea", "town"))
    confirmed = residuals.of(0, standing, {}, (first,))
    assert confirmed.still_holds(residuals.of(0, standing, {}, (second, first)))
    assert not confirmed.still_holds(residuals.of(0, standing, {}, (second,)))
    assert not confirmed.still_holds(residuals.of(0, {**standing, "place[two]": "sea"}, {}, (first,)))
    assert confirmed.still_holds(residuals.of(0, {**standing, "place[one]": "sea"}, {}, (first,)))


def test_scopes_that_no_rule_touches_are_compiled_once() -> None:
    oracle = Oracle.of(TRIP, "table")
    stricter = oracle.restricted(under(TRIP, (read_rule(TRIP, "never", "place[one]", "sea"),)))
    for part, shared in ((0, False), (1, True)):
        own, features = TRIP.parts[part].variables, TRIP.structure.feature_subsets[part]
        scopes = [it.compiled.scope(own, features, None) for it in (oracle, stricter)]
        assert (scopes[0] is scopes[1]) is shared
    assert stricter.features is oracle.features


# Random people with random rules


def configurations(problem: Problem) -> list[Configuration]:
    names = [variable.name for variable in problem.variables]
    return [dict(zip(names, row, strict=True)) for row in product(*(it.values() for it in problem.variables))]


def broken(problem: Problem, configuration: Configuration) -> set[str]:
    return set(assess(problem, configuration).violated)


def drawn_rule(problem: Problem, random: Random, kind: str, each: str) -> BoundRule | None:
    names = [variable.name for variable in problem.variables]
    chosen = random.sample(names, random.randint(1, len(names)))
    domain = list(problem.symbols.variables[chosen[0]].values())
    values = random.sample(domain, random.randint(1, max(1, len(domain) - 1)))
    count = random.randint(0, 2) if kind.startswith("at_") else None
    try:
        return read_rule(problem, kind, chosen if len(chosen) > 1 else chosen[0], values, count, each)
    except RequestError:
        return None


class Linear:
    """A truthful person with a linear utility, who looks at everything that she may have."""

    def __init__(self, problem: Problem, random: Random) -> None:
        self.problem, self.features = problem, FeatureMap(problem)
        self.weights = [random.randint(-3, 3) for _ in problem.features]
        self.allowed = [it for it in configurations(problem) if not broken(problem, it)]

    def utility(self, configuration: Configuration) -> Fraction:
        units = zip(self.features.units(configuration).tolist(), self.features.places.tolist(), strict=True)
        return sum(
            (weight * Fraction(unit, 10**place) for weight, (unit, place) in zip(self.weights, units, strict=True)),
            Fraction(0),
        )

    def best(self, part: int, elicitation: Elicitation) -> Configuration:
        own, now = self.problem.parts[part].variables, elicitation.configuration
        choices = [
            it
            for it in self.allowed
            if all(it[name] == value for name, value in now.items() if name not in own)
            and all(rule.obeyed_by(it) for rule in elicitation._state.own_rules)
        ]
        best = max(choices, key=lambda it: (self.utility(it), it == now))
        return {name: best[name] for name in own}


@pytest.mark.parametrize("seed", range(40))
def test_whatever_rules_are_said_and_taken_back_everything_holds(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    problem = ProblemGenerator(Random(seed), max_configurations=150).problem()
    person = Linear(problem, random)
    if not person.allowed:
        with pytest.raises(RequestError):
            live(problem)
        return
    log = tmp_path / "log.jsonl"
    week = live(problem, log=log, learner=random.choice(["perceptron", "belief"]))
    for _ in range(60):
        before, action = all_seen(week), random.choice(["rule", "rule", "remove", "answer", "answer", "answer", "undo"])
        if action == "rule":
            rule = drawn_rule(problem, random, random.choice(RULE_KINDS), random.choice(EACH))
            if rule is None or rule in week._state.own_rules or len(week.rules) > 2:
                continue
            possible = [it for it in person.allowed if all(one.obeyed_by(it) for one in (*week._state.own_rules, rule))]
            standing = without_query(week._rules, week._state, counting=False).configuration
            said = tuple(rule.rule.data().values())[:-1]
            if not possible:
                with pytest.raises(InfeasibleError) as caught:
                    week.add_rule(*said)
                assert any(name.startswith("yours: ") for name in caught.value.conflict)
                assert all_seen(week) == before
                continue
            ruling = week.add_rule(*said)
            distance = min(sum(it[name] != value for name, value in standing.items()) for it in possible)
            if not ruling.against:
                assert len(ruling.changes) == distance
        elif action == "remove":
            if not week.rules:
                continue
            week.remove_rule(random.randrange(len(week.rules)))
        elif action == "undo":
            with suppress(RequestError):  # nothing to take back
                week.undo()
            continue
        else:
            if not answer(week, person, random):
                continue
        assert not broken(problem, week.configuration)
        assert all(rule.obeyed_by(week.configuration) for rule in week._state.own_rules)
        if random.random() < 0.3 and action != "answer":
            after = all_seen(week)
            week.undo()
            assert all_seen(week) == before
            week.close()
            week = Elicitation.resume(log, problem, backend="table", clock=lambda: 0.0)
            assert all_seen(week) == before
            assert after != before
    for _ in range(200):
        if not answer(week, person, random):
            break
    certificate = week.certificate
    assert certificate is not None
    assert certificate.rules == week.rules
    for part in range(len(problem.parts)):
        best = {**week.configuration, **person.best(part, week)}
        assert person.utility(best) == person.utility(week.configuration)
    assert verify(certificate, Oracle.of(problem, "table"), person.weights).holds  # type: ignore[arg-type]
    after = all_seen(week)
    week.close()
    again = resumed(log, problem)
    assert all_seen(again) == after
    again.close()


def answer(week: Elicitation, person: Linear, random: Random) -> bool:
    """One truthful answer; whether there was something to answer."""
    query = week.ask()
    if query is None:
        return False
    for part in query.parts:
        better = person.best(week.problem.part_position(part), week)
        if any(query.proposal[name] != value for name, value in better.items()):
            week.tell(query.improve(better, final=len(query.parts) == 1 and random.random() < 0.7))
            return True
    week.tell(query.accept())
    return True


# On a week of training


def training(**settings: str) -> Elicitation:
    chosen = {"mode": "people", "select": "round-robin", "order": "declared", **settings}
    return Elicitation(load("training"), settings=Settings.model_validate(chosen))


def test_a_week_with_running_has_none_when_she_never_wants_any() -> None:
    week = training()
    free = [name for name, value in week.configuration.items() if value != "rest"]
    week.tell(asked(week, "mon").improve({free[0]: "running"}, final=True))
    week.tell(asked(week, "thu").improve({"plan[thu,2]": "running", "plan[thu,3]": "running"}))
    before = week.configuration
    ruling = week.never("plan[*,*]", "running")
    assert sorted(change.variable for change in ruling.changes) == ["plan[mon,1]", "plan[thu,2]", "plan[thu,3]"]
    assert ruling.against == ("plan[mon,1]",)
    after = week.configuration
    assert "running" not in after.values()
    assert sum(before[name] != value for name, value in after.items()) == 3
    assert not broken(week.problem, after)
    assert "running" not in asked(week, "thu").possible["plan[thu,2]"]


def test_at_most_three_a_day_of_some_things_holds_in_each_part() -> None:
    week = training()
    slots = [f"plan[thu,{slot}]" for slot in range(1, 6)]
    kinds = ("running", "squats", "squats", "running", "squats")
    week.tell(asked(week, "thu").improve(dict(zip(slots, kinds, strict=True))))
    ruling = week.at_most("plan[*,*]", ["running", "squats"], 3, each="part")
    assert week.rules[0].words == "at most 3 of running or squats in each part"
    assert len(ruling.changes) == 2
    query = asked(week, "thu")
    with pytest.raises(InfeasibleError) as caught:
        week.tell(query.improve(dict.fromkeys(slots[:4], "squats")))
    assert caught.value.conflict == ("yours: at most 3 of running or squats in each part of plan[*,*]",)
    week.tell(query.improve({**dict.fromkeys(slots[:3], "squats"), **dict.fromkeys(slots[3:], "abs")}, final=True))
    assert week.confirmed == {"thu": 2}


UNTIED = parse_authored("""
pcl: 1
name: untied
variables: {a: {domain: [x, y]}, b: {domain: [x, y]}}
features: [{name: a, value: "a == 'x'"}, {name: b, value: "b == 'x'"}]
parts: [{name: first, variables: [a]}, {name: second, variables: [b]}]
initial: [{set: a, to: x}, {set: b, to: x}]
""")


def test_everything_is_selected_by_a_star() -> None:
    pair = live(UNTIED)
    assert len(pair.never("*", "x").changes) == 2
    assert pair.configuration == {"a": "y", "b": "y"}
    assert pair.rules[0].words == "never x"


def test_at_least_so_many_in_each_part_names_the_parts_that_cannot() -> None:
    machine = Elicitation(load("pc"))
    before = machine.rules
    with pytest.raises(RequestError, match="nothing that is meant in base can be RTX 4070"):
        machine.at_least(["case", "card"], "RTX 4070", 1, each="part")
    assert machine.rules == before
    machine.at_most(["case", "card"], "RTX 4070", 0, each="part")
    assert machine.rules[-1].words == "at most 0 of RTX 4070 in each part"


def test_rules_are_said_by_labels_where_there_are_some() -> None:
    rooms = Elicitation(load("hotel"))
    rooms.never("bunk_beds[*]", 3)
    rooms.at_most("sofas[*]", [2, 3], 1, each="part")
    week = Elicitation(load("training"))
    week.never("plan[sat,*]", "running")
    week.never("plan[*,2]", "abs")
    assert [rule.words for rule in (*rooms.rules, *week.rules)] == [
        "never bunk beds = 3",
        "at most 1 of sofas = 2 or 3 in each part",
        "never running in sat",
        "never abs in slot 2",
    ]


def test_what_she_typed_gives_way_after_what_was_guessed() -> None:
    """Her answer was not final, so what she typed may move; but not while a guess could."""
    week = training()
    free = [name for name, value in week.configuration.items() if value != "rest"]
    monday, tuesday = free[0], next(name for name in free if name.startswith("plan[tue"))
    week.tell(asked(week, "mon").improve({monday: "swimming"}, final=True))
    week.tell(asked(week, "tue").improve({tuesday: "running"}))
    assert week.ask() is not None
    running = [name for name, value in week.configuration.items() if value == "running"]
    assert tuesday in running
    assert len(running) > 1, "nothing was guessed"
    ruling = week.at_most("plan[*,*]", "running", 1)
    assert week.configuration[tuesday] == "running"
    assert tuesday not in [change.variable for change in ruling.changes]
