"""Shapes of parts as they grow: each backend beside the dense limit, CP-SAT by hand and CPMpy, and beside another tree.

python -m benchmarks.shapes [--only WORD ...] [--beside OTHER_TREE] [--largest N] [--queries N] [--patience SECONDS] [--markdown FILE]

Every cell is a process of its own: the first solve of a scope, the median of later ones (CPU time, each with new weights),
and how much memory both took. Shapes are in `shape_cases.py`, what else grows is in `growing.py`: whoever adds a row there
has it measured. OTHER_TREE has an environment in `.venv`; it is measured with the shapes of this tree.
The limit is one dense product and the largest of it, over all allowed points, in floating point.
"""

import argparse
import importlib.util
import json
import math
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path

from benchmarks.growing import GROWING
from benchmarks.report import Goal, Sheet, load_average, machine, milliseconds
from benchmarks.shape_cases import SHAPES
from benchmarks.shape_solvers import Cell, measured
from rich.console import Console

BACKENDS = ("auto", "table", "cpsat")
LIMIT, HAND, MODELLING = "limit", "CP-SAT", "CPMpy"
WHO = (*BACKENDS, LIMIT, HAND, MODELLING)
OTHERS = (LIMIT, HAND, MODELLING)
MEASURE = "--measure"
CHOICE, MEDIAN, TO_LIMIT, OVERHEAD, BY_HAND = Goal(2), Goal(1.2), Goal(5), Goal(0.05), Goal(1.25)
SMALL = 500
"""Up to so many points the time above the limit counts, beyond them the ratio to it."""


class Tree:
    """One of the trees: cells are measured there by the benchmarks of this one."""

    def __init__(self, root: Path, queries: int, patience: float = 150) -> None:
        self._queries, self._patience, self._here = queries, patience, Path(__file__).resolve().parents[1]
        python = sys.executable if root == self._here else str(root / ".venv" / "bin" / "python")
        self._command = [python, "-m", "benchmarks.shapes", MEASURE]
        one = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        self._environment = {**os.environ, **one, "PYTHONPATH": str(root / "src")}

    def cell(self, name: str, size: int, who: str) -> Cell:
        command = [*self._command, name, str(size), who, str(self._queries)]
        try:
            done = subprocess.run(
                command, cwd=self._here, env=self._environment, capture_output=True, text=True, timeout=self._patience
            )
        except subprocess.TimeoutExpired:
            return {"failed": f"> {self._patience:g} s"}
        if done.returncode:
            return {"failed": done.stderr.strip().splitlines()[-1][:60] if done.stderr.strip() else "died"}
        found: Cell = json.loads(done.stdout.splitlines()[-1])
        return found


Row = dict[str, Cell]
"""The cells of one size by who was measured; those of another tree have its mark after the name."""
BEFORE = " there"


def shape_rows(name: str, sizes: Sequence[int], here: Tree, there: Tree | None) -> Iterator[tuple[int, Row]]:
    who = [one for one in WHO if one != MODELLING or importlib.util.find_spec("cpmpy")]
    for size in sizes:
        row: Row = {one: here.cell(name, size, one) for one in who}
        if there is not None:
            row |= {one + BEFORE: there.cell(name, size, one) for one in BACKENDS}
        _agree(f"{name} {size}", row)
        yield size, row


def _agree(where: str, row: Row) -> None:
    """Everyone who was measured must have found the same optima."""
    answers = [cell["objectives"] for cell in row.values() if "objectives" in cell]
    for at in range(max(map(len, answers), default=0)):
        found = {given[at] for given in answers if len(given) > at}
        assert len(found) == 1, f"{where}, query {at}: {found}"


def times_sheet(title: str, rows: dict[int, Row]) -> Sheet:
    who = list(next(iter(rows.values())))
    sheet = Sheet(f"{title} first solve / later ones (ms)", ("size", "points", *who))
    for size, row in rows.items():
        points = row.get(LIMIT, {}).get("points")
        sheet.rows.append((f"{size}", f"{points:,}" if points else "", *(_times(row[one]) for one in who)))
    return sheet


def _times(cell: Cell) -> str:
    if "failed" in cell:
        return cell["failed"]
    return f"{milliseconds(cell['first'])} / {milliseconds(cell['kept'])}"


def _judged(goal: Goal, above: float | None, below: float | None) -> str:
    return "" if above is None or below is None else goal.judged(above / below)


def goals_sheet(found: dict[str, dict[int, Row]]) -> Sheet:
    columns = (
        "shape",
        f"auto / best {CHOICE}",
        f"table / limit {TO_LIMIT}, or ms above it {OVERHEAD}",
        f"cpsat / CP-SAT {BY_HAND}",
    )
    sheet, choices = Sheet("Goals", columns), []
    for name, size, row in ((name, size, row) for name, rows in found.items() for size, row in rows.items()):
        kept = {who: cell["kept"] for who, cell in row.items() if "kept" in cell}
        best = min((kept[who] for who in ("table", "cpsat") if who in kept), default=None)
        if best is not None and "auto" in kept:
            choices.append(kept["auto"] / best)
        alone, limit = row["table"].get("alone"), kept.get(LIMIT)
        near = _judged(TO_LIMIT, alone, limit)
        if alone is not None and limit is not None and row[LIMIT]["points"] <= SMALL:
            near = OVERHEAD.judged(1000 * (alone - limit), 3, " ms")
        by_hand = _judged(BY_HAND, kept.get("cpsat"), kept.get(HAND))
        sheet.rows.append((f"{name} {size}", _judged(CHOICE, kept.get("auto"), best), near, by_hand))
    if choices:
        sheet.rows.append(("median", MEDIAN.judged(statistics.median(choices)), f"goal {MEDIAN}", ""))
    return sheet


def growth_sheet(found: dict[str, dict[int, Row]]) -> Sheet:
    """Exponents: by which power of the size later solves grow, from each size to the next."""
    sheet = Sheet("Growth exponents of later solves", ("shape", "sizes", *BACKENDS, *OTHERS))
    for name, rows in found.items():
        sizes = list(rows)
        for small, large in pairwise(sizes):
            cells = [_exponent(small, large, rows[small].get(who, {}), rows[large].get(who, {})) for who in WHO]
            sheet.rows.append((name, f"{small} to {large}", *cells))
    return sheet


def _exponent(small: int, large: int, before: Cell, after: Cell) -> str:
    if "kept" not in before or "kept" not in after:
        return ""
    return f"{math.log(after['kept'] / before['kept']) / math.log(large / small):.1f}"


def memory_sheet(found: dict[str, dict[int, Row]]) -> Sheet:
    sheet = Sheet("Memory (MB, the most while solving less that before)", ("shape", *BACKENDS, *OTHERS))
    for name, size, row in ((name, size, row) for name, rows in found.items() for size, row in rows.items()):
        cells = [row.get(who, {}).get("memory") for who in WHO]
        sheet.rows.append((f"{name} {size}", *("" if cell is None else f"{cell:.1f}" for cell in cells)))
    return sheet


def growing_sheet(name: str, sizes: Sequence[int], here: Tree, there: Tree | None) -> Sheet:
    growing, kinds = GROWING[name], ("size", "what", "here", *(("there",) if there else ()))
    sheet, found = Sheet(f"{growing.words} (ms, or MB)", kinds), dict[int, dict[str, float]]()
    for size in sizes:
        mine = found[size] = here.cell(name, size, "").get("measures", {})
        theirs = there.cell(name, size, "").get("measures", {}) if there else {}
        for what, value in mine.items():
            shown: Callable[[float], str] = (lambda x: f"{x:.2f}") if "MB" in what else milliseconds
            other = (shown(theirs[what]) if what in theirs else "failed",) if there else ()
            sheet.rows.append((f"{size}", what, shown(value), *other))
    first, last = sizes[0], sizes[-1]
    whole = (first, last) == (growing.sizes[0], growing.sizes[-1])  # goals are for these
    for what in found[first] if last > first else ():
        if min(found[first][what], found[last].get(what, 0.0)) > 0.0:
            ratio = found[last][what] / found[first][what]
            exponent = math.log(ratio) / math.log(last / first)
            judged = (
                growing.exponents[what].judged(exponent) if what in growing.exponents and whole else f"{exponent:.1f}"
            )
            cell = f"exponent {judged}"
            if what in growing.ratios and whole:
                cell += f", ratio {growing.ratios[what].judged(ratio)}"
            if what in growing.limits and whole:
                cell += f", {growing.limits[what].judged(found[last][what], unit=' s')}"
            sheet.rows.append((f"{first} to {last}", what, cell, *(("",) if there else ())))
    return sheet


def sheets(only: Sequence[str], largest: int | None, here: Tree, there: Tree | None) -> Iterator[Sheet]:
    """All tables, as they are ready."""

    def wanted(name: str, sizes: Sequence[int]) -> list[int]:
        chosen = not only or any(word in name for word in only)
        return [size for size in sizes if chosen and (largest is None or size <= largest)]

    found: dict[str, dict[int, Row]] = {}
    for name, shape in SHAPES.items():
        if sizes := wanted(name, shape.sizes):
            found[name] = dict(shape_rows(name, sizes, here, there))
            yield times_sheet(shape.words, found[name])
    if found:
        yield from (goals_sheet(found), growth_sheet(found), memory_sheet(found))
    for name, growing in GROWING.items():
        if sizes := wanted(name, growing.sizes):
            yield growing_sheet(name, sizes, here, there)


def main(words: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=[], metavar="WORD", help="only what has one of these in its name")
    parser.add_argument("--beside", type=Path, metavar="OTHER_TREE", help="measure its backends, too")
    parser.add_argument("--largest", type=int, metavar="N", help="no larger sizes than this")
    parser.add_argument("--queries", type=int, default=15, metavar="N")
    parser.add_argument("--patience", type=float, default=150, metavar="SECONDS", help="until a cell is given up")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables as Markdown, too")
    given = parser.parse_args(words)
    here = Tree(Path(__file__).resolve().parents[1], given.queries, given.patience)
    there = None if given.beside is None else Tree(given.beside.resolve(), given.queries, given.patience)
    console, texts = Console(width=200), list[str]()
    before = load_average()
    for sheet in sheets(given.only, given.largest, here, there):
        console.print(sheet.rich())
        texts.append(sheet.markdown())
    lines = [*machine(), f"load average before: {before}, after: {load_average()}"]
    console.print("\n".join(lines), highlight=False)
    if given.markdown is not None:
        given.markdown.write_text("\n".join(texts) + "\n" + "\n".join(f"- {line}" for line in lines) + "\n")


if __name__ == "__main__":
    if MEASURE in sys.argv:
        _name, _size, _who, _count = sys.argv[2:6]
        print(json.dumps(measured(_name, int(_size), _who, int(_count))))
    else:
        main()
