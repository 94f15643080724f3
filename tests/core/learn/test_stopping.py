"""When to stop: Lemma 1 and Proposition 3, step by step."""

import pytest

from pcl_core.learn.stopping import Confirmation, Progress

ORDER = (2, 0, 1)


def confirmed(*parts: int, progress: Progress | None = None) -> Progress:
    """Parts confirmed one after the other, at queries 1, 2, ..."""
    found = progress or Progress(ORDER)
    for query, part in enumerate(parts, start=1):
        found = found.satisfied(part, query)
    return found


def test_two_passes_in_order_are_enough() -> None:
    found = confirmed(2, 0, 1, 2, 0, 1)
    assert found.finished("two-pass")
    assert found.passes == tuple(Confirmation(part, query) for query, part in enumerate((2, 0, 1, 2, 0, 1), start=1))


def test_no_confirmation_of_the_two_passes_may_be_missing() -> None:
    assert not any(confirmed(*(2, 0, 1, 2, 0, 1)[:count]).finished("two-pass") for count in range(6))


def test_passes_out_of_order_do_not_count() -> None:
    assert not confirmed(0, 1, 2, 0, 1, 2).finished("two-pass")
    assert confirmed(0, 1, 2, 0, 1, 2, 0, 1).finished("two-pass")


def test_other_parts_in_between_do_not_reset_passes() -> None:
    found = confirmed(1, 2, 2, 1, 0, 2, 1, 1, 0, 2, 2, 0, 1)
    assert found.finished("two-pass")
    assert [(item.part, item.query) for item in found.passes] == [(2, 2), (0, 5), (1, 7), (2, 10), (0, 12), (1, 13)]


@pytest.mark.parametrize("part", ORDER)
def test_an_improvement_of_any_part_resets_passes(part: int) -> None:
    found = confirmed(2, 0, 1, 2, 0).doubted(part)
    assert found.passes == ()
    assert not found.satisfied(1, 7).finished("two-pass")


def test_a_change_of_x_does_not_reset_passes() -> None:
    found = confirmed(2, 0, 1).changed(4)
    assert confirmed(2, 0, 1, progress=found).finished("two-pass")


def test_all_parts_confirmed_since_x_changed_are_a_certificate() -> None:
    assert confirmed(1, 0, 2).finished("certificate")
    assert not confirmed(1, 0, 0).finished("certificate")


def test_a_change_of_x_resets_the_certificate() -> None:
    found = confirmed(1, 0).changed(3).satisfied(2, 3)
    assert not found.finished("certificate")
    assert (found.confirmed, found.changed_at) == ({2: 3}, 3)


def test_an_improvement_resets_the_certificate_of_its_part_alone() -> None:
    found = confirmed(1, 0).doubted(0)
    assert found.confirmed == {1: 1}
    assert found.satisfied(2, 4).satisfied(0, 5).finished("certificate")


def test_a_part_confirmed_again_keeps_its_latest_query() -> None:
    assert confirmed(1, 1, 1).confirmed == {1: 3}


def test_the_certificate_needs_at_most_as_many_queries_as_two_passes() -> None:
    found = confirmed(2, 0, 1)
    assert found.finished("certificate")
    assert not found.finished("two-pass")


def test_never_is_never() -> None:
    assert not confirmed(*(2, 0, 1) * 5).finished("never")


def test_progress_does_not_change_in_place() -> None:
    before = confirmed(2, 0)
    before.satisfied(1, 3)
    before.changed(3)
    before.doubted(2)
    assert (before.confirmed, len(before.passes), before.changed_at) == ({2: 1, 0: 2}, 2, 0)
