"""The end in the terminal: what is certified, two parts at once, and what is kept for another time."""

import json
from pathlib import Path

import pytest
from tests.app.terminal.driving import InProcess, pcl_elicit
from tests.app.terminal.test_session import ORACLES

from pcl_core.elicitation import Taste

ALL_OF_GRID = ["1 = yes", "done", "confirm all", "a"]


def grid(lines: list[str]) -> InProcess:
    return InProcess(ORACLES["grid"].problem, lines, ORACLES["grid"])


def test_after_the_certificate_two_at_once_are_offered_and_what_is_certified_is_said() -> None:
    done = grid([*ALL_OF_GRID, "further", "yes", "yes", "stop"])
    assert "'further' asks about two at once" in done.text
    assert "right as they stand, taken together?" in done.text
    assert "together: right as it is, 4 of 4 confirmed" in done.text
    certificate = done.elicitation.certificate
    assert certificate is not None
    assert len(certificate.pairs) == 2
    for first, second, query in certificate.pairs:
        assert f"(query {query})" in done.text.rpartition("Nor would these be better if both of them changed:")[2]
        assert {first, second} <= {part.name for part in done.elicitation.problem.parts}


def test_a_pair_is_changed_by_labels_and_left_aside_by_skip() -> None:
    done = grid([*ALL_OF_GRID, "further", "", "cell 0,0 = no", "clear", "skip", "stop"])
    assert "type a change such as 'cell" in done.text
    assert "your value, was yes" in done.text
    assert "together: left aside" in done.text


def test_looking_further_is_for_after_the_certificate() -> None:
    assert "! there is nothing to look further at (it is for after the certificate)" in grid(["further"]).text
    by_the_paper = InProcess(ORACLES["grid"].problem, ["a"] * 4, ORACLES["grid"], mode="keep", learner="perceptron")
    assert by_the_paper.elicitation.certificate is not None
    assert "'further'" not in by_the_paper.text


def test_the_end_waits_and_can_be_taken_back() -> None:
    done = grid([*ALL_OF_GRID, "why", "undo", "a", "show", ""])
    assert "there is no question open" in done.text
    assert done.text.count("The result after") == 2
    assert done.ending == "finished"


def test_after_the_end_any_part_can_be_opened_and_changed() -> None:
    done = grid([*ALL_OF_GRID, "cell 0,3 = yes", "1 = yes", "block 0,1: yes", "ask block 0,1", "1 = yes", "", ""])
    assert "'ask block 0,0' opens one again; 'taste' keeps" in done.text
    assert (
        "there is no question open ('ask block 0,1' goes on with that, 'undo' goes back to the last one)" in done.text
    )
    assert "there is no question open ('ask block 0,0' goes on with that" in done.text
    assert "block 0,1 -- 4 of 4 confirmed --" in done.text
    assert done.elicitation.configuration["cell[0,2]"] is True


def test_after_the_end_without_an_opinion_a_part_is_opened_all_the_same() -> None:
    done = grid(["s", "s", "s", "s", "ask block 1,1", "1 = yes", ""])
    assert "There is no certificate, since you had no opinion" in done.text
    assert done.elicitation.configuration["cell[2,2]"] is True
    assert "block 1,1 is as you want it: 1 of 4 confirmed" in done.text


def test_after_stop_only_undo_goes_on(tmp_path: Path) -> None:
    pcl_elicit(tmp_path, "grid", "--log", "g.jsonl", lines="stop\n")
    again = pcl_elicit(tmp_path, "grid", "--resume", "g.jsonl", lines="ask block 0,0\n1 = yes\nundo\n1 = yes\n\n")
    assert again.stdout.count("there is no question open ('undo' goes back to the last one)") == 2
    assert "taken back: no more questions" in again.stdout
    assert "as you want it: 1 of 4 confirmed" in again.stdout


def test_what_is_shown_after_the_end_is_marked_as_the_end_left_it() -> None:
    week = ORACLES["training"]
    done = InProcess(week.problem, ["1 = swimming", "done", *["a"] * 8, "show", ""], week)
    assert done.elicitation.certificate is not None
    shown = done.text.rpartition("Enter leaves.")[2]
    assert shown.count(" ok") == len(week.problem.parts)
    assert " again" not in shown


def test_a_taste_is_written_renewed_and_started_from(tmp_path: Path) -> None:
    first = pcl_elicit(
        tmp_path, "grid", "--log", "a.jsonl", lines="1 = yes\ndone\nnever 2 = yes\nconfirm all\na\ntaste\n"
    )
    assert "what you like is kept in grid-taste.json" in first.stdout
    kept = Taste.from_data(json.loads((tmp_path / "grid-taste.json").read_text()))
    assert kept.values
    assert [rule.kind for rule in kept.rules] == ["never"]
    again = pcl_elicit(
        tmp_path, "grid", "--log", "b.jsonl", "--taste", "grid-taste.json", lines="rules\nconfirm all\na\ntaste\n"
    )
    assert "What you liked, in grid-taste.json, is where this starts." in again.stdout
    assert kept.rules[0].words in again.stdout
    assert "This is certified" in again.stdout
    assert "what you like is kept in grid-taste.json, in place of the taste that was there. To" in again.stdout
    assert "\n  pcl elicit grid --taste grid-taste.json\n" in again.stdout


def test_with_a_taste_everything_comes_first_as_it_was(tmp_path: Path) -> None:
    pcl_elicit(tmp_path, "grid", "--log", "a.jsonl", lines="confirm all\na\ntaste\n")
    taste = ("--taste", "grid-taste.json")
    same = pcl_elicit(tmp_path, "grid", "--log", "b.jsonl", *taste, lines="yes\n").stdout
    assert "query 1: everything, as it was last time" in same
    assert "'skip' goes through it one by one" in " ".join(same.split())
    assert "This is certified" in same
    other = pcl_elicit(tmp_path, "grid", "--log", "c.jsonl", *taste, lines="skip\n").stdout
    assert "no opinion on everything, as it was last time: it stays as it is, and comes one by one" in other
    assert "query 2: block" in other
    cell = Taste.from_data(json.loads((tmp_path / "grid-taste.json").read_text())).values
    name, value = next(iter(cell.items()))
    draft = f"{name} = {'no' if value else 'yes'}"
    left = pcl_elicit(tmp_path, "grid", "--log", "d.jsonl", *taste, lines=f"{draft}\n").stdout
    again = left.partition("To have it again, type: ")[2].partition("\n")[0]
    told = pcl_elicit(tmp_path, "grid", "--resume", "d.jsonl", lines=f"{again}\ndone\n").stdout
    assert "it is changed as you want it" in told, "what is said to be typed can be typed"
    assert "query 2: the rest, as you left it" in told


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[]", "a taste is a JSON object"),
        ("{", "grid.json:1:2"),
        ('{"problem": 3}', "grid.json"),
        ('{"problem": "grid", "weights": {"x": "much"}, "deviations": {}, "values": {}, "rules": []}', "grid.json:1"),
        (None, "there is no such file"),
    ],
)
def test_what_is_no_taste_is_refused_in_a_sentence(tmp_path: Path, text: str | None, said: str) -> None:
    if text is not None:
        (tmp_path / "grid.json").write_text(text)
    ended = pcl_elicit(tmp_path, "grid", "--taste", "grid.json", lines="")
    assert ended.returncode == 2
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_file_that_is_no_taste_is_not_replaced_by_one(tmp_path: Path) -> None:
    (tmp_path / "notes.json").write_text("mine")
    ended = pcl_elicit(
        tmp_path, "grid", "--log", "a.jsonl", lines="taste notes.json\ntaste no/such/place.json\ntaste it\nquit\n"
    )
    assert "there is a file notes.json already, and it is no taste" in ended.stdout
    assert "! no/such/place.json: cannot write the file" in ended.stdout
    assert "! 'it' is no name for it (such as 'taste my.json')" in ended.stdout
    assert (tmp_path / "notes.json").read_text() == "mine"
    assert not (tmp_path / "it").exists()


def test_whose_place_a_taste_takes_is_said(tmp_path: Path) -> None:
    first = pcl_elicit(tmp_path, "grid", "--log", "a.jsonl", lines="taste mine.json\nq\n")
    assert "in place of" not in first.stdout
    other = pcl_elicit(tmp_path, "training", "--log", "b.jsonl", lines="taste mine.json\nq\n")
    assert "kept in mine.json, in place of the taste that was there, of 'grid'." in " ".join(other.stdout.split())
    assert "\n  pcl elicit training --taste mine.json\n" in other.stdout


def test_a_taste_is_for_a_new_elicitation(tmp_path: Path) -> None:
    assert pcl_elicit(tmp_path, "grid", "--log", "a.jsonl", lines="quit\n").returncode == 0
    refused = pcl_elicit(tmp_path, "grid", "--resume", "a.jsonl", "--taste", "x.json", lines="")
    assert "--taste is for a new elicitation" in refused.stderr
