"""Sessions in this process: what every command does, and that no line can end one."""

import re
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.app.terminal.driving import InProcess

from pcl_app.terminal.help import BY_WORD, COMMANDS, examples_of
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_core import Oracle, ProblemBuilder, load

ORACLES = {name: Oracle.of(load(name)) for name in ("training", "hotel", "grid")}


def session(name: str, lines: Sequence[str], **settings: Any) -> InProcess:
    return InProcess(ORACLES[name].problem, list(lines), ORACLES[name], **settings)


def test_an_improvement_is_told_and_kept() -> None:
    done = session("training", ["1 = run", "done"])
    assert done.elicitation.configuration["plan[mon,1]"] == "running"
    assert "your value, was pushups" in done.text
    assert "mon is as you want it: 1 of 7 confirmed" in done.text
    assert "-- query 2: tue -- 1 of 7 confirmed --" in done.text
    assert done.ending == "left"


def test_a_misspelt_value_is_recognized_and_what_she_forbade_is_not_offered() -> None:
    menu = Oracle.of(load("meals"))
    done = InProcess(menu.problem, ["1 = omlette", "never omelette", "1 = omlette", "1 = omelette"], menu)
    first, _, second = done.text.partition("from now on")
    assert "'lunch on mon' cannot be 'omlette' (did you mean 'omelette with spinach'?)" in first
    assert "cannot be 'omlette' (allowed: bread and cheese, vegetable soup" in second
    assert "omelette with spinach" not in second.partition("'omlette'")[2].partition("> 1 = ")[0].partition("#")[0]
    assert "this would not hold: your rule 'never omelette with spinach'" in second


def test_an_empty_line_tells_a_draft_and_nothing_else() -> None:
    done = session("training", ["", "1 = run", ""])
    assert done.elicitation.queries == 2
    assert "type a change such as" in done.text


def test_better_where_nothing_is_changed_is_not_an_answer() -> None:
    done = session("training", ["better", "1 = pushups", "better", "accept"])
    assert "nothing is changed" in done.text
    assert "the draft is the same as the proposal" in done.text
    assert "'yes' would lose them" in done.text
    assert done.elicitation.queries == 1


@pytest.mark.parametrize("mode", ["people", "keep"])
@pytest.mark.parametrize("lines", [["done"], ["1 = pushups", "done"]])
def test_done_where_nothing_is_changed_says_that_it_is_right(lines: list[str], mode: str) -> None:
    """Whoever says `done` has seen how it stands, and wants it so."""
    done = session("training", lines, mode=mode)
    assert "mon is right as it is: 1 of 7 confirmed" in done.text
    assert done.elicitation.queries == 2
    assert done.elicitation.standing["mon"] == "closed"


def test_a_contradiction_is_said_when_it_is_made_and_not_at_the_end() -> None:
    """It may be a mistake, or somebody thought again: at the end it would be news of a thing long settled."""
    done = session("training", ["a", "ask mon", "1 = swim", "done", "confirm all", *["a"] * 8])
    assert done.elicitation.certificate is not None
    assert done.elicitation.misfit is not None
    assert done.text.count("against what you had said before") == 1
    assert done.text.count("what you had said of mon before, which this goes against, no longer counts") == 1
    assert "One thing that I noticed" not in done.text


def test_accepting_everything_ends_with_a_certificate() -> None:
    done = session("training", ["a"] * 7)
    assert done.ending == "finished"
    assert done.elicitation.certificate is not None
    assert "mon is right as it is: 1 of 7 confirmed" in done.text


def test_an_infeasible_draft_names_the_constraints_and_stays() -> None:
    done = session("hotel", ["2 = 6", "done", "complete", "done"])
    assert "not allowed as it stands, since this would not hold: r7 holds at most 6 pieces" in done.text
    assert "! this is not allowed: r7 holds at most 6 pieces" in done.text
    assert "your draft is as it was: 'complete' fills in the rest" in done.text
    assert "filled in, was 1" in done.text
    assert done.elicitation.configuration["double_beds[r7]"] == 6
    assert done.elicitation.configuration["single_beds[r7]"] == 0


def test_what_no_completion_helps_is_said_at_once() -> None:
    done = session("training", ["2 = run", "complete"])
    assert "unavailable" not in done.text, "that is what the constraint is called in the file"
    assert "no completion helps here" in done.text
    assert "nothing can be completed around these values: no training on mon in slot 2" in done.text
    assert done.session.draft


def test_completing_needs_a_draft_and_keeps_what_it_can() -> None:
    done = session("hotel", ["complete", "3 = 2", "complete"])
    assert "there is no draft to complete" in done.text
    assert done.session.untold == {"bunk_beds[r7]": 2}


def test_undo_takes_back_edits_then_answers() -> None:
    done = session("training", ["1 = run", "done", "1 = rest; 2 = abs", "3 = abs", "undo", "undo", "undo"])
    assert not done.session.draft
    assert done.elicitation.queries == 1
    assert done.elicitation.configuration["plan[mon,1]"] == "pushups"
    assert "taken back" in done.text


def test_what_was_taken_back_is_said() -> None:
    done = session("training", ["1 = run", "done", "undo", "confirm tue wed", "undo", "pin 1 = run", "undo"])
    assert "taken back: mon: slot 1 = running; that is how it should be" in done.text
    assert "taken back: tue and wed: right as it is" in done.text
    assert "taken back: keep as it is: mon slot 1 = running" in done.text
    assert "taken back: block 0,0: cell 0,0 = yes; that is how" in session("grid", ["1 = yes", "done", "undo"]).text


def test_a_value_that_stands_already_is_hers_with_enter() -> None:
    done = session("training", ["1 = pushups", ""])
    assert "1 slot 1 pushups your value, as proposed" in done.text
    assert "Enter: that is how you want it; 'undo', 'clear'" in done.text
    assert "mon is right as it is" in done.text


def test_changes_that_are_not_said_are_named_as_such() -> None:
    said = "! you have changes that are not said yet, and 'yes' would lose them (Enter says them, 'clear' drops them)"
    assert said in session("training", ["1 = run", "yes"]).text


def test_taking_where_nothing_is_suggested_says_what_to_do() -> None:
    said = "nothing is suggested here beside what you see ('accept' if it is right as it is; '1 = weights' changes"
    assert said in session("training", ["t"]).text


def test_nothing_to_undo_is_a_sentence() -> None:
    assert "there is nothing to take back" in session("training", ["undo"]).text


def test_clear_drops_the_draft() -> None:
    assert not session("training", ["1 = run", "clear"]).session.draft


def test_pins_hold_and_are_listed() -> None:
    done = session("training", ["pins", "pin 1 = run", "pins", "1 = rest", "unpin 1", "1 = rest"])
    assert "nothing is pinned" in done.text
    assert "mon slot 1 = running (in mon)" in done.text
    assert "'mon slot 1' is pinned to running (unpin it first)" in done.text
    assert "'mon slot 1' is free again" in done.text
    assert done.session.draft is not None
    assert done.session.draft.given == {"plan[mon,1]": "rest"}


def test_a_pin_takes_the_value_of_the_draft() -> None:
    done = session("training", ["1 = run", "pin slot 1"])
    assert done.elicitation.pins == {"plan[mon,1]": "running"}
    assert not done.session.draft


def test_several_pins_at_once() -> None:
    done = session("hotel", ["pin single; 2 = 1"])
    assert done.elicitation.pins == {"single_beds[r7]": 1, "double_beds[r7]": 1}


def test_pins_of_other_parts_can_be_freed() -> None:
    done = session("training", ["pin 1 = run", "a", "unpin slot 1", "unpin 2"])
    assert not done.elicitation.pins
    assert "'tue slot 2' is not pinned" in done.text


def test_a_pin_that_cannot_be_names_the_constraints() -> None:
    assert "nothing can be completed around these pins: no training on mon" in session("training", ["pin 2 = run"]).text


def test_part_asks_about_another_part() -> None:
    done = session("training", ["part sat", "ask sat", "p nowhere", "1 = run", "ask mon"])
    assert done.elicitation.queries == 2
    assert "-- query 2: sat --" in done.text
    assert "this query is about sat already" in done.text
    assert "there is no 'nowhere'" in done.text
    assert "'ask' would lose them" in done.text


def test_done_after_a_refused_line_accepts_nothing() -> None:
    """She meant to tell a change that was not taken."""
    done = session("training", ["1 = flying", "done", "1 = swim", "done"])
    assert "nothing was changed ('accept' says that it is right as it is)" in done.text
    assert done.elicitation.configuration["plan[mon,1]"] == "swimming"
    assert done.elicitation.queries == 2
    accepted = session("training", ["1 = flying", "accept"])
    assert "mon is right as it is" in accepted.text


def test_counts_are_the_same_after_taking_back() -> None:
    done = session("training", ["1 = swim", "done", "2 = abs", "done", "accept", "undo", "undo"])
    headers = re.findall(r"-- query (\d): (\w+) -- ([^-]*)--", done.text)
    shown = {(number, part, counted) for number, part, counted in headers}
    assert len(headers) == 6
    assert len(shown) == len({(number, part) for number, part, _ in shown}) == 4


def test_skip_asks_about_something_else() -> None:
    done = session("training", ["skip"])
    assert "no opinion on mon: it comes again once you have said something of another" in done.text
    assert "-- query 2: tue --" in done.text


def test_why_speaks_of_values_and_never_of_features() -> None:
    assert "nothing is known of your preferences yet" in session("training", ["why"]).text
    problem = ORACLES["grid"].problem
    done = InProcess(problem, ["why"], ORACLES["grid"], weights=[1.0] * len(problem.features))
    assert "what is known of you from before speaks for it" in done.text
    assert not any(feature.label and feature.label in done.text for feature in problem.features)


def test_show_save_values_help() -> None:
    done = session("training", ["show", "save", "values 2", "?", "help", "again"])
    assert "sun rest pushups pushups rest rest" in done.text
    assert "saved in x.jsonl" in done.text
    assert "mon slot 2: rest not possible as things stand: pushups, weights" in done.text
    examples = examples_of(ORACLES["training"].problem, Vocabulary(ORACLES["training"].problem), None)
    assert all(command.usage.partition(" ")[0] in done.text for command in COMMANDS)
    assert examples.part == "tue"
    assert "1 = weights" in done.text, "an example is of the problem at hand"


def test_every_command_has_its_handler_and_there_is_no_other() -> None:
    handlers = session("training", []).session.handlers
    assert set(handlers) == {"edit", "nothing", "no", *(command.name for command in COMMANDS)}


def test_stop_ends_without_certificate() -> None:
    done = session("grid", ["1 = yes", "stop", "done", "stop", "a"])
    assert done.ending == "finished"
    assert done.elicitation.certificate is None
    assert "'stop' would lose them" in done.text


def test_quit_leaves() -> None:
    done = session("grid", ["q", "a"])
    assert done.ending == "left"
    assert done.elicitation.queries == 1


def test_an_improvement_that_no_feature_sees_says_so() -> None:
    builder = ProblemBuilder("sides")
    left, right = builder.boolean("left"), builder.boolean("right")
    builder.feature("both", left + right)
    builder.part("all", [left, right])
    builder.initial(left, True)
    builder.initial(right, False)
    lines = ["left = no, right = yes", "done"]
    people, keep = InProcess(builder.problem(), lines), InProcess(builder.problem(), lines, mode="keep")
    assert "where everything I know of is equal" in people.text
    assert "One thing that I noticed: you chose once where everything I know of is equal" in people.text
    assert "nothing I know of tells the two apart: something that you care about is not in my list" in keep.text


@pytest.mark.parametrize("mode", ["people", "keep", "paper"])
@pytest.mark.parametrize("stop", ["certificate", "two-pass", "never"])
def test_modes_and_stopping_rules(mode: str, stop: str) -> None:
    done = session("grid", ["1 = yes", "done", *["a"] * 12], mode=mode, stop=stop)
    assert done.ending == ("left" if stop == "never" else "finished")


BAD_LINES = {
    "foo": "'foo' is neither a command nor a change",
    "acept": "did you mean 'accept'",
    "accept all": "'accept' stands alone",
    "= ": "there is no name before '='",
    "slot = run": "'slot' can be slot 1 or slot 2",
    "7 = run": "rows are numbered from 1 to 5",
    "1 = flying": "'mon slot 1' cannot be 'flying'",
    "1 = w": "'w' can be weights or walking",
    "plan[tue,1] = run": "'tue slot 1' is in tue",
    "pin": "'pin' does not stand alone (such as 'pin 1 = weights')",
    "pin ;": "'pin' does not stand alone",
    "pin 1 = ": "there is no value after '='",
    "unpin": "'unpin' does not stand alone (such as 'unpin 1')",
    "unpin 1": "'mon slot 1' is not pinned (nothing is pinned)",
    "part": "'ask' does not stand alone (such as 'ask tue')",
    "part t": "'t' can be tue or thu (write more of it)",
    "values": "'values' does not stand alone",
    "x" * 20_000: "this line is too long",
    "[bold]1[/bold] = :smile:": "mon has no '[bold]1[/bold]'",
    "\x1b[2J": "'?[2J' is neither",
}


@pytest.mark.parametrize("line", BAD_LINES)
def test_a_wrong_line_is_answered_with_a_sentence_and_changes_nothing(line: str) -> None:
    done = session("training", [line])
    assert BAD_LINES[line] in done.text
    assert done.ending == "left"
    assert done.elicitation.queries == 1
    assert not done.session.draft
    assert "\x1b" not in done.shown.getvalue()


WORDS = st.sampled_from([*BY_WORD, "slot", "1", "2", "5", "9", "=", ";", ",", "running", "r", "yes", "no", "mon", "3"])
LINES = st.one_of(
    st.lists(WORDS, max_size=8).map(" ".join),
    st.builds("{} = {}".format, st.integers(0, 6), st.sampled_from(["rest", "abs", "run", "yes", "0", "1", "6"])),
    st.text(max_size=30),
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(ORACLES)), st.lists(LINES, max_size=12))
def test_no_lines_whatsoever_end_it_in_another_way(name: str, lines: list[str]) -> None:
    done = session(name, lines)
    assert done.ending in ("left", "finished")
    assert ORACLES[name].problem.parts[0].variables[0] in done.elicitation.configuration
