"""Pins in a session: lines that happen as a whole, and what is shown after them."""

from collections.abc import Sequence

from tests.app.terminal.driving import InProcess

from pcl_core import Oracle, load

WEEK = Oracle.of(load("training"))


def session(*lines: str) -> InProcess:
    return InProcess(WEEK.problem, list(lines), WEEK)


def proposals(done: InProcess) -> Sequence[str]:
    """The first row of every table that was shown."""
    return [line.strip() for line in done.shown.getvalue().splitlines() if line.strip().startswith("1  slot 1")]


def test_a_line_of_pins_happens_as_a_whole_or_not_at_all() -> None:
    done = session("3 = rest", "pin 1 = running; 2 = running", "again", "pins")
    assert "nothing can be completed around these pins: no training on mon in slot 2" in done.text
    assert done.elicitation.pins == {}
    assert "nothing is pinned" in done.text
    assert done.elicitation.configuration["plan[mon,1]"] == "pushups"
    assert "pushups" in proposals(done)[-1]
    assert done.session.draft is not None
    assert done.session.draft.given == {"plan[mon,3]": "rest"}


def test_after_a_line_of_pins_that_failed_the_query_can_be_answered() -> None:
    done = session("pin 1 = running; 2 = running", "accept")
    assert "mon is right as it is: 1 of 7 confirmed" in done.text


def test_done_tells_what_pins_improved() -> None:
    done = session("pin 1 = running", "done")
    assert "mon is as you want it: 1 of 7 confirmed" in done.text
    assert done.elicitation.configuration["plan[mon,1]"] == "running"
    assert "nothing is changed" not in done.text


def test_done_after_a_pin_of_what_was_proposed_says_that_it_is_right() -> None:
    assert "mon is right as it is: 1 of 7 confirmed" in session("pin 1", "done").text


def test_a_draft_that_is_not_allowed_is_called_so_whenever_it_is_shown() -> None:
    done = session("2 = run", "again", "pin 1")
    assert done.text.count("not allowed as it stands, since this would not hold: no training on mon in slot 2") == 3


def test_unpin_shows_the_query_again() -> None:
    done = session("pin 1 = running", "unpin 1")
    assert len(proposals(done)) == 3
    assert "pinned" not in proposals(done)[-1]


def test_a_line_of_pins_has_one_value_for_each_variable() -> None:
    for line in ("pin 1 = running; 1 = rest", "pin 1 = running; 1"):
        done = session(line)
        assert "has two values in this line" in done.text
        assert done.elicitation.pins == {}


def test_one_undo_takes_back_a_line_of_pins() -> None:
    done = session("pin 1 = running; 3 = rest", "undo", "pins")
    assert done.elicitation.pins == {}
    assert done.elicitation.configuration["plan[mon,1]"] == "pushups"
