"""Lines as people just write them: what they mean is done where that is one thing, and else said."""

import pytest
from tests.app.terminal.driving import InProcess

from pcl_core import Oracle, load

ORACLES = {name: Oracle.of(load(name)) for name in ("training", "hotel", "meals", "grid")}
TO_THE_LOOK = ("1 = swim", "", *["a"] * 6)


def session(name: str, *lines: str) -> InProcess:
    return InProcess(ORACLES[name].problem, list(lines), ORACLES[name])


@pytest.mark.parametrize(
    ("problem", "line", "draft"),
    [
        ("training", "1 walking", {"plan[mon,1]": "walking"}),
        ("training", "1: walking", {"plan[mon,1]": "walking"}),
        ("training", "slot 1 walk", {"plan[mon,1]": "walking"}),
        ("training", "mon 1: walk", {"plan[mon,1]": "walking"}),
        ("training", "slot 1 is walking", {"plan[mon,1]": "walking"}),
        ("meals", "lunch lentil stew", {"menu[mon,lunch]": "lentil stew"}),
        ("meals", "lunch: chili; dinner: roast chicken", {"menu[mon,lunch]": "chili with beans", "menu[mon,dinner]": "roast chicken"}),
        ("meals", "mon 1 pancakes, mon 2 pizza", {"menu[mon,lunch]": "pancakes", "menu[mon,dinner]": "pizza"}),
        ("hotel", "double beds 2, 4 1", {"double_beds[r7]": 2, "tables[r7]": 1}),
        ("grid", "1 yes", {"cell[0,0]": True}),
    ],
)  # fmt: skip
def test_a_name_and_a_value_are_a_change(problem: str, line: str, draft: dict[str, object]) -> None:
    done = session(problem, line)
    assert (done.session.draft.given if done.session.draft else {}) == draft


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("no", "type what should be different, such as '1 = weights'; 'skip' if you have no opinion"),
        ("No.", "type what should be different, such as '1 = weights'"),
        ("sat", "'sat' alone changes nothing ('ask sat' opens it; to change something write '1 = weights')"),
        ("mon", "this question is about mon already (to change something write '1 = weights')"),
        ("sat 3: walk", "'sat slot 3' is in sat, and not in this question ('ask sat' opens it)"),
        ("tue 5 rest", "'tue slot 5' is in tue, and not in this question ('ask tue' opens it)"),
        ("3 wlaking", "'mon slot 3' cannot be 'wlaking' (did you mean 'walking'?)"),
        ("walking", "where is 'walking' to stand? (such as '1 = walking')"),
        ("no swimming", "as a rule of yours, write 'never swimming'"),
        ("I don't want swimming on sat", "as a rule of yours, write 'never swimming on sat'"),
        ("no flying", "'no flying' is neither a command nor a change ('?' lists the commands"),
        ("I don't know", "'skip' says that you have no opinion now"),
        ("not sure.", "'skip' says that you have no opinion now"),
        ("is this right", "'is this right' is neither a command nor a change"),
        ("1 w", "'w' can be weights or walking"),
        ("slot walking", "'slot walking' is neither a command nor a change"),
    ],
)
def test_what_cannot_be_done_says_what_to_type(line: str, sentence: str) -> None:
    done = session("training", line)
    assert sentence in done.text
    assert not done.session.draft
    assert done.elicitation.queries == 1


def test_who_says_no_has_accepted_nothing() -> None:
    done = session("training", "no", "done")
    assert "nothing was changed ('accept' says that it is right as it is)" in done.text
    assert done.elicitation.queries == 1


def test_who_says_no_to_a_draft_learns_how_to_take_it_back() -> None:
    done = session("training", "1 = walk", "no")
    assert "'undo' takes back the last of your changes, and 'clear' all of them" in done.text
    assert done.session.draft


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("no", "type what should be different, such as 'mon slot 1 = pushups'; 'ask mon' opens that alone; 'skip'"),
        ("sat", "'sat' alone changes nothing ('ask sat' opens it; to change something write 'mon slot 1 = pushups')"),
        ("2 = walking", "write more of it, or the part and the number, as in 'mon 2'"),
        ("sat 3: walk", "sat slot 3 walking your value"),
        ("sat 3 walk", "sat slot 3 walking your value"),
        ("walking", "where is 'walking' to stand? (such as 'mon slot 1 = walking')"),
    ],
)
def test_a_look_at_several_says_what_to_type(line: str, sentence: str) -> None:
    done = session("training", *TO_THE_LOOK, line)
    assert "Is all of it right?" in done.text
    assert sentence in done.text


def test_of_two_together_no_says_what_to_type() -> None:
    done = session("grid", "confirm all", "a", "further", "no")
    assert "type what should be different, such as 'cell 0,2 = yes'; 'ask block 0,1' opens that alone" in done.text


def test_where_rows_have_no_numbers_they_are_named_with_their_part() -> None:
    done = session("meals", "a", "2 = pizza", "", "2 = roast", "", *["a"] * 4, "2 = pancakes", "mon 2 = pancakes")
    assert "Is all of it right?" in done.text
    assert "has no '2' (write the part and the number, as in 'mon 2')" in done.text
    assert "dinner on mon pancakes your value" in done.text


def test_a_change_elsewhere_says_how_to_get_there() -> None:
    done = session("training", "tue 5 = rest", "plan[tue,5] = rest", "ask tuesday", "tue 5 = rest")
    assert done.text.count("'tue slot 5' is in tue, and not in this question ('ask tue' opens it)") == 2
    assert "-- query 2: tue --" in done.text
    assert done.session.draft is not None
    assert done.session.draft.given == {"plan[tue,5]": "rest"}
