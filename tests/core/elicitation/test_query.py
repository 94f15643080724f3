"""Queries: what a person is shown, and what she may answer."""

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from tests.core.elicitation.reference import TINY
from tests.core.elicitation.sessions import GRID, TRIP, seen, start

from pcl_core import (
    Answer,
    Code,
    Configuration,
    Elicitation,
    InfeasibleError,
    Options,
    PclError,
    Query,
    Settings,
    Status,
    assess,
    load,
)
from pcl_core.compile.pipeline import Scope
from pcl_core.elicitation.surroundings import Figure
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Availability, Capability, Prepared, Reply, Request, StopReason
from pcl_core.solve.registry import get_backend

HOTEL = load("hotel")
HOTEL_ORACLE = Oracle.of(HOTEL, "auto")
ORACLE = Oracle.of(TRIP, "table")


def trip(log: Path | None = None, weights: list[float] | None = None, mode: str = "keep") -> Elicitation:
    settings = Settings.model_validate({"order": "declared", "stop": "certificate", "mode": mode})
    return Elicitation(TRIP, oracle=ORACLE, settings=settings, log=log, weights=weights)


def asked(live: Elicitation, part: str | None = None) -> Query:
    query = live.ask(part)
    assert query is not None
    return query


def weights(**named: float) -> list[float]:
    names = [feature.name for feature in TRIP.features]
    return [named.get(name.replace("[", "_").rstrip("]"), 0.0) for name in names]


def test_a_query_shows_the_proposal_and_everything_else() -> None:
    live = trip()
    query = asked(live, "two")
    assert (query.number, query.part, query.label) == (1, "two", "two")
    assert query.proposal == {"place[two]": "town", "nights[two]": 1, "guide[two]": False}
    assert query.configuration == live.configuration
    assert (query.proven, query.pins, query.changes) == (True, {}, ())
    assert query.seconds > 0


def test_asking_again_gives_the_same_query() -> None:
    live = trip()
    first, second = asked(live), asked(live)
    assert (first.number, first.part, first.proposal) == (second.number, second.part, second.proposal)
    assert live.queries == 1


def test_the_context_is_what_shares_local_features() -> None:
    live = trip()
    assert asked(live, "one").context == {"place[two]": "town"}
    live.tell(asked(live).accept())
    assert asked(live, "three").context == {}


def test_the_context_of_a_block_of_the_grid_is_its_neighbours() -> None:
    query = asked(Elicitation(GRID, backend="table"), "block[0,0]")
    assert set(query.context) == {"cell[0,2]", "cell[1,2]", "cell[2,0]", "cell[2,1]"}
    assert (query.shown_variables, query.context_variables) == (8, 8 - len(query.proposal))


def test_the_summary_is_what_depends_on_nearly_everything() -> None:
    query = asked(trip(), "one")
    (figure,) = query.summary
    assert figure == Figure("total cost", 6, 14)
    assert figure.share == pytest.approx(6 / 14)
    assert str(figure) == "total cost: 6 of 14 (43%)"


def test_the_summary_follows_the_proposal() -> None:
    live = trip(weights=weights(nights_one=1.0))
    query = asked(live, "one")
    assert query.proposal["nights[one]"] == 3
    assert query.summary[0].value == 10


def test_the_summary_of_the_hotel_says_how_much_of_the_budget_is_used() -> None:
    query = asked(Elicitation(HOTEL, oracle=HOTEL_ORACLE), "r7")
    lines = [str(figure) for figure in query.summary]
    limited = [figure for figure in query.summary if figure.limit is not None]
    assert limited, lines
    assert all(0 <= (figure.share or 0) <= 1 for figure in limited)
    assert len({figure.label for figure in query.summary}) == len(query.summary)


def test_figures_that_are_true_or_false_are_said_in_words() -> None:
    assert str(Figure("full", True)) == "full: yes"
    assert str(Figure("full", False)) == "full: no"
    assert Figure("cost", 3, None).share is None


def test_cognitive_load_counts_the_part_and_its_context() -> None:
    live = trip()
    assert asked(live, "one").shown_variables == 3 + 1
    live.tell(asked(live).accept())
    assert asked(live, "three").shown_variables == 3


@pytest.mark.parametrize("problem", ["grid", "training", "hotel"])
def test_context_and_part_are_apart(problem: str) -> None:
    loaded = load(problem)
    oracle = Oracle.of(loaded, "auto")
    for part in loaded.parts:
        query = asked(Elicitation(loaded, oracle=oracle), part.name)
        assert not set(query.context) & set(part.variables)
        assert query.shown_variables == len(part.variables) + len(query.context)


def test_changes_are_what_the_proposal_changes() -> None:
    live = trip(weights=weights(sea_one=2.0, nights_one=1.0))
    query = asked(live, "one")
    assert [(c.variable, c.label, c.before, c.after) for c in query.changes] == [
        ("place[one]", "where on day one", "town", "sea"),
        ("nights[one]", "nights[one]", 1, 3),
    ]


def test_the_reasons_are_the_largest_terms_recomputed_by_hand() -> None:
    live = trip(weights=weights(sea_three=2.5, nights_three=3.0, guide_three=-1.0, cost=-1.0))
    before = assess(TRIP, live.configuration).features
    query = asked(live, "three")
    after = assess(TRIP, query.configuration).features
    names = [feature.name for feature in TRIP.features]
    counted = TRIP.structure.decomposition(live.order)[2]
    terms = {names[i]: float(live.weights[i]) * float(Fraction(after[i]) - Fraction(before[i])) for i in counted}
    expected = sorted((name for name in terms if terms[name]), key=lambda name: -abs(terms[name]))[:3]
    assert [reason.feature for reason in query.why] == expected
    assert [reason.term for reason in query.why] == [terms[name] for name in expected]
    assert {"nights[three]", "cost", "sea[three]"} == set(expected)


def test_where_she_said_nothing_yet_the_reason_is_what_is_known_from_before() -> None:
    live = trip(weights=weights(sea_three=2.5, nights_three=3.0, cost=-1.0))
    assert asked(live, "three").why_text == "what is known of you from before speaks for it"


def test_features_that_the_part_ignores_are_no_reason() -> None:
    live = trip(weights=weights(nights_one=3.0, cost=-1.0))
    assert [reason.feature for reason in asked(live, "one").why] == ["nights[one]"], "the cost is three's to count"


def test_without_reasons_something_true_is_said() -> None:
    assert asked(trip()).why_text == "nothing is known of your preferences yet"
    live = trip(weights=weights(guide_one=-1.0))
    assert asked(live, "one").why_text == "by what is known of you from before, nothing would be better here"


def refused(live: Elicitation, call: Callable[[], object], log: Path | None = None) -> PclError:
    """The error of a call that must change neither the state nor the log."""
    before, lines = seen(live), log.read_bytes() if log else b""
    with pytest.raises(PclError) as caught:
        call()
    assert seen(live) == before
    assert (log.read_bytes() if log else b"") == lines
    return caught.value


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "trip.jsonl"


def test_a_variable_outside_the_part_is_refused(log: Path) -> None:
    live = trip(log)
    query = asked(live, "one")
    error = refused(live, lambda: live.tell(query.improve({"nights[one]": 2, "nights[two]": 2})), log)
    assert error.code is Code.OUTSIDE_PART
    assert "'nights[two]' belongs to part 'two', and this query is about 'one'" in str(error)


def test_an_unknown_variable_is_refused_with_a_suggestion(log: Path) -> None:
    live = trip(log)
    query = asked(live, "one")
    error = refused(live, lambda: live.tell(query.improve({"night[one]": 2})), log)
    assert error.code is Code.BAD_CONFIGURATION
    assert "nights[one]" in str(error)


@pytest.mark.parametrize("value", [9, -1, "sea", 1.5, None, True, float("nan"), [1]])
def test_a_value_that_cannot_be_is_refused(log: Path, value: object) -> None:
    live = trip(log)
    query = asked(live, "one")
    error = refused(live, lambda: live.tell(query.improve({"nights[one]": value})), log)
    assert error.code is Code.BAD_CONFIGURATION


def test_an_answer_to_another_query_is_refused(log: Path) -> None:
    live = trip(log)
    query = asked(live, "one")
    live.tell(query.accept())
    assert refused(live, lambda: live.tell(query.accept()), log).code is Code.STALE_ANSWER
    asked(live, "two")
    assert refused(live, lambda: live.tell(query.improve({"nights[one]": 2})), log).code is Code.STALE_ANSWER
    assert refused(live, lambda: live.tell(Answer(7, "accepted")), log).code is Code.STALE_ANSWER


def test_an_answer_before_any_query_is_refused(log: Path) -> None:
    live = trip(log)
    assert refused(live, lambda: live.tell(Answer(1, "accepted")), log).code is Code.STALE_ANSWER
    assert refused(live, lambda: live.pin("nights[one]", 1), log).code is Code.STALE_ANSWER


def test_an_unknown_part_is_refused(log: Path) -> None:
    live = trip(log)
    error = refused(live, lambda: live.ask("tow"), log)
    assert error.code is Code.UNKNOWN_NAME
    assert "'two'" in str(error)


def test_an_improvement_that_is_not_allowed_names_the_constraints_and_changes_nothing(log: Path) -> None:
    live = trip(log)
    query = asked(live, "one")
    error = refused(live, lambda: live.tell(query.improve({"place[one]": "hills"})), log)
    assert isinstance(error, InfeasibleError)
    assert error.constraints == ("hills[one]",)
    assert "hills[one] (nobody walks alone)" in str(error)
    assert "pin what matters to you" in str(error)


def test_an_improvement_that_nothing_can_complete_gives_no_such_hint(log: Path) -> None:
    live = trip(log)
    query = asked(live, "one")
    everything = {"place[one]": "hills", "guide[one]": False, "nights[one]": 1}
    error = refused(live, lambda: live.tell(query.improve(everything)), log)
    assert "pin what matters" not in str(error)


def test_an_improvement_equal_to_the_proposal_is_an_acceptance() -> None:
    live = trip()
    query = asked(live, "one")
    learned = live.tell(query.improve(query.proposal))
    assert learned is not None
    assert (learned.satisfied, learned.update, learned.changed) == (True, "none", 0)
    assert live.confirmed == {"one": 1}


def test_an_improvement_may_give_some_values_only() -> None:
    live = trip()
    learned = live.tell(asked(live, "one").improve({"nights[one]": 2}))
    assert learned is not None
    assert (learned.satisfied, learned.changed) == (False, 1)
    assert live.configuration["nights[one]"] == 2
    assert live.configuration["place[one]"] == "town"


def test_a_skipped_query_changes_nothing_but_the_number() -> None:
    live = trip()
    before = (live.configuration, live.weights.tolist(), live.confirmed)
    assert live.tell(asked(live, "one").skip()) is None
    assert (live.configuration, live.weights.tolist(), live.confirmed) == before
    assert asked(live).number == 2


def test_pins_are_completed_around() -> None:
    live = trip()
    asked(live, "one")
    query = live.pin("place[one]", "hills")
    assert (query.proposal["place[one]"], query.proposal["guide[one]"]) == ("hills", True)
    assert query.pins == {"place[one]": "hills"}
    assert query.number == 1


def test_a_pin_leaves_the_rest_of_the_part_where_nothing_is_better() -> None:
    live = trip()
    before = asked(live, "one").proposal
    assert live.pin("place[one]", "sea").proposal == {**before, "place[one]": "sea"}


def test_pins_hold_in_later_queries() -> None:
    live = trip(weights=weights(sea_one=5.0))
    assert asked(live, "one").proposal["place[one]"] == "sea"
    live.pin("place[one]", "town")
    live.tell(asked(live).accept())
    for _ in range(2):
        query = asked(live, "one")
        assert query.proposal["place[one]"] == "town"
        live.tell(query.accept())


def test_a_pin_that_moves_the_proposal_is_learned_from() -> None:
    live = trip()
    asked(live, "one")
    query = live.pin("place[one]", "sea")
    learned = live.tell(query.accept())
    assert learned is not None
    assert (learned.satisfied, learned.update, learned.changed) == (False, "I", 1)
    names = [feature.name for feature in TRIP.features]
    assert live.weights[names.index("sea[one]")] == 1.0
    assert live.confirmed == {}


def test_a_pin_of_what_is_proposed_is_no_improvement() -> None:
    live = trip()
    asked(live, "one")
    learned = live.tell(live.pin("nights[one]", 1).accept())
    assert learned is not None
    assert learned.satisfied
    assert live.confirmed == {"one": 1}


def test_a_pinned_variable_cannot_be_improved(log: Path) -> None:
    live = trip(log)
    asked(live, "one")
    query = live.pin("nights[one]", 2)
    error = refused(live, lambda: live.tell(query.improve({"nights[one]": 3})), log)
    assert error.code is Code.INFEASIBLE
    assert "'nights[one]' is pinned to 2" in str(error)
    live.unpin("nights[one]")
    assert live.tell(asked(live).improve({"nights[one]": 3})) is not None


def test_a_pin_that_nothing_can_be_completed_around_names_the_constraints(log: Path) -> None:
    live = trip(log)
    asked(live, "one")
    live.pin("guide[one]", False)
    error = refused(live, lambda: live.pin("place[one]", "hills"), log)
    assert isinstance(error, InfeasibleError)
    assert error.constraints == ("hills[one]",)


@pytest.mark.parametrize(
    ("variable", "value", "code"),
    [
        ("nights[two]", 1, Code.OUTSIDE_PART),
        ("nigths[one]", 1, Code.BAD_CONFIGURATION),
        ("nights[one]", 77, Code.BAD_CONFIGURATION),
    ],
)
def test_a_pin_that_cannot_be_is_refused(log: Path, variable: str, value: object, code: Code) -> None:
    live = trip(log)
    asked(live, "one")
    assert refused(live, lambda: live.pin(variable, value), log).code is code


def test_what_is_not_pinned_cannot_be_unpinned(log: Path) -> None:
    live = trip(log)
    asked(live, "one")
    assert "nothing is pinned" in str(refused(live, lambda: live.unpin("nights[one]"), log))
    live.pin("nights[one]", 1)
    assert "did you mean 'nights[one]'?" in str(refused(live, lambda: live.unpin("nigths[one]"), log))


def test_a_pinned_proposal_stays_in_paper_mode_too() -> None:
    live = trip(mode="paper")
    asked(live, "one")
    live.tell(live.pin("place[one]", "sea").accept())
    assert live.configuration["place[one]"] == "sea"


class Limited:
    """A backend that a limit stops from some moment on."""

    name = "limited"
    capabilities = frozenset(Capability)

    def __init__(self) -> None:
        self.answer: Reply | None = None
        self._table = get_backend("table")

    def availability(self) -> Availability:
        return Availability(True)

    def compile(self, scope: Scope) -> Prepared:
        prepared, outer = self._table.compile(scope), self

        class Stopped:
            def solve(self, request: Request, options: Options) -> Reply:
                return outer.answer or prepared.solve(request, options)

        return Stopped()


def limited(answer: Reply, **named: float) -> tuple[Elicitation, Limited]:
    backend = Limited()
    settings = Settings(order="declared")
    live = Elicitation(TRIP, oracle=Oracle(TRIP, backend), settings=settings, weights=weights(**named))
    backend.answer = answer
    return live, backend


NOTHING = Reply(Status.UNKNOWN, StopReason.TIME_LIMIT)


def test_x_stays_where_a_limit_came_before_anything_was_found() -> None:
    live, _ = limited(NOTHING, nights_one=1.0)
    before = live.configuration
    query = asked(live, "one")
    assert (query.proven, query.configuration, query.changes) == (False, before, ())


def test_a_proposal_that_is_not_proven_says_so() -> None:
    some: Configuration = {"place[one]": "town", "nights[one]": 2, "guide[one]": False}
    scale = asked_objective(trip(weights=weights(nights_one=1.0)), some)
    live, _ = limited(Reply(Status.FEASIBLE, StopReason.TIME_LIMIT, some, scale, None), nights_one=1.0)
    query = asked(live, "one")
    assert (query.proven, query.proposal) == (False, some)


def asked_objective(live: Elicitation, values: Configuration) -> int:
    """The objective of these values for part one, in the integers of the oracle."""
    part = TRIP.part_position("one")
    found = ORACLE.solve(
        live.weights,
        variables=TRIP.parts[part].variables,
        given=live.configuration,
        features=TRIP.structure.decomposition(live.order)[part],
        fixed=values,
    )
    assert found.objective is not None
    return found.objective


def test_a_pin_that_a_limit_leaves_undecided_is_not_said_to_be_impossible(log: Path) -> None:
    live, backend = limited(NOTHING)
    backend.answer = None
    asked(live, "one")
    backend.answer = NOTHING
    error = refused(live, lambda: live.pin("place[one]", "sea"))
    assert error.code is Code.LIMIT_REACHED
    assert "was not found out in time" in str(error)


def test_an_improvement_that_is_not_allowed_is_refused_under_a_limit_too() -> None:
    live, backend = limited(NOTHING)
    backend.answer = None
    query = asked(live, "one")
    backend.answer = NOTHING
    error = refused(live, lambda: live.tell(query.improve({"place[one]": "hills"})))
    assert isinstance(error, InfeasibleError)
    assert error.constraints == ("hills[one]",)


def test_a_query_does_not_change_afterwards() -> None:
    live = trip()
    query = asked(live, "one")
    for shown in (query.proposal, query.configuration, query.first_proposal, query.context, query.pins):
        with pytest.raises(TypeError, match="cannot be edited"):
            shown["nights[one]"] = 3
    assert live.configuration["nights[one]"] == 1
    live.tell(query.accept())
    assert query.why_text
    assert query.context == {"place[two]": "town"}


def test_the_whole_conversation_of_the_documentation() -> None:
    live = start(TINY)
    answered = 0
    while (query := live.ask()) is not None:
        live.tell(query.accept())
        answered += 1
    assert live.certificate is not None
    assert answered == live.queries
