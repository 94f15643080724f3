"""Loading leaves Python's collection of garbage as it was."""

import gc
from collections.abc import Iterator

import pytest

from pcl_core import ProblemError, load, parse_authored


@pytest.fixture
def collecting() -> Iterator[None]:
    yield
    gc.enable()


@pytest.mark.usefixtures("collecting")
def test_garbage_is_collected_again_whatever_becomes_of_a_file() -> None:
    load("grid")
    assert gc.isenabled()
    with pytest.raises(ProblemError):
        parse_authored("pcl: 1\nname: nothing\n")
    assert gc.isenabled()
    gc.disable()
    load("grid")
    assert not gc.isenabled(), "who turned it off meant it"
