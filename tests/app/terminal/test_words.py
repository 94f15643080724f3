"""Sentences that a person reads: the help on a small terminal, and the end without a certificate."""

import io

from rich.console import Console
from tests.app.terminal.driving import InProcess

from pcl_app.terminal.help import examples_of
from pcl_app.terminal.result import show_result
from pcl_app.terminal.view import View
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_core import load

GRID = load("grid")


def view(shown: io.StringIO) -> View:
    return View(GRID, Vocabulary(GRID), Console(file=shown, width=80, highlight=False, no_color=True))


def test_the_help_fits_a_small_terminal() -> None:
    shown = io.StringIO()
    view(shown).help(examples_of(GRID, Vocabulary(GRID), None))
    assert len(shown.getvalue().splitlines()) <= 23


def test_a_rule_that_gives_no_certificate_is_named() -> None:
    for lines, words in (
        (["a"] * 4, ": all of it is confirmed, but the stopping rule 'never' gives none."),
        (["a"] * 3, ", since you stopped: 3 of 4 are confirmed; block 1,1 is not."),
    ):
        shown = io.StringIO()
        done = InProcess(GRID, [*lines, "stop"], stop="never")
        show_result(done.elicitation, view(shown))
        assert f"There is no certificate{words}" in " ".join(shown.getvalue().split())
