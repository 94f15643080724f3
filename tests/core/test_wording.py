"""Words for people: printable, short, and suggestions that cost little however much there is to compare."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pcl_core.errors import MAX_FINDINGS, MAX_HINT, MAX_MESSAGE, MAX_PLACE, Code, Issue, Location, PclError
from pcl_core.wording import MAX_MISSPELT, printable, shortened, suggest

anything = st.text(st.characters(exclude_categories=()), max_size=400)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("Grün 日本 👩‍💻", "Grün 日本 👩‍💻"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\r\tc", "a\\nb\\r\\tc"),
        ("\x7f\x9b\u202e\u2066\u2028\u200b", "\\x7f\\x9b\\u202e\\u2066\\u2028\\u200b"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
    ],
)
def test_what_a_terminal_would_obey_is_shown_as_an_escape(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(anything)
def test_printable_text_is_one_line_without_control_characters(text: str) -> None:
    shown = printable(text)
    assert len(shown.splitlines()) <= 1
    assert not any(ord(character) < 32 or 127 <= ord(character) < 160 for character in shown)
    assert printable(shown) == shown


def test_a_long_name_loses_its_middle_and_the_sentence_around_it_stays() -> None:
    said = shortened(f"unknown name '{'a' * 5000}z' in the feature", 240)
    assert said.startswith("unknown name 'aaa")
    assert said.endswith("aaaz' in the feature")
    assert len(said) < 140


@given(anything, anything, anything, anything, st.integers(1, 3000))
def test_a_finding_is_one_short_line_whatever_is_in_it(a: str, b: str, c: str, d: str, times: int) -> None:
    issue = Issue(Code.BAD_NAME, a * times, b * times, Location(c * times, 1, 1, d * times))
    assert len(str(issue).splitlines()) == 1
    assert len(str(issue)) <= MAX_MESSAGE + MAX_HINT + 2 * MAX_PLACE + 40
    assert len(issue.message) <= MAX_MESSAGE
    assert issue.hint is None or len(issue.hint) <= MAX_HINT


def test_findings_are_capped_and_the_rest_is_counted() -> None:
    error = PclError([Issue(Code.BAD_NAME, str(number)) for number in range(1000)], more=5)
    assert len(error.issues) == MAX_FINDINGS
    assert str(error).splitlines()[-1] == "... and at least 955 more"


@pytest.mark.parametrize("count", [3, 100, 5_000])
@pytest.mark.parametrize("misspelt", ["plan[1;2]", "plan[1,2", "paln[1,2]", "pln[1,2]", "plann[1,2]"])
def test_one_slip_of_the_finger_is_found_among_few_and_many(count: int, misspelt: str) -> None:
    known = [f"day[{number // 70},{number % 70}]" for number in range(count)]
    assert "'plan[1,2]'" in (suggest(misspelt, [*known, "plan[1,2]"]) or "")


def test_a_suggestion_compares_few_names_letter_by_letter(monkeypatch: pytest.MonkeyPatch) -> None:
    compared: list[int] = []

    def count(word: str, possibilities: list[str], n: int, cutoff: float) -> list[str]:
        compared.append(len(possibilities))
        return []

    monkeypatch.setattr("pcl_core.wording.difflib.get_close_matches", count)
    for size in (10, 500, 20_000):
        suggest("a" * 90, ["a" * 90 + str(number) for number in range(size)])
    suggest("a" * (MAX_MISSPELT + 1), ["a"])
    assert len(compared) == 3
    assert max(compared) <= 12
