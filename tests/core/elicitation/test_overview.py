"""The whole at a glance: how parts stand and by what, and what a person said that still counts."""

import jsonschema

import pcl_core as pcl
from pcl_core.elicitation import data_schema

SCHEMA = data_schema()


def fits(name: str, data: object) -> None:
    jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"}).validate(data)


def test_each_part_says_how_it_stands_and_what_in_it_is_hers() -> None:
    week = pcl.Elicitation(pcl.load("training"))
    query = week.ask("tue")
    assert query is not None
    assert [part.part for part in week.parts if part.asked] == ["tue"]
    week.tell(query.improve({"plan[tue,2]": "rest"}, final=True))
    week.confirm(["mon"])
    parts = {part.part: part for part in week.parts}
    assert (parts["tue"].standing, parts["mon"].by, parts["mon"].query) == ("closed", "word", 2)
    assert parts["tue"].own["plan[tue,2]"] == "rest"
    assert (parts["wed"].standing, parts["wed"].by, parts["wed"].own) == ("new", None, {})
    for part in week.parts:
        fits("PartNow", part.data())


def test_what_was_said_is_told_in_order_and_what_was_taken_back_is_not() -> None:
    week = pcl.Elicitation(pcl.load("training"))
    query = week.ask("tue")
    assert query is not None
    week.tell(query.improve({"plan[tue,2]": "rest"}, final=True))
    week.never("plan[*,*]", "running")
    week.undo()
    week.at_most("plan[*,*]", "squats", 2)
    week.remove_rule(0)
    week.ask("mon")
    week.pin("plan[mon,1]", "rest")
    week.unpin("plan[mon,1]")
    week.confirm(["wed", "thu"])
    week.stop()
    told = week.history
    kinds = ["improved", "rule-added", "rule-removed", "pinned", "unpinned", "confirmed", "stopped"]
    assert [it.kind for it in told] == kinds
    assert told[0].words == "tue: slot 2 = rest; that is how it should be"
    assert told[2].words.startswith("no longer: at most 2")
    assert told[5].parts == ("wed", "thu")
    assert [it.number for it in told] == sorted({it.number for it in told})
    for it in told:
        fits("Told", it.data())


def test_looking_asks_nothing() -> None:
    week = pcl.Elicitation(pcl.load("training"))
    assert week.waiting is None
    events = week.events
    assert (week.parts, week.history, week.events) == (week.parts, (), events)
    asked = week.ask()
    assert asked is not None
    assert week.waiting is not None
    assert week.waiting.proposal == asked.proposal
    week.stop()
    assert week.waiting is None


def test_the_figures_of_the_whole_are_those_of_its_parts_each_once() -> None:
    hotel = pcl.Elicitation(pcl.load("hotel"))
    labels = [figure.label for figure in hotel.summary]
    assert len(labels) == len(set(labels)) > 1
    query = hotel.ask()
    assert query is not None
    assert set(query.summary) <= set(hotel.summary)


def test_how_it_stood_before_a_query_is_not_changed_by_what_the_query_proposes() -> None:
    week = pcl.Elicitation(pcl.load("training"))
    week.confirm(["mon"])
    before = week.standing
    week.ask("tue")
    assert week.standing_before == before


def test_what_was_confirmed_beside_a_question_counts_before_it_is_answered() -> None:
    week = pcl.Elicitation(pcl.load("training"))
    assert week.ask() is not None
    week.confirm()
    assert list(week.standing_before.values()).count("closed") == len(week.problem.parts) - 1


def test_what_moved_elsewhere_before_a_question_is_said() -> None:
    week = pcl.Elicitation(pcl.load("training"))
    query = week.ask("thu")
    assert query is not None
    before = week.configuration
    week.tell(query.improve({"plan[thu,1]": "swimming", "plan[thu,3]": "rest"}))
    after = week.ask()
    assert after is not None
    moved = {change.variable: (change.before, change.after) for change in after.moved}
    told = {**before, "plan[thu,1]": "swimming", "plan[thu,3]": "rest"}
    now = week.configuration
    own = after.proposal
    assert moved == {name: (told[name], now[name]) for name in now if now[name] != told[name] and name not in own}
    assert moved, "one answer that is not final lets others move"
