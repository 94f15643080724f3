"""A floor plan: what stands where its value says, in rooms with walls around them."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from pcl_app.studio.views.naming import Called
from pcl_core.json_form import Value

Square: TypeAlias = tuple[int, int]
Lanes: TypeAlias = Sequence[Mapping[str, Sequence[str]]]
SIDES: Mapping[str, Square] = {"top": (-1, 0), "left": (0, -1), "bottom": (1, 0), "right": (0, 1)}


class FloorPlan:
    """The squares of a problem whose labels are places: which part each is of, and what it is called."""

    def __init__(self, names: Called, rows: Lanes, columns: Lanes) -> None:
        self.size = (len(rows), len(columns))
        row_of, column_of = _lanes_of(rows), _lanes_of(columns)
        self.squares: Mapping[str, tuple[Square, ...]] = {
            value: tuple((row, column) for row in row_of[value] for column in column_of[value])
            for value in row_of
            if value in column_of
        }
        """Those that a value covers, the first one at the top left."""
        self.parts: dict[Square, str] = {}
        self.called: dict[Square, str] = {}
        for variable in names.variables.values():
            for value in variable["values"] or ():
                for square in self.squares.get(str(value), ()):
                    self.parts[square] = variable["part"]
                    if len(self.squares[str(value)]) == 1:
                        self.called[square] = str(value)

    def places(self, values: Mapping[str, Value]) -> Mapping[str, tuple[Square, ...]] | None:
        """The squares that each variable covers; None if some value is no place on the floor."""
        found = {name: self.squares.get(str(value), ()) for name, value in values.items()}
        return found if all(found.values()) else None

    def first_squares(self) -> set[Square]:
        """Of each part the square at the top, and there the one at the left."""
        found: dict[str, Square] = {}
        for square in sorted(self.parts):
            found.setdefault(self.parts[square], square)
        return set(found.values())

    def walls(self, covered: Sequence[Square]) -> str:
        """Sides of some squares on which the part ends."""
        part = self.parts.get(covered[0], "")
        beside = {
            side: {(row + down, column + right) for row, column in covered} for side, (down, right) in SIDES.items()
        }
        ends = [side for side, squares in beside.items() if any(self.parts.get(it, "") != part for it in squares)]
        return " ".join(f"edge-{side}" for side in ends) if part else ""


def _lanes_of(lanes: Lanes) -> dict[str, list[int]]:
    found: dict[str, list[int]] = {}
    for at, lane in enumerate(lanes):
        for value in lane.get("values", ()):
            found.setdefault(value, []).append(at)
    return found
