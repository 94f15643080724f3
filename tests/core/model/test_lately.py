"""What was found lately is kept as long as it does not weigh too much."""

from pcl_core.model.lately import Lately


def test_what_was_used_least_lately_goes_first() -> None:
    kept, made = Lately[int](2), list[int]()

    def get(number: int) -> None:
        def make() -> int:
            made.append(number)
            return number

        assert kept.get(number, make) == number

    for number in (1, 2, 1, 3, 1, 2):
        get(number)
    assert made == [1, 2, 3, 2]


def test_what_weighs_more_leaves_room_for_less() -> None:
    kept, made = Lately[str](6, len), list[str]()

    def get(text: str) -> None:
        def make() -> str:
            made.append(text)
            return text

        assert kept.get(text, make) == text

    for text in ("aa", "bbb", "aa", "cccc", "aa", "bbb", "far too much", "far too much", "aa", "far too much"):
        get(text)
    assert made == ["aa", "bbb", "cccc", "bbb", "far too much", "aa", "far too much"]


def test_what_two_threads_found_counts_once() -> None:
    """The other one may have found it while this one was looking."""
    kept = Lately[str](4, len)

    def make() -> str:
        kept.get("x", lambda: "xx")
        return "xx"

    kept.get("x", make)
    kept.get("y", lambda: "yy")
    assert kept.get("x", lambda: "gone") == "xx"
    assert kept.get("y", lambda: "gone") == "yy"
