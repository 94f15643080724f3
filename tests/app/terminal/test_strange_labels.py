"""Values that hold what separates edits can be typed, too."""

import pytest
from tests.app.terminal.driving import InProcess

from pcl_core import Problem, ProblemBuilder


@pytest.fixture(scope="module")
def odd() -> Problem:
    builder = ProblemBuilder("odd")
    one = builder.categorical("one", ["plain", "a=b", "c;d", "e; f = g"])
    two = builder.categorical("two", ["plain", "a=b", "c;d"])
    builder.feature("plain", one.equals("plain") + two.equals("plain"))
    builder.part("all", [one, two])
    builder.initial(one, "plain")
    builder.initial(two, "plain")
    return builder.problem()


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("one = a=b", {"one": "a=b"}),
        ("1 = a=", {"one": "a=b"}),
        ("one = c;d", {"one": "c;d"}),
        ("one = E; F = g", {"one": "e; f = g"}),
        ("one = c;d; two = a=b", {"one": "c;d", "two": "a=b"}),
        ("one = a=b; two = c;d;", {"one": "a=b", "two": "c;d"}),
        ("one = a=b; two = plain", {"one": "a=b", "two": "plain"}),
    ],
)
def test_values_with_separators(odd: Problem, line: str, expected: dict[str, str]) -> None:
    draft = InProcess(odd, [line]).session.draft
    assert draft is not None
    assert draft.given == expected
    assert InProcess(odd, [f"pin {line}"]).elicitation.pins == expected


def test_a_line_of_separators_is_read_at_once(odd: Problem) -> None:
    assert "there is no value after" in InProcess(odd, ["one = " + ";" * 9_000 + "="]).text
