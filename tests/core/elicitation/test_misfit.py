"""A sign of misfit: what no linear utility explains is said, and nothing that a linear one explains."""

from pcl_core import Elicitation, Settings, parse_authored

PEOPLE = Settings(mode="people", learner="belief", select="round-robin", order="declared")
BLIND = parse_authored("""
pcl: 1
name: blind
variables: {a: {domain: [walk, run, rest]}, b: {domain: 0..1}}
features: [{name: moves, value: "a != 'rest'"}, {name: b, value: b}]
parts: [{name: first, variables: [a]}, {name: second, variables: [b]}]
initial: [{set: a, to: run}, {set: b, to: 0}]
""")


def live() -> Elicitation:
    return Elicitation(BLIND, backend="table", settings=PEOPLE)


def told(week: Elicitation, part: str, values: dict[str, object], final: bool = False) -> None:
    query = week.ask(part)
    assert query is not None
    week.tell(query.improve(values, final=final))


def test_preferring_what_has_the_same_features_is_certain_and_holds_what_she_typed() -> None:
    week = live()
    assert week.misfit is None
    told(week, "first", {"a": "walk"})
    found = week.misfit
    assert found is not None
    assert (found.queries, found.variables, found.certain) == ((1,), ("a",), True)
    assert set(found.values) == {"walk", "run"}
    assert "walk" in found.words
    assert found.data()["certain"] is True
    query = week.ask("first")
    assert query is not None
    assert query.proposal == {"a": "walk"}
    week.undo()
    assert week.misfit is None


def test_contradicting_a_known_fact_is_said_and_may_be_a_mistake() -> None:
    week = live()
    told(week, "second", {"b": 1}, final=True)
    assert week.misfit is None
    told(week, "second", {"b": 0}, final=True)
    found, learned = week.misfit, week.learned
    assert found is not None
    assert learned is not None
    assert not found.certain
    assert found.queries == (2,)
    assert learned.data()["contradicted"] == 1
    assert "not meant" in found.words
    assert "(b)" in found.words, "numbers alone say nothing"
