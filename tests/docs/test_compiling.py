"""The page on compiling prints a small problem after each pass; here the passes print it."""

from tests.docs.pages import DOCS, blocks

from pcl_core import parse_authored
from pcl_core.compile.flat import FlatModel
from pcl_core.compile.pipeline import scope_of

PAGE = list(blocks(DOCS / "explanation" / "from-problem-to-solver.md"))
PRINTED = [block.text for block in PAGE if not block.language]
DESKS = parse_authored(next(block.text for block in PAGE if block.language == "yaml"))
SCOPE = scope_of(DESKS, ["desks[a]", "quiet[a]"], features=DESKS.structure.feature_subsets[0])


def test_the_flat_model() -> None:
    assert SCOPE.flat.text() + "\n" == PRINTED[2]


def test_the_rows() -> None:
    shown = FlatModel(SCOPE.linear.columns, SCOPE.linear.rows).text().splitlines()
    assert shown[len(SCOPE.linear.columns) :] == PRINTED[3].splitlines()
