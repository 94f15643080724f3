"""Why something is proposed, in words about values; what of the whole is worth a word; and drafts that need room."""

import pytest

from pcl_core import Elicitation, Oracle, Query, Settings, load, parse_authored
from pcl_core.elicitation.surroundings import Surroundings
from pcl_core.model.labels import Labels
from pcl_core.wording import in_a_row

THREE = parse_authored("""
pcl: 1
name: three
variables: {a: {domain: 0..1}, b: {domain: 0..1}, c: {domain: 0..1}}
features: [{name: a, value: a}, {name: b, value: b}, {name: c, value: c}]
constraints: [{name: one, require: a + b <= 1}]
parts: [{name: first, variables: [a]}, {name: second, variables: [b]}, {name: third, variables: [c]}]
initial: [{set: a, to: 0}, {set: b, to: 0}, {set: c, to: 0}]
""")
ORACLES = {name: Oracle.of(load(name)) for name in ("training", "hotel", "meals", "grid")}


def live(name: str, **settings: str) -> Elicitation:
    chosen = {"mode": "people", "learner": "belief", "select": "round-robin", "order": "declared", **settings}
    oracle = ORACLES[name]
    return Elicitation(oracle.problem, oracle=oracle, settings=Settings.model_validate(chosen))


def asked(elicitation: Elicitation, part: str | None = None) -> Query:
    query = elicitation.ask(part)
    assert query is not None
    return query


def test_a_value_that_she_took_out_is_the_reason_for_less_of_it() -> None:
    week = live("training")
    week.tell(asked(week, "mon").improve({"plan[mon,1]": "swimming"}, final=True))
    query = asked(week, "tue")
    assert any(change.before == "pushups" and change.after == "swimming" for change in query.changes)
    assert query.why_text == (
        "less pushups, because you took it out of mon; more swimming, because you put it into mon"
    )


def test_all_places_where_she_did_it_are_named_and_here_is_here() -> None:
    week = live("training")
    week.tell(asked(week, "mon").improve({"plan[mon,1]": "swimming"}, final=True))
    query = asked(week, "wed")
    week.tell(query.improve(dict.fromkeys(("plan[wed,1]", "plan[wed,2]"), "swimming")))
    assert "because you put it into mon" in asked(week, "thu").why_text


def test_numbers_are_said_with_what_they_become() -> None:
    hotel = live("hotel")
    hotel.tell(asked(hotel, "r7").improve({"single_beds[r7]": 0, "double_beds[r7]": 2, "sofas[r7]": 1}))
    assert asked(hotel, "r8").why_text == "sofas 0 to 2, because you wanted more in room r7"


def test_features_are_still_there_as_data_and_only_they_speak_of_weights() -> None:
    week = live("training")
    week.tell(asked(week, "mon").improve({"plan[mon,1]": "swimming"}, final=True))
    query = asked(week, "tue")
    assert query.why
    assert all(reason.term for reason in query.why)
    assert "power" not in query.why_text


def test_where_no_answer_of_hers_is_like_it_that_is_said() -> None:
    menu = live("meals")
    menu.tell(asked(menu, "sat").accept())
    menu.tell(asked(menu, "mon").improve({"menu[mon,dinner]": "pancakes"}))
    query = asked(menu, "tue")
    assert [change.after for change in query.changes] == ["omelette with spinach"]
    assert query.why_text == "taken together, your answers speak for it; no single one says why"


def test_a_part_that_is_asked_again_says_so() -> None:
    menu = live("meals")
    menu.tell(asked(menu, "mon").accept())
    menu.tell(asked(menu, "tue").improve({"menu[tue,dinner]": "pizza"}, final=True))
    menu.tell(asked(menu, "wed").improve({"menu[wed,dinner]": "roast chicken"}, final=True))
    assert menu.standing["mon"] == "open"
    query = asked(menu, "mon")
    assert not query.suggestion
    assert query.why_text == "you confirmed this before; since then something beside it has changed"


def test_a_part_that_she_chooses_although_it_is_confirmed_has_nothing_changed_beside_it() -> None:
    menu = live("meals")
    menu.tell(asked(menu, "mon").accept())
    menu.tell(asked(menu, "fri").accept())
    assert menu.standing["mon"] == "closed"
    assert asked(menu, "mon").why_text == "you confirmed this before"


def test_two_parts_that_are_looked_at_together_say_what_is_known_of_them() -> None:
    week = live("training")
    while (query := week.ask()) is not None:
        week.tell(query.accept())
    week.look_further()
    query = asked(week)
    assert query.pair
    assert query.why_text == "these two may be better if both change; how, I do not know"


def test_a_suggestion_stands_beside_what_is_hers_with_its_reason() -> None:
    """She wants running on Tuesday, has the rest filled in around it, and rests on Wednesday."""
    week = live("training")
    values = {"plan[tue,2]": "running", "plan[tue,3]": "rest"}
    week.tell(asked(week, "tue").improve(values, final=True, completed=["plan[tue,3]"]))
    query = asked(week, "wed")
    assert not query.suggestion
    assert query.why_suggested == ""
    week.tell(query.improve(dict.fromkeys(query.proposal, "rest"), final=True))
    again = asked(week, "tue")
    assert again.proposal["plan[tue,2]"] == "running"
    assert again.suggestion == {"plan[tue,2]": "rest"}
    assert again.why_suggested == "more rest, because you put it into wed"
    assert "because you took it out here" in again.why_text
    week.tell(again.take())
    assert week.configuration["plan[tue,2]"] == "rest"


def test_only_what_moves_or_is_near_its_limit_is_notable() -> None:
    hotel = live("hotel")
    first = asked(hotel, "r7")
    assert len(first.summary) == 5
    assert first.notable == ()
    draft = hotel.preview({"double_beds[r7]": 2})
    assert [figure.label for figure in draft.notable] == ["total cost", "guests"]
    menu = live("meals")
    assert {figure.share for figure in asked(menu, "mon").notable} == {1.0}


def test_a_draft_says_what_must_move_elsewhere_and_what_of_hers_is_in_the_way() -> None:
    menu = live("meals")
    asked(menu, "sat")
    draft = menu.preview({"menu[sat,lunch]": "bread and cheese"})
    assert draft.broken
    assert draft.moved
    assert draft.tellable
    assert all("sat" not in name for name in draft.moved)
    for part in ("mon", "tue", "wed", "thu", "fri", "sun"):
        menu.tell(asked(menu, part).accept())
    asked(menu, "sat")
    stuck = menu.preview({"menu[sat,lunch]": "bread and cheese"})
    assert stuck.broken
    assert stuck.moved is None
    assert not stuck.tellable
    assert "bread and cheese" in stuck.in_the_way


def test_a_draft_of_several_parts_is_previewed_as_a_whole() -> None:
    three = Elicitation(THREE, backend="table", settings=Settings(mode="people", select="round-robin"))
    for part, answer in (("first", {}), ("second", {}), ("third", {"c": 1})):
        query = asked(three, part)
        three.tell(query.improve(answer, final=True) if answer else query.accept())
    look = asked(three)
    assert look.parts == ("first", "second")
    draft = three.preview({"a": 1, "b": 1})
    assert draft.values == {"a": 1, "b": 1}
    assert [each.name for each in draft.broken] == ["one"]
    assert draft.completion is None
    assert draft.moved is None
    assert three.preview({"a": 0, "b": 1}).tellable


def test_how_each_part_stands_is_public() -> None:
    week = live("training")
    assert set(week.standing.values()) == {"new"}
    week.tell(asked(week, "mon").accept())
    assert week.standing["mon"] == "closed"


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["mon"], "mon"),
        (["mon", "tue"], "mon and tue"),
        (["mon", "tue", "wed", "thu"], "mon, tue, wed and thu"),
        (["mon", "tue", "wed", "thu", "fri"], "mon, tue, wed and 2 more"),
        (["bed and board", "sea, sun", "rest"], "'bed and board', 'sea, sun' and rest"),
    ],
)
def test_several_parts_are_named_and_many_are_counted(names: list[str], words: str) -> None:
    assert in_a_row(names) == words


def test_what_is_left_as_it_was_is_not_said_to_be_best() -> None:
    """She kept two values of five: the start is shown, though the belief has something better."""
    hotel = live("hotel")
    hotel.tell(asked(hotel, "r7").improve({"single_beds[r7]": 0, "double_beds[r7]": 2, "sofas[r7]": 1}, final=True))
    query = asked(hotel, "r8")
    assert not query.changes
    left = "what stands here is likelier to be right than what I would guess, so it is left as it was"
    assert query.why_text == left


def test_like_places_have_the_same_name_but_for_what_names_the_part() -> None:
    week, hotel, grid = (Labels(ORACLES[name].problem) for name in ("training", "hotel", "grid"))
    assert week.place("plan[mon,2]") == week.place("plan[tue,2]") == ("plan", "2")
    assert hotel.place("sofas[r7]") == hotel.place("sofas[r8]") == ("sofas",)
    assert grid.place("cell[0,1]") != grid.place("cell[0,2]")


def test_what_nobody_could_choose_is_no_reason() -> None:
    """Tuesday's first slot is always rest: that she confirmed it says nothing of rest."""
    around = Surroundings(ORACLES["training"].problem)
    assert not around.is_free("plan[tue,1]")
    assert around.is_free("plan[tue,2]")
    assert around.is_free("plan[mon,1]")
    assert Surroundings(ORACLES["hotel"].problem).is_free("sofas[r7]")


def test_what_she_kept_in_a_part_is_a_reason_where_she_changed_nothing() -> None:
    menu = live("meals")
    menu.tell(asked(menu, "sat").accept())
    menu.tell(asked(menu, "mon").improve({"menu[mon,dinner]": "pizza"}))
    query = asked(menu, "tue")
    assert [change.after for change in query.changes] == ["pancakes"]
    assert query.why_text == "more pancakes, as in sat, which you confirmed"


def test_no_opinion_leaves_everything_as_it_was() -> None:
    week = live("training")
    week.tell(asked(week, "mon").improve({"plan[mon,1]": "swimming"}, final=True))
    week.tell(asked(week, "wed").improve({"plan[wed,1]": "swimming"}, final=True))
    before, standing = week.configuration, week.standing
    query = asked(week, "tue")
    assert query.changes, "something is proposed"
    week.tell(query.skip())
    assert week.configuration == before
    assert week.standing == standing
    week.undo()
    reopened = asked(week)
    assert (reopened.part, reopened.proposal) == (query.part, query.proposal)


def test_what_she_pinned_in_a_question_stays_though_she_has_no_opinion_on_the_rest() -> None:
    week = live("training")
    query = asked(week, "tue")
    week.pin("plan[tue,2]", "running")
    week.tell(asked(week).skip())
    assert week.pins == {"plan[tue,2]": "running"}
    assert week.configuration["plan[tue,2]"] == "running"
    assert query.part == "tue"


def test_a_pin_is_why_something_is_new() -> None:
    week = live("training")
    week.tell(asked(week, "mon").improve({"plan[mon,1]": "swimming"}, final=True))
    values = dict(asked(week, "thu").proposal)
    week.pin({**values, "plan[thu,2]": "abs"})
    pinned = asked(week)
    assert "plan[thu,2]" in [change.variable for change in pinned.changes]
    assert pinned.why_text == "you pinned it"


def test_a_rule_of_hers_is_called_by_its_words_in_the_summary() -> None:
    week = live("training")
    week.at_most("plan[*,*]", "running", 2)
    assert [figure.label for figure in asked(week, "tue").summary if "running" in figure.label] == [
        "yours: at most 2 of running in plan[*,*]"
    ]
