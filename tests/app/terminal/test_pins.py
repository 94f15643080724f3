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
    assert "nothing can be completed around these pins: unavailable[mon,2]" in done.text
    assert done.elicitation.pins == {}
    assert "nothing is pinned" in done.text
    assert done.elicitation.configuration["plan[mon,1]"] == "pushups"
    assert "pushups" in proposals(done)[-1]
    assert done.session.draft.chosen == {"plan[mon,3]": "rest"}


def test_after_a_line_of_pins_that_failed_the_query_can_be_answered() -> None:
    done = session("pin 1 = running; 2 = running", "accept")
    assert "satisfied with mon: 1 of 7 parts confirmed" in done.text
