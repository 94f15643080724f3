"""What a person has not seen, she has not said anything of: room made elsewhere, pins, and proposals that are taken back."""

from pathlib import Path

import numpy as np
import pytest
from tests.core.elicitation.test_people import asked, finish

from pcl_core import Certificate, Elicitation, Oracle, Problem, ProblemBuilder, assess, choose, load, verify
from pcl_core.users import Informative, Liking, Shown, sample_weights


def tied() -> Problem:
    """What A and B have together is limited, and C is liked for the same as B."""
    builder = ProblemBuilder("tied")
    a, b, c, d = (builder.integer(name, 0, 3) for name in "abcd")
    builder.constraint("budget", a + b <= 3)
    for name, value in (("b and c", b + c), ("a and d", a + d), ("a", a), ("b", b), ("c", c)):
        builder.feature(name, value)
    builder.part("A", [a])
    builder.part("B", [b])
    builder.part("C", [c, d])
    for variable, first in zip((a, b, c, d), (3, 0, 0, 3), strict=True):
        builder.initial(variable, first)
    return builder.problem()


TIED = tied()
START = {"a": 3, "b": 0, "c": 3, "d": 0}


def jumped(log: Path | None = None) -> Elicitation:
    """Somebody is asked about A, for which B moved: beside what A had before, that breaks the budget."""
    week = Elicitation(TIED, log=log)
    week.tell(asked(week, "C").improve({"c": 3, "d": 0}))
    week.confirm(["C"])
    assert week.configuration == START
    assert asked(week).part == "A"
    assert (week.configuration["a"], week.configuration["b"]) == (0, 3)
    return week


def is_allowed(week: Elicitation) -> bool:
    return not assess(week.problem, week.configuration).violated


def test_what_moved_for_a_query_goes_back_with_it_where_it_cannot_stand_alone(tmp_path: Path) -> None:
    week = jumped(tmp_path / "week.jsonl")
    asked(week, "C")
    assert week.configuration == START
    week.confirm(["A", "B"])
    week.close()
    again = Elicitation.resume(tmp_path / "week.jsonl", TIED)
    assert again.configuration == START
    assert again.finished is False


def test_a_new_rule_takes_back_what_moved_for_the_open_query(tmp_path: Path) -> None:
    week = jumped(tmp_path / "week.jsonl")
    week.never("c", 1)
    assert is_allowed(week)
    week.close()
    assert Elicitation.resume(tmp_path / "week.jsonl", TIED).configuration == START


def test_what_was_confirmed_beside_a_proposal_stays_as_it_was_confirmed(tmp_path: Path) -> None:
    week = jumped(tmp_path / "week.jsonl")
    week.confirm(["B"])
    asked(week, "C")
    assert week.configuration["b"] == 3
    assert is_allowed(week)
    week.close()
    again = Elicitation.resume(tmp_path / "week.jsonl", TIED)
    assert again.configuration == week.configuration


@pytest.mark.parametrize("name", ["hotel", "pc", "meals", "trip"])
def test_any_part_can_be_asked_for_after_a_jump(name: str) -> None:
    problem = load(name)
    oracle = Oracle.of(problem)
    person = Liking(oracle, sample_weights(problem, "normal", np.random.default_rng(1)), Informative(alpha=0.3), (1,))
    week = Elicitation(problem, oracle=oracle)
    for number in range(8):
        query = asked(week)
        said = person.reply(Shown(problem.part_position(query.part), week.configuration, query=number))
        week.tell(query.improve(said.values) if said.values else query.accept())
        asked(week, next(part.name for part in problem.parts if part.name != asked(week).part))
        assert is_allowed(week), number


def test_a_final_answer_for_which_room_was_made_is_hers_and_states_nothing_about_what_she_did_not_see() -> None:
    """Beside y = 2 she wants x = 1; beside the y = 0 that made room for it she would rather have x = 0."""
    builder = ProblemBuilder("room")
    x, y, z = (builder.integer(name, 0, 2) for name in "xyz")
    builder.constraint("budget", x + y <= 2)
    for name, value in (("one", choose(x == 1, 1, 0)), ("two", choose(x == 2, 1, 0)), ("same", choose(x == y, 1, 0))):
        builder.feature(name, value)
    builder.feature("y", y)
    builder.feature("z", z)
    for name, variable, first in (("X", x, 0), ("Y", y, 2), ("Z", z, 0)):
        builder.part(name, [variable])
        builder.initial(variable, first)
    problem = builder.problem()
    weights = np.array([1.0, -10.0, 3.0, -10.0, 0.0])
    oracle = Oracle.of(problem)
    week = Elicitation(problem, oracle=oracle)
    learned = week.tell(asked(week, "X").improve({"x": 1}, final=True))
    assert learned is not None
    assert learned.moved == {"y": 0}
    assert week.confirmed == {}
    assert not week._state.facts.of(0).rejected
    person = Liking(oracle, weights, Informative(alpha=1.0))
    seen = set()
    while (query := week.ask()) is not None:
        assert "X" in seen or week.configuration["x"] == 1, "what she typed stays until she says otherwise"
        seen |= set(query.parts)
        said = [person.reply(Shown(problem.part_position(part), week.configuration)) for part in query.parts]
        typed = {name: value for reply in said for name, value in reply.values.items()}
        week.tell(query.improve(typed, final=len(query.parts) == 1) if typed else query.accept())
    assert isinstance(week.certificate, Certificate)
    assert "X" in seen
    assert verify(week.certificate, oracle, weights).holds


def pinned() -> Problem:
    builder = ProblemBuilder("pinned")
    x = builder.categorical("x", ["a", "b"])
    y, z = builder.integer("y", 0, 1), builder.integer("z", 0, 1)
    builder.feature("b", choose(x == "b", 1, 0))
    builder.feature("y", y)
    builder.feature("z", z)
    builder.part("X", [x, y])
    builder.part("Z", [z])
    for variable, value in ((x, "a"), (y, 0), (z, 0)):
        builder.initial(variable, value)
    return builder.problem()


def test_a_pin_that_was_accepted_and_is_gone_leaves_the_part_open() -> None:
    week = Elicitation(pinned())
    asked(week, "X")
    week.pin({"x": "b", "y": 0})
    week.tell(asked(week).accept())
    week.unpin("x")
    assert week.standing["X"] == "open"
    assert not week._state.facts.of(0).rejected, "nothing else was allowed when she accepted"


def test_what_she_improved_is_what_she_was_shown_around_her_pins() -> None:
    """She dislikes b, pins it all the same, and likes y: that says nothing of b."""
    week = Elicitation(pinned())
    asked(week, "X")
    week.pin("x", "b")
    week.tell(asked(week).improve({"y": 1}, final=True))
    facts = [np.frombuffer(it, dtype=np.int64).tolist() for it in week._state.facts.of(0).strict]
    assert facts == [[0, -1]]
    week.unpin("x")
    assert week.standing["X"] == "open"


def test_who_has_no_opinion_on_a_part_that_is_closed_still_gets_the_last_look() -> None:
    builder = ProblemBuilder("three")
    for name in "abc":
        variable = builder.integer(name, 0, 1)
        builder.feature(name, variable)
        builder.part(name.upper(), [variable])
        builder.initial(variable, 0)
    week = Elicitation(builder.problem())
    week.confirm(["A", "B"])
    week.tell(asked(week, "C").improve({"c": 1}, final=True))
    assert week.standing == {"A": "closed", "B": "closed", "C": "closed"}
    week.tell(asked(week, "A").skip())
    assert not week.finished
    assert asked(week).parts == ("A", "B")
    finish(week)
    assert week.certificate is not None
