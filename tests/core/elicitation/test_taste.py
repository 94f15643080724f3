"""What was learned of a person serves her again, by names, and is forgotten where it is wrong."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.core.elicitation.sessions import TRIP

from pcl_core import Code, Elicitation, Oracle, Problem, RequestError, Settings, Taste, load, parse_authored
from pcl_core.model.names import family_names
from pcl_core.solve.protocol import Options
from pcl_core.users.definite import DEFINITE, definite
from pcl_core.users.people import Liking, Shown, SimulatedPerson
from pcl_core.users.simulated import Informative
from pcl_core.users.utility import sample_weights

PEOPLE = Settings(mode="people", learner="belief", select="round-robin", order="declared")
DAYS = """
pcl: 1
name: days
sets: {{day: [{days}]}}
variables: {{plan: {{index: [day], domain: [rest, run, swim]}}}}
features:
  - {{name: "runs[{{d}}]", foreach: {{d: day}}, value: "plan[d] == 'run'"}}
  - {{name: "swims[{{d}}]", foreach: {{d: day}}, value: "plan[d] == 'swim'"}}
parts: [{{name: "{{d}}", foreach: {{d: day}}, variables: ["plan[d]"]}}]
initial: [{{set: "plan[*]", to: rest}}]
"""


def served(week: Elicitation, person: SimulatedPerson) -> tuple[int, int]:
    """Queries and values typed, until the certificate."""
    queries = values = 0
    while (query := week.ask()) is not None:
        queries += 1
        assert queries < 100, "she is never finished"
        answer = query.accept()
        for part in query.parts:
            reply = person.reply(Shown(week.problem.part_position(part), query.configuration, query.pins, query.number))
            if reply.kind == "improved":
                answer = query.improve(reply.values, final=reply.final)
                values += len(reply.values)
                break
        week.tell(answer)
    assert week.certificate is not None
    assert person.satisfied(week.configuration)
    return queries, values


def again(week: Elicitation) -> Taste:
    """What was learned, as it comes back from a file."""
    return Taste.from_data(json.loads(json.dumps(week.taste().data())))


def test_linear_people_need_half_the_queries_in_the_second_week_and_another_taste_costs_three_at_most() -> None:
    oracle = Oracle.of(load("grid"), "table")
    people = [
        Liking(
            oracle,
            sample_weights(oracle.problem, "normal", np.random.default_rng(1000 + u)),
            Informative(alpha=0.3),
            (u,),
        )
        for u in range(6)
    ]

    def live(taste: Taste | None = None) -> Elicitation:
        return Elicitation(oracle.problem, oracle=oracle, settings=PEOPLE, taste=taste)

    weeks = [live() for _ in people]
    first = [served(week, person)[0] for week, person in zip(weeks, people, strict=True)]
    tastes = [again(week) for week in weeks]
    second = [served(live(taste), person)[0] for taste, person in zip(tastes, people, strict=True)]
    wrong = [served(live(tastes[at - 1]), person)[0] for at, person in enumerate(people)]
    assert all(2 * later <= before for later, before in zip(second, first, strict=True))
    assert sum(wrong) <= sum(first) + 3 * len(people)


@pytest.mark.parametrize("who", ["a family's menu", "wants exactly one PC"])
def test_definite_people_type_half_the_values_in_the_second_week(who: str) -> None:
    name, wishes = DEFINITE[who]
    problem = load(name)
    person, week = definite(problem, wishes), Elicitation(problem, settings=PEOPLE)
    _, typed = served(week, person)
    _, typed_again = served(Elicitation(problem, settings=PEOPLE, taste=again(week)), person)
    assert 2 * typed_again <= typed


def test_families_carry_what_was_learned_to_days_that_were_not_there() -> None:
    week, weekend = (parse_authored(DAYS.format(days=days)) for days in ("mon, tue", "sat, tue"))
    live = Elicitation(week, backend="table", settings=PEOPLE)
    query = live.ask("mon")
    assert query is not None
    live.tell(query.improve({"plan[mon]": "swim"}, final=True))
    taste = again(live)
    assert family_names(weekend) == ("runs[*]", "runs[*]", "swims[*]", "swims[*]")
    assert taste.values == {"plan[mon]": "swim"}
    by_name = dict(zip((feature.name for feature in weekend.features), taste.weights_for(weekend), strict=True))
    assert by_name["swims[sat]"] == pytest.approx(taste.weights["swims[*]"] / 2)
    assert by_name["swims[sat]"] > 0
    later = Elicitation(weekend, backend="table", settings=PEOPLE, taste=taste).ask("sat")
    assert later is not None
    assert later.proposal["plan[sat]"] == "swim"


def test_values_that_are_not_allowed_together_change_as_little_as_can_be() -> None:
    taste = Taste("trip", {}, {}, {"place[one]": "hills", "guide[one]": False, "place[nowhere]": "sea"})
    live = Elicitation(TRIP, backend="table", settings=PEOPLE, taste=taste)
    kept = [live.configuration["place[one]"] == "hills", live.configuration["guide[one]"] is False]
    assert sorted(kept) == [False, True]


def test_rules_are_hers_again_and_one_that_cannot_hold_is_named() -> None:
    week = Elicitation(TRIP, backend="table", settings=PEOPLE)
    week.never("place[*]", "sea")
    data = again(week).data()
    data["rules"].append({**data["rules"][0], "variables": "dish[*]", "words": "never sea in dish[*]"})
    later = Elicitation(TRIP, backend="table", settings=PEOPLE, taste=Taste.from_data(data))
    assert later.rules == week.rules
    assert "never sea in dish[*]" in str(later.report)


@pytest.mark.parametrize("wanted", ["a", "b", "c"])
def test_a_rule_of_before_leaves_what_she_wanted_then(wanted: str) -> None:
    problem = parse_authored(DAYS.format(days="a, b, c").replace("to: rest", "to: run"))
    week = Elicitation(problem, settings=PEOPLE)
    week.confirm([wanted])
    week.at_most("plan[*]", "run", 1)
    later = Elicitation(problem, settings=PEOPLE, taste=again(week))
    assert later.rules == week.rules
    assert later.configuration[f"plan[{wanted}]"] == "run"


def test_a_log_needs_no_taste_to_be_resumed(tmp_path: Path) -> None:
    log, week = tmp_path / "log", Elicitation(TRIP, backend="table", settings=PEOPLE)
    query = week.ask("one")
    assert query is not None
    week.tell(query.improve({"place[one]": "sea"}, final=True))
    later = Elicitation(TRIP, backend="table", settings=PEOPLE, taste=again(week), log=log)
    shown = later.ask("one")
    assert shown is not None
    assert shown.proposal["place[one]"] == "sea"
    later.tell(shown.improve({"place[one]": "town"}))
    later.close()
    resumed = Elicitation.resume(log, TRIP, backend="table", options=Options())
    assert resumed.configuration == later.configuration
    assert np.array_equal(resumed.weights, later.weights)
    assert resumed.taste() == later.taste()


def test_a_log_whose_deviations_cannot_be_is_refused(tmp_path: Path) -> None:
    log = tmp_path / "log"
    Elicitation(TRIP, backend="table", settings=PEOPLE, log=log).close()
    log.write_text(log.read_text().replace('"problem":', '"deviations":[1.0],"problem":'))
    with pytest.raises(RequestError) as refused:
        Elicitation.resume(log, TRIP, backend="table")
    assert refused.value.issues[0].code == Code.LOG_BROKEN


def test_what_is_remembered_ends_where_she_improved_more_parts_than_she_confirmed() -> None:
    problem: Problem = load("training")
    start = problem.initial_configuration
    assert start is not None
    taste = Taste("training", {}, {}, start)
    week = Elicitation(problem, settings=PEOPLE, taste=taste)
    held = []
    for part in ("mon", "tue"):
        query = week.ask(part)
        assert query is not None
        assert query.proposal == {name: start[name] for name in query.proposal}
        slot = next(name for name in query.proposal if len(query.possible[name]) > 1)
        other = next(value for value in query.possible[slot] if value != start[slot])
        week.tell(query.improve(query.improve({slot: other}).values))
        held.append(dict(week._state.remembered))
    assert held[0]
    assert not held[1]


def test_weights_of_any_size_come_back_from_a_file() -> None:
    problem = parse_authored(DAYS.format(days="mon, tue, wed"))
    for size in (1e-200, 1e120, 1e200, 1e307):
        week = Elicitation(problem, backend="table", settings=PEOPLE, weights=[size, -size, 0.0, size, size, size])
        kept = again(week)
        assert kept.weights["runs[mon]"] == pytest.approx(size)
        assert kept.weights["swims[*]"] == pytest.approx(size)
        assert np.isfinite([*kept.weights.values(), *kept.deviations.values()]).all()


@pytest.mark.parametrize("junk", [5, None, "never", ["never"], {"kind": "never"}])
def test_what_is_no_rule_in_a_taste_is_said(junk: object) -> None:
    taste = Taste("trip", {}, rules=junk)  # type: ignore[arg-type]  # what is wrong with it is said when it is used
    with pytest.raises(RequestError, match="the rules of a taste are a tuple of OwnRule"):
        Elicitation(TRIP, backend="table", settings=PEOPLE, taste=taste)


def last_time() -> tuple[Problem, Taste]:
    """A taste of three days that she wants each in another way."""
    problem = parse_authored(DAYS.format(days="mon, tue, wed"))
    week = Elicitation(problem, settings=PEOPLE)
    for day, value in {"mon": "run", "tue": "swim", "wed": "rest"}.items():
        query = week.ask(day)
        assert query is not None
        week.tell(query.improve({f"plan[{day}]": value}, final=True))
    return problem, again(week)


def test_who_wants_the_same_as_last_time_says_so_once() -> None:
    problem, taste = last_time()
    week = Elicitation(problem, settings=PEOPLE, taste=taste)
    query = week.ask()
    assert query is not None
    assert (query.parts, query.remembered) == (("mon", "tue", "wed"), True)
    assert query.label == "everything, as it was last time"
    assert query.proposal == {"plan[mon]": "run", "plan[tue]": "swim", "plan[wed]": "rest"}
    week.tell(query.accept())
    assert week.finished
    assert week.certificate is not None
    assert set(week.certificate.how.values()) == {"look"}


def test_what_she_changes_of_last_time_is_hers_and_the_rest_is_shown_once_more(tmp_path: Path) -> None:
    problem, taste = last_time()
    week = Elicitation(problem, settings=PEOPLE, taste=taste, log=tmp_path / "log")
    query = week.ask()
    assert query is not None
    week.tell(query.improve({"plan[wed]": "swim"}, final=True))
    rest = week.ask()
    assert rest is not None
    assert (rest.parts, rest.label) == (("mon", "tue"), "the rest, as you left it")
    week.tell(rest.accept())
    assert week.certificate is not None
    assert week.certificate.configuration == {"plan[mon]": "run", "plan[tue]": "swim", "plan[wed]": "swim"}
    week.close()
    resumed = Elicitation.resume(tmp_path / "log", problem)
    assert resumed.certificate == week.certificate
    resumed.undo()
    shown = resumed.ask()
    assert shown is not None
    assert shown.parts == rest.parts
    resumed.close()


def test_who_wants_something_else_is_asked_part_by_part_after_two_questions() -> None:
    problem, taste = last_time()
    week = Elicitation(problem, settings=PEOPLE, taste=taste)
    asked = []
    for changed in ("plan[mon]", "plan[tue]"):
        query = week.ask()
        assert query is not None
        asked.append(query.parts)
        week.tell(query.improve({changed: "rest"}, final=True))
    query = week.ask()
    assert query is not None
    assert [*asked, query.parts] == [("mon", "tue", "wed"), ("tue", "wed"), ("wed",)]
    assert not query.remembered


def test_no_opinion_on_everything_goes_through_it_part_by_part() -> None:
    problem, taste = last_time()
    week = Elicitation(problem, settings=PEOPLE, taste=taste)
    query = week.ask()
    assert query is not None
    week.tell(query.skip())
    assert not week.finished
    parts = []
    while (query := week.ask()) is not None:
        parts.append(query.parts)
        week.tell(query.accept())
    assert parts == [("mon",), ("tue",), ("wed",)]
    assert week.certificate is not None


@pytest.mark.parametrize("unlike", ["mon, tue", "mon, tue, wed, thu"])
def test_another_problem_is_as_last_time_only_where_all_of_it_is_remembered(unlike: str) -> None:
    _, taste = last_time()
    query = Elicitation(parse_authored(DAYS.format(days=unlike)), settings=PEOPLE, taste=taste).ask()
    assert query is not None
    assert query.remembered is (unlike == "mon, tue")


def test_a_part_that_she_chooses_from_everything_is_changed_as_there_and_the_rest_is_shown_once_more() -> None:
    problem, taste = last_time()
    week = Elicitation(problem, settings=PEOPLE, taste=taste)
    assert (everything := week.ask()) is not None
    chosen = week.ask("wed")
    assert chosen is not None
    assert chosen.proposal == {"plan[wed]": "rest"}
    week.tell(chosen.improve({"plan[wed]": "run"}, final=True))
    rest = week.ask()
    assert rest is not None
    assert everything.remembered
    assert (rest.parts, rest.remembered) == (("mon", "tue"), True)


def test_who_does_not_want_to_see_everything_is_not_shown_it_again_before_the_end() -> None:
    problem, taste = last_time()
    week = Elicitation(problem, settings=PEOPLE, taste=taste)
    asked = []
    for _ in range(3):
        query = week.ask()
        assert query is not None
        asked.append(query.parts)
        week.tell(query.skip())
    assert asked == [("mon", "tue", "wed"), ("mon",), ("tue",)]


def test_what_is_remembered_ends_where_she_changed_more_than_she_left() -> None:
    days = "mon, tue, wed, thu, fri"
    problem = parse_authored(DAYS.format(days=days))
    first = Elicitation(problem, settings=PEOPLE)
    first.confirm()
    week = Elicitation(problem, settings=PEOPLE, taste=again(first))
    looks = []
    for day in days.split(", ")[:3]:
        query = week.ask()
        assert query is not None
        looks.append(query.remembered)
        week.tell(query.improve({f"plan[{day}]": "run"}, final=True))
    query = week.ask()
    assert query is not None
    assert (looks, query.parts) == ([True] * 3, ("thu",))
    assert not query.remembered


def test_her_rules_of_last_time_are_not_taken_back_by_undo_and_are_nothing_that_she_said_here() -> None:
    week = Elicitation(TRIP, backend="table", settings=PEOPLE)
    week.never("place[*]", "sea")
    later = Elicitation(TRIP, backend="table", settings=PEOPLE, taste=again(week))
    assert later.rules == week.rules
    assert later.history == ()
    with pytest.raises(RequestError) as refused:
        later.undo()
    assert refused.value.code == Code.NOTHING_TO_UNDO
    assert later.rules == week.rules
    later.remove_rule(0)
    later.undo()
    assert later.rules == week.rules


def test_a_rule_at_everything_as_it_was_leaves_the_question_with_what_it_changed() -> None:
    problem, taste = last_time()
    week = Elicitation(problem, settings=PEOPLE, taste=taste)
    assert week.ask() is not None
    ruling = week.never("plan[*]", "run")
    assert [change.variable for change in ruling.changes] == ["plan[mon]"]
    query = week.ask()
    assert query is not None
    assert (query.parts, query.label) == (("mon", "tue", "wed"), "everything, with what you changed")
    week.tell(query.accept())
    assert week.certificate is not None


@pytest.mark.parametrize(
    ("weights", "deviations"),
    [
        ({"runs[mon]": "a"}, {}),
        ({"runs[mon]": [1]}, {}),
        ({"runs[mon]": 10**400}, {}),
        ({"runs[mon]": float("nan")}, {}),
        ({}, {"runs[mon]": -1.0}),
        ({}, {"runs[mon]": float("inf")}),
    ],
)
def test_numbers_that_cannot_be_in_a_taste_are_said(weights: dict[str, float], deviations: dict[str, float]) -> None:
    problem, _ = last_time()
    with pytest.raises(RequestError) as refused:
        Elicitation(problem, settings=PEOPLE, taste=Taste("days", weights, deviations))
    assert "'runs[mon]'" in refused.value.message


def test_a_pin_at_everything_as_it_was_is_no_longer_as_it_was() -> None:
    problem, taste = last_time()
    week = Elicitation(problem, settings=PEOPLE, taste=taste)
    assert week.ask() is not None
    assert week.pin("plan[mon]", "swim").label == "everything, with what you changed"
