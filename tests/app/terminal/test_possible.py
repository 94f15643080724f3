"""What may stand in a part, in words."""

from pcl_app.terminal.possible import in_words
from pcl_core.ir.domains import IntVariable

SAVED = IntVariable(name="saved", lower=0, upper=10**15, unit="cents")


def test_a_range_with_more_numbers_than_memory_has_is_said_by_its_ends() -> None:
    assert in_words(SAVED, range(5, 10**15)) == f"5 to {10**15 - 1} cents"


def test_numbers_in_a_row_are_said_by_their_ends_and_others_one_by_one() -> None:
    assert in_words(SAVED, (3, 4, 5)) == "3 to 5 cents"
    assert in_words(SAVED, (3, 5)) == "3, 5"
    assert in_words(SAVED, (3,)) == "3"
