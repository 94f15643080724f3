"""Tables of results, as data: what a cell of one can hold, and how people read it."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pcl_app.experiments.judge.statistics import Estimate


class Verdict(StrEnum):
    """What our numbers say about a claim."""

    HOLDS = "holds"
    IN_PART = "holds in part"
    FAILS = "does not hold"
    UNTESTED = "not tested"


@dataclass(frozen=True, slots=True)
class PValue:
    value: float

    def __str__(self) -> str:
        return "< 0.0001" if self.value < 0.0001 else f"{self.value:.4f}" if self.value < 0.1 else f"{self.value:.2f}"


TableEntry = str | int | float | None | Estimate | PValue | Verdict


@dataclass(frozen=True, slots=True)
class ResultTable:
    caption: str
    headings: Sequence[str]
    rows: Sequence[Sequence[TableEntry]]

    def __post_init__(self) -> None:
        for row in self.rows:
            if len(row) != len(self.headings):
                raise ValueError(f"a row has {len(row)} cells for {len(self.headings)} columns")

    def data(self) -> dict[str, object]:
        """For programs: cells as people read them, under their headings."""
        rows = [dict(zip(self.headings, map(shown, row), strict=True)) for row in self.rows]
        return {"caption": self.caption, "rows": rows}

    def numeric(self, column: int) -> bool:
        """Whether a column holds numbers, where it holds anything."""
        cells = [row[column] for row in self.rows if row[column] is not None]
        return bool(cells) and all(isinstance(cell, (int, float, Estimate, PValue)) for cell in cells)


def shown(entry: TableEntry) -> str:
    """An entry as people read it: three significant digits, an interval in brackets, a dash for nothing."""
    if entry is None:
        return "–"
    if isinstance(entry, (Verdict, bool)):
        return str(entry)
    if isinstance(entry, float):
        return _number(entry)
    if isinstance(entry, Estimate):
        if entry.low != entry.low:
            return _number(entry.value)
        return f"{_number(entry.value)} [{_number(entry.low)}, {_number(entry.high)}]"
    return str(entry)


def _number(value: float) -> str:
    if value != value:
        return "–"
    if value in (float("inf"), float("-inf")):
        return "∞" if value > 0 else "−∞"
    if value and abs(value) < 1e-12:
        value = 0.0
    written = f"{value:.0f}" if 1000 <= abs(value) < 1e7 else f"{value:.3g}"
    return written.replace("-", "−")
