"""The benchmark of shapes measures what it says, on sizes that take no time; no time is asserted."""

import json
from pathlib import Path

import pytest
from benchmarks.growing import GROWING
from benchmarks.handwritten.shape_models import MODELS
from benchmarks.shape_cases import SHAPES
from benchmarks.shape_solvers import Cell, Solver, measured, solver_of
from benchmarks.shapes import BACKENDS, HAND, LIMIT, Tree

from benchmarks import shapes

TINY = {"lookup": 3, "different": 3, "wide": 4, "booleans": 2, "knapsack": 4, "features": 5, "domains": 3}


@pytest.mark.parametrize("name", SHAPES)
def test_everyone_finds_the_same_optima_of_a_shape(name: str) -> None:
    who = [*BACKENDS, LIMIT, *([HAND] if name in MODELS else [])]
    row = {one: measured(name, TINY.get(name, min(SHAPES[name].sizes)), one, 3) for one in who}
    for cell in row.values():
        assert "failed" not in cell
        assert cell["first"] > 0
        assert cell["kept"] > 0
        assert cell["memory"] >= 0
    assert len({tuple(row[one]["objectives"]) for one in BACKENDS}) == 1
    shapes._agree(name, row)
    assert row[LIMIT]["points"] > 0
    assert {"alone"} <= row["table"].keys()


def test_answers_that_differ_are_no_measurement() -> None:
    with pytest.raises(AssertionError, match="query 1"):
        shapes._agree("here", {"a": {"objectives": [1, 2, 3]}, "b": {"objectives": [1, 3]}})


@pytest.mark.parametrize("name", GROWING)
def test_what_grows_has_sizes_and_measures(name: str) -> None:
    assert list(GROWING[name].sizes) == sorted(set(GROWING[name].sizes))
    assert len(GROWING[name].sizes) > 1


def test_the_limit_is_left_out_where_it_would_be_too_large() -> None:
    assert solver_of("domains", 1000, LIMIT, 1) == "too large"
    assert isinstance(solver_of("domains", 3, LIMIT, 1), Solver)


def test_tables_are_made_of_cells_and_goals_are_judged(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    times = {"auto": 0.004, "table": 0.002, "cpsat": 0.001, LIMIT: 0.001, HAND: 0.0005}

    def cell(self: Tree, name: str, size: int, who: str) -> Cell:
        if name in GROWING:
            return {"measures": {"solve": 0.25, "MB a part": 2.0}}
        if who not in times:
            return {"failed": "left out"}
        slow = times[who] * size
        return {"first": 2 * slow, "kept": slow, "alone": slow, "memory": 1.5, "points": 600, "objectives": [size]}

    monkeypatch.setattr(Tree, "cell", cell)
    shapes.main(["--only", "different", "blocks", "--beside", str(tmp_path), "--markdown", str(tmp_path / "out.md")])
    text = (tmp_path / "out.md").read_text()
    assert "| 6 | 600 | 48.0 / 24.0 |" in text
    assert "| different 6 | 4.00 not met | 2.00 met | 2.00 not met |" in text
    assert "| median | 4.00 not met |" in text
    assert "| different | 6 to 7 | 1.0 | 1.0 | 1.0 |" in text
    assert "| 2 | MB a part | 2.00 | 2.00 |" in text
    assert "different" in capsys.readouterr().out


def test_a_cell_is_measured_in_a_process_of_its_own(tmp_path: Path) -> None:
    here = Path(shapes.__file__).parents[1]
    found = Tree(here, 2).cell("wide", 4, "table")
    assert json.dumps(found)
    assert found.get("failed") is None
    assert len(found["objectives"]) == 2
