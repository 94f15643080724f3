"""Do the same elsewhere: one correction at like places of other parts, previewed, and refused in words where it cannot be."""

from pathlib import Path
from random import Random

import pytest
from tests.core.elicitation.sessions import TRIP
from tests.core.elicitation.test_data import valid
from tests.core.elicitation.test_own_rules import all_seen, resumed, training
from tests.core.elicitation.test_people import ORACLE, asked, finish, live

from pcl_core import Code, Elicitation, InfeasibleError, PclError, RequestError, load, parse_authored

PLACES = [f"place[{day}]" for day in ("one", "two", "three")]


def places(week: Elicitation) -> list[object]:
    return [week.configuration[name] for name in PLACES]


def test_her_last_correction_is_made_at_like_places_of_the_other_parts_in_one_answer() -> None:
    week = live()
    week.tell(asked(week, "one").improve({"place[one]": "sea"}, final=True))
    assert week.queries == 1
    found = week.everywhere()
    assert places(week) == ["sea"] * 3
    assert found.values == {"place[one]": "sea"}
    assert [(it.part, [(c.variable, c.before, c.after) for c in it.changes], it.refused) for it in found.places] == [
        ("two", [("place[two]", "town", "sea")], ""),
        ("three", [("place[three]", "town", "sea")], ""),
    ]
    assert week.queries == 2
    assert week.learned is not None
    assert week.learned.changed == 2


def test_it_is_seen_before_it_is_said() -> None:
    week = live()
    week.tell(asked(week, "one").improve({"place[one]": "sea"}, final=True))
    before = all_seen(week)
    shown = week.like()
    assert all_seen(week) == before
    assert week.everywhere() == shown
    assert valid("Elsewhere", shown.data()) == {
        "values": {"place[one]": "sea"},
        "places": [
            {
                "part": part,
                "values": {f"place[{part}]": "sea"},
                "changes": [
                    {
                        "variable": f"place[{part}]",
                        "label": f"where on day {part}",
                        "before": "town",
                        "after": "sea",
                    }
                ],
                "refused": "",
                "conflict": [],
            }
            for part in ("two", "three")
        ],
    }


def test_what_is_shown_of_a_draft_is_what_is_done_once_it_is_told() -> None:
    """Pizza may be three times in a week, and a zoo once in a trip: the draft itself counts."""
    menu, pizza = live(load("meals")), {"menu[mon,dinner]": "pizza"}
    query = asked(menu, "mon")
    shown = menu.like(pizza)
    assert list(shown.everything) == ["menu[tue,dinner]", "menu[wed,dinner]"]
    menu.tell(query.improve(pizza, final=True))
    assert menu.everywhere(pizza) == shown
    trip = live(load("trip"))
    asked(trip, "thu")
    assert not trip.like({"plan[thu,afternoon]": "zoo"}).everything


def test_the_values_are_hers_from_then_on_and_the_parts_stay_open() -> None:
    week = live(learner="perceptron")
    week.tell(asked(week, "one").improve({"place[one]": "sea"}, final=True))
    week.everywhere()
    assert {name: week._state.spoken[name] for name in PLACES} == dict.fromkeys(PLACES, "sea")
    week.tell(asked(week, "two").improve({"nights[two]": 3}))
    for part in ("two", "three"):
        assert asked(week, part).proposal[f"place[{part}]"] == "sea"
    assert week.confirmed == {}
    finish(week)
    assert places(week) == ["sea"] * 3
    assert week.certificate is not None


def test_what_stands_there_already_becomes_hers_too() -> None:
    week = live()
    found = week.everywhere({"place[one]": "town"})
    assert [place.changes for place in found.places] == [(), ()]
    assert set(week._state.spoken) == {"place[two]", "place[three]"}


def test_where_a_constraint_is_in_the_way_the_part_is_left_and_the_constraint_is_named() -> None:
    """Three nights and a guide cost 9 of 14: they fit once, and hills need a guide."""
    week = live()
    week.tell(asked(week, "one").improve({"nights[one]": 3, "guide[one]": True}, final=True))
    found = week.like()
    assert [place.part for place in found.places] == ["two", "three"]
    assert all(place.refused == "not allowed: the money is enough" for place in found.places)
    assert all(place.conflict == ("budget",) and not place.values for place in found.places)
    before = week.configuration
    with pytest.raises(InfeasibleError, match="nowhere else: two: not allowed: the money is enough") as caught:
        week.everywhere()
    assert caught.value.conflict == ("budget",)
    assert week.configuration == before
    assert week.queries == 1


def test_what_fits_in_one_part_is_there_when_the_next_is_looked_at() -> None:
    week = live()
    week.tell(asked(week, "one").improve({"nights[one]": 3}, final=True))
    found = week.everywhere()
    assert [(place.part, bool(place.values)) for place in found.places] == [("two", True), ("three", False)]
    assert ORACLE.violated(week.configuration, variables=list(week.configuration), features=()) == ()


def test_where_she_said_something_else_it_is_left_unless_she_names_the_part() -> None:
    week = live()
    week.tell(asked(week, "two").improve({"place[two]": "sea"}, final=True))
    week.confirm(["three"])
    week.tell(asked(week, "one").improve({"nights[one]": 0}, final=True))
    refused = {place.part: place.refused for place in week.like({"place[one]": "hills"}).places}
    assert refused == {"two": "you said that place[two] is sea", "three": "you said that place[three] is town"}
    week.everywhere({"place[one]": "sea"}, only=["three"])
    assert places(week) == ["town", "sea", "sea"]


def test_pins_are_kept_even_in_parts_that_she_names() -> None:
    week = live()
    asked(week, "two")
    week.pin("place[two]", "town")
    found = week.everywhere({"place[one]": "sea"}, only=["two", "three"])
    assert [place.refused for place in found.places] == ["'place[two]' is pinned to town", ""]
    assert places(week) == ["town", "town", "sea"]


def test_her_rules_are_in_the_way_as_constraints_are() -> None:
    week = live()
    week.at_most("place[*]", "sea", 1)
    week.tell(asked(week, "one").improve({"place[one]": "sea"}, final=True))
    with pytest.raises(InfeasibleError, match="a rule of your own") as caught:
        week.everywhere()
    assert caught.value.conflict == ("yours: at most 1 of sea in place[*]",)


def test_it_is_taken_back_like_other_answers_and_an_open_query_is_open_again() -> None:
    week = live()
    week.tell(asked(week, "one").improve({"place[one]": "sea"}, final=True))
    query = asked(week)
    before = all_seen(week)
    week.everywhere()
    assert week.queries == query.number == 2
    assert week._state.open is None
    week.undo()
    assert all_seen(week) == before
    assert asked(week).number == 2


def test_a_log_with_it_is_resumed_without_solving(tmp_path: Path) -> None:
    log = tmp_path / "week.jsonl"
    week = live(log=log, learner="belief")
    week.tell(asked(week, "one").improve({"place[one]": "sea"}, final=True))
    asked(week)
    week.everywhere()
    finish(week)
    week.close()
    again = resumed(log, TRIP)
    assert all_seen(again) == all_seen(week)
    again.close()


@pytest.mark.parametrize("change", [('"query":2,"values"', '"query":4,"values"'), ('"place[two]"', '"place[four]"')])
def test_a_log_with_what_cannot_be_repeated_is_refused(tmp_path: Path, change: tuple[str, str]) -> None:
    log = tmp_path / "week.jsonl"
    week = live(log=log)
    week.tell(asked(week, "one").improve({"place[one]": "sea"}, final=True))
    week.everywhere()
    week.close()
    log.write_text(log.read_text().replace(*change))
    with pytest.raises(RequestError) as caught:
        resumed(log, TRIP)
    assert caught.value.code is Code.LOG_BROKEN


def test_what_there_is_nothing_like_is_refused_in_words() -> None:
    week = live()
    with pytest.raises(RequestError, match="no correction to repeat"):
        week.everywhere()
    with pytest.raises(RequestError, match="of one part"):
        week.everywhere({"place[one]": "sea", "place[two]": "sea"})
    with pytest.raises(RequestError, match="cannot be 'see'"):
        week.everywhere({"place[one]": "see"})
    with pytest.raises(PclError, match="no part 'four'"):
        week.everywhere({"place[one]": "sea"}, only=["four"])
    with pytest.raises(RequestError, match="no other part has a variable like"):
        week.everywhere({"place[one]": "sea"}, only=["one"])
    with pytest.raises(RequestError, match="mode 'people'"):
        live(mode="keep").everywhere({"place[one]": "sea"})
    week.stop()
    with pytest.raises(RequestError, match="stopped"):
        week.everywhere({"place[one]": "sea"})


MIXED = parse_authored("""
pcl: 1
name: mixed
sets: {side: [left, right]}
variables:
  wall: {index: [side, 1..2], domain: [red, blue]}
  roof: {domain: [red, blue]}
  door: {index: [1..2, side], domain: [red, blue]}
features:
  - {name: "red[{s},{i}]", foreach: {s: side, i: 1..2}, value: "(wall[s,i] == 'red') + (door[i,s] == 'red')"}
  - {name: roof, value: "roof == 'red'"}
parts:
  - {name: west, variables: ["wall['left',1]", "wall['left',2]", "door[1,'left']"]}
  - {name: east, variables: ["wall['right',1]", "wall['right',2]", "door[2,'right']"]}
  - {name: rest, variables: ["roof", "door[2,'left']", "door[1,'right']"]}
initial:
  - {set: "wall[*,*]", to: red}
  - {set: "door[*,*]", to: red}
  - {set: roof, to: red}
""")


def test_like_places_differ_in_the_indices_that_name_the_part_and_parts_without_them_are_left_out() -> None:
    house = live(MIXED)
    for at, other in {"wall[left,1]": "wall[right,1]", "door[1,left]": "door[2,right]"}.items():
        assert [(place.part, set(place.values)) for place in house.like({at: "red"}).places] == [("east", {other})]
    with pytest.raises(RequestError, match="no other part has a variable like 'roof'"):
        house.like({"roof": "blue"})
    house.tell(asked(house, "west").improve({"wall[left,2]": "blue"}, final=True))
    assert [place.part for place in house.everywhere().places] == ["east"]
    assert house.configuration["wall[right,2]"] == "blue"


def test_on_a_week_of_training_it_says_where_there_is_no_time() -> None:
    week = training()
    week.tell(asked(week, "mon").improve({"plan[mon,1]": "swimming"}, final=True))
    found = week.everywhere()
    refused = {place.part: place.conflict for place in found.places if place.refused}
    assert refused == {"tue": ("unavailable[tue,1]",), "sun": ("unavailable[sun,1]",)}
    put = {name for name, value in week.configuration.items() if value == "swimming"}
    assert put == {f"plan[{day},1]" for day in ("mon", "wed", "thu", "fri", "sat")}


@pytest.mark.parametrize("seed", range(10))
def test_whatever_is_repeated_the_configuration_is_allowed_and_can_be_taken_back(seed: int) -> None:
    random = Random(seed)
    week = live(learner=random.choice(["perceptron", "belief"]))
    for _ in range(15):
        query = week.ask()
        if query is None:
            break
        name = random.choice(list(query.proposal))
        values = {name: random.choice(TRIP.symbols.variables[name].values())}
        try:
            week.tell(query.improve(values, final=random.random() < 0.5))
            before = all_seen(week)
            week.everywhere()
        except RequestError:
            continue
        assert ORACLE.violated(week.configuration, variables=list(week.configuration), features=()) == ()
        if random.random() < 0.5:
            week.undo()
            assert all_seen(week) == before
