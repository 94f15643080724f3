"""A person who wants something definite: what she says stays, what became of it is said, and it fits a small screen."""

import io
from collections.abc import Sequence

import pytest
from rich.console import Console
from tests.app.terminal.driving import InProcess, ListedLines

from pcl_app.output import Worker
from pcl_app.terminal.result import show_result
from pcl_app.terminal.session import Session
from pcl_app.terminal.view import View
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_core import Elicitation, Oracle, Settings, load, parse_authored

ORACLES = {name: Oracle.of(load(name)) for name in ("training", "hotel", "meals", "pc", "grid")}
THREE = parse_authored("""
pcl: 1
name: three
variables:
  a: {domain: 0..2, label: apples}
  b: {domain: 0..2, label: bread}
  c: {domain: 0..2, label: cheese}
features: [{name: a, value: a}, {name: b, value: b}, {name: c, value: c}]
parts: [{name: first, variables: [a]}, {name: second, variables: [b]}, {name: third, variables: [c]}]
initial: [{set: a, to: 0}, {set: b, to: 0}, {set: c, to: 0}]
""")
TO_THE_LOOK = ("a", "a", "1 = 2", "done")


def session(name: str, *lines: str) -> InProcess:
    return InProcess(ORACLES[name].problem, list(lines), ORACLES[name])


def test_done_is_final_and_better_is_not() -> None:
    final, better = session("training", "1 = swim", "done"), session("training", "1 = swim", "better")
    assert final.elicitation.standing["mon"] == "closed"
    assert better.elicitation.standing["mon"] == "new"
    assert "mon is better so, and comes again: 0 of 7 confirmed" in better.text


def test_why_speaks_of_values() -> None:
    done = session("training", "1 = swim", "", "why")
    assert done.text.count("why: less pushups, because you took it out of mon") == 1
    assert "you seem to like" not in done.text


def test_a_completed_draft_keeps_her_values_and_is_shown_once_more() -> None:
    done = session("hotel", "2 = 6", "complete", "done")
    assert "Enter: your values stay, and it is shown once more; 'better', 'undo', 'clear'" in done.text
    assert "your values in room r7 stay; the rest was filled in, so it is shown once more" in done.text
    assert done.elicitation.configuration["double_beds[r7]"] == 6
    assert done.elicitation.standing["r7"] == "new"


def test_what_is_confirmed_no_longer_is_named() -> None:
    done = session("meals", "a", "2 = pizza", "", "2 = roast", "")
    assert "to be looked at again, since this changes what is around: mon" in done.text
    assert "mon bread and cheese pasta with tomatoes again" in done.text


def test_room_is_made_elsewhere_and_said_before_and_after() -> None:
    done = session("meals", "ask sat", "1 = bread", "done")
    assert done.text.count("to make room, lunch on") == 2
    assert "(was bread and cheese)" in done.text
    assert done.elicitation.configuration["menu[sat,lunch]"] == "bread and cheese"


def test_where_room_is_made_elsewhere_nothing_has_to_be_completed() -> None:
    done = session("meals", "ask sat", "1 = bread", "complete", "done")
    said = "nothing has to be filled in here: room is made elsewhere, outside sat (Enter says your values as they are)"
    assert said in done.text
    assert "nothing can be completed" not in done.text
    assert done.elicitation.configuration["menu[sat,lunch]"] == "bread and cheese"


def test_her_own_values_make_no_room_and_are_named() -> None:
    done = session("meals", "ask sat", "confirm all", "1 = bread")
    assert "this has no room beside what you said: lunch on" in done.text


def test_one_key_takes_a_suggestion() -> None:
    assert "nothing is suggested here" in session("training", "t").text
    furnished = ("2 = 6", "c", "done", *("1 = 1; 4 = 1", "") * 2, "ask r7")
    done = session("hotel", *furnished)
    query = done.elicitation.ask()
    assert query is not None
    assert query.proposal["double_beds[r7]"] == 6, "what she typed stays"
    assert "2 double beds 6 suggested: 1" in done.text
    assert "why: what is yours stays suggested: " in done.text
    assert "; 't' takes it" in done.text
    taken = session("hotel", *furnished, "t")
    assert taken.elicitation.configuration["double_beds[r7]"] == 1
    assert "room r7 is better so, and comes again" in taken.text


def test_several_are_confirmed_at_once_but_not_what_waits() -> None:
    done = session("training", "confirm tue, wed", "confirm all")
    assert "2 of 7 confirmed" in done.text
    assert "6 of 7 confirmed" in done.text
    assert "mon waits for your answer: 'accept' if it is right, too" in done.text
    assert session("training", "confirm all", "a").elicitation.certificate is not None
    assert "there is no 'nowhere'" in session("training", "confirm nowhere").text


def test_the_last_look_shows_everything_and_asks_whether_it_is_right() -> None:
    done = InProcess(THREE, [*TO_THE_LOOK, "", "yes"])
    assert "Is all of it right? 'yes' ends it; 'apples = ...' changes something; 'ask first' looks at one" in done.text
    assert "type a change such as 'apples = 1'" in done.text
    assert "all of it is right: 3 of 3 confirmed" in done.text
    assert done.ending == "finished"


def test_in_the_last_look_something_can_be_changed_by_its_name_and_not_by_a_row() -> None:
    done = InProcess(THREE, [*TO_THE_LOOK, "1 = 1", "bread = 1; apples = 1", "done"])
    assert "everything once more has no '1'" in done.text
    assert "bread 1 your value, was 0" in done.text
    assert done.elicitation.configuration == {"a": 1, "b": 1, "c": 2}


def test_from_the_last_look_one_part_is_opened_by_its_name() -> None:
    done = InProcess(THREE, [*TO_THE_LOOK, "ask second"])
    query = done.elicitation.ask()
    assert query is not None
    assert query.parts == ("second",)
    assert InProcess(THREE, [*TO_THE_LOOK, "confirm all"]).elicitation.certificate is not None


def test_in_the_last_look_a_value_that_stands_is_shown_as_hers() -> None:
    done = InProcess(THREE, [*TO_THE_LOOK, "apples = 0", ""])
    assert "apples 0 your value, as proposed Enter: that is how you want it" in done.text


def ended(*lines: str) -> str:
    done, shown = InProcess(THREE, list(lines)), io.StringIO()
    names = Vocabulary(THREE)
    show_result(done.elicitation, View(THREE, names, Console(file=shown, width=200, no_color=True)))
    return " ".join(shown.getvalue().split())


def test_the_end_says_what_it_means_and_how_each_was_confirmed() -> None:
    assert ended(*TO_THE_LOOK, "yes").endswith(
        "This is certified: whichever one of the 3 were changed alone, it would be no better for you. "
        "You said so of third (query 3), and of first and second in the last look (query 4)."
    )


def test_a_change_in_the_last_look_is_said_and_what_is_beside_it_comes_once_more() -> None:
    for answer, said in (("", "changed as you want it"), ("better", "better so")):
        done = InProcess(THREE, [*TO_THE_LOOK, "apples = 1", answer])
        assert f"it is {said}; what is beside it comes once more: " in done.text
        assert "all of it is right" not in done.text


def test_the_end_without_a_certificate_says_why() -> None:
    assert "since you stopped: 1 of 3 are confirmed; second and third are not." in ended("a", "stop")
    assert "since you had no opinion on second and third: 1 of 3 are confirmed." in ended("a", "s", "s")


def test_without_an_opinion_in_the_last_look_no_part_is_blamed_that_she_spoke_of() -> None:
    end = ended(*TO_THE_LOOK, "skip", "skip")
    assert end.endswith("There is no certificate, since you had no opinion when all of it was shown together.")
    assert "stopping rule" not in end


DEFINITE = {
    "training": ["1 = swim", "", "3 = rest", "", *["a"] * 14],
    "hotel": ["1 = 0; 2 = 2; 5 = 1", "", "1 = 0; 2 = 2; 5 = 1", "", *["a"] * 6],
    "meals": ["2 = pizza", "", "a", "2 = roast", "", *["a"] * 12],
    "pc": ["3 = i7", "c", "done", *["a"] * 8],
    "grid": ["1 = yes", "", *["a"] * 8],
}


@pytest.mark.parametrize("name", DEFINITE)
def test_every_question_fits_a_small_terminal_and_the_part_comes_last(name: str) -> None:
    problem = ORACLES[name].problem
    shown = io.StringIO()
    console = Console(file=shown, width=80, height=24, highlight=False, no_color=True)
    elicitation = Elicitation(problem, oracle=ORACLES[name], settings=Settings.of("people", select="round-robin"))
    names = Vocabulary(problem)
    view = View(problem, names, console)
    Session(elicitation, names, view, ListedLines(DEFINITE[name]), Worker(console), "x.jsonl").run()
    screens = shown.getvalue().split("\n-- query ")[1:]
    assert len(screens) >= 4
    for screen in screens:
        lines = screen.splitlines()
        question = next((at for at, line in enumerate(lines) if line.startswith(("why: ", "'yes' ends it"))), None)
        assert question is not None, screen
        assert question < 23, screen
        assert max(map(len, lines)) <= 80
        assert any(line.startswith(("1  ", "Is all of it right?")) or "   1  " in line for line in lines), screen


def test_a_board_beside_the_part_shows_all_rooms_of_a_hotel() -> None:
    shown = io.StringIO()
    console = Console(file=shown, width=80, height=24, highlight=False, no_color=True)
    problem, names = ORACLES["hotel"].problem, Vocabulary(ORACLES["hotel"].problem)
    elicitation = Elicitation(problem, oracle=ORACLES["hotel"], settings=Settings.of("people", select="round-robin"))
    Session(elicitation, names, View(problem, names, console), ListedLines([]), Worker(console), "x").run()
    text = shown.getvalue()
    assert all(part.label in text for part in problem.parts)
    assert "*  room r7" in text


def rows(text: str, start: str) -> Sequence[str]:
    return [line for line in text.splitlines() if line.startswith(start)]


def test_what_cannot_change_is_marked_and_only_what_is_possible_is_listed() -> None:
    done = session("training")
    assert "2 slot 2 rest fixed" in done.text
    assert len(rows(done.shown.getvalue(), "possible in 1: ")) == 1
    menu = session("meals").text
    assert "vegetable soup" not in menu.partition("possible: ")[2].partition("in all:")[0], "three of it are planned"


def test_no_opinion_on_all_that_is_open_does_not_say_that_it_comes_again() -> None:
    done = InProcess(THREE, ["a", "a", "skip"])
    assert done.elicitation.finished
    assert done.elicitation.certificate is None
    assert "no opinion on third: it stays as it is, and without a word on it nothing is certified" in done.text
    assert "comes again" not in done.text
