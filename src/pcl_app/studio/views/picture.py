"""A small picture of a problem: its board with shades for values, drawn from nothing but its shape."""

import zlib
from dataclasses import dataclass

from pcl_app.studio.forms import ProblemForm
from pcl_app.studio.views.board import BoardView, Spot, board_of
from pcl_app.studio.views.floor import FloorPlan
from pcl_app.studio.views.naming import Called

SHADES = 5
GAP = 4
MOST_ROWS = 8


@dataclass(frozen=True)
class Shape:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    level: int
    round: float = 3.0


@dataclass(frozen=True)
class Sketch:
    width: float
    height: float
    shapes: tuple[Shape, ...]


def picture_of(problem: ProblemForm) -> Sketch:
    """The shades mean nothing but that there is something to choose."""
    names = Called(problem)
    values = {it["name"]: it["values"][0] if it["values"] else it["least"] or 0 for it in problem["variables"]}
    fixed = [name for name, it in names.variables.items() if not it["free"]]
    board = board_of(names, values, {}, fixed=fixed)
    if board.kind == "floor":
        return _rooms(names)
    return _table(board, names) if board.lanes else _tiles(board, names)


def _shade(spot: Spot, names: Called) -> int:
    """One of a few shades, always the same for a variable; none where nothing is to be chosen."""
    return 1 + zlib.crc32(spot.variable.encode()) % (SHADES - 1) if names.variables[spot.variable]["free"] else 0


def _rooms(names: Called) -> Sketch:
    """The squares of a floor, each room in its shade."""
    display = names.problem["display"]
    assert display is not None
    floor = FloorPlan(names, display["rows"], display["columns"])
    rooms = list(dict.fromkeys(floor.parts.values()))
    shapes = [
        Shape(column * 27, row * 17, 26, 16, 1 + rooms.index(room) % (SHADES - 1), 2)
        for (row, column), room in floor.parts.items()
    ]
    return Sketch(floor.size[1] * 27 - 1, floor.size[0] * 17 - 1, tuple(shapes))


def _table(board: BoardView, names: Called) -> Sketch:
    wide, high = (26, 26) if board.kind == "cells" else (240 / len(board.columns), 14)
    shapes = [
        Shape(column * (wide + GAP), row * (high + GAP), wide, high, _shade(cell.spots[0], names))
        for row, lane in enumerate(board.lanes)
        for column, cell in enumerate(lane.cells)
        if cell.spots
    ]
    return Sketch(len(board.columns) * (wide + GAP) - GAP, len(board.lanes) * (high + GAP) - GAP, tuple(shapes))


def _tiles(board: BoardView, names: Called) -> Sketch:
    shapes: list[Shape] = []
    rows = board.tiles[:MOST_ROWS]
    if board.kind == "plan":
        wide, high = 52.0, 30.0
        for row, tiles in enumerate(rows):
            for column, tile in enumerate(tiles):
                if tile is not None:
                    level = _shade(tile.spots[0], names)
                    shapes.append(Shape(column * (wide + GAP), row * (high + GAP), wide, high, level, 5))
        return Sketch(board.width * (wide + GAP) - GAP, len(rows) * (high + GAP) - GAP, tuple(shapes))
    for row, (tile, *_) in enumerate(rows):
        assert tile is not None
        count = max(1, min(4, len(tile.spots)))
        wide = (240 - GAP * (count - 1)) / count
        for at, spot in enumerate(tile.spots[:count]):
            shapes.append(Shape(at * (wide + GAP), row * 30, wide, 26, _shade(spot, names), 5))
    return Sketch(240, len(rows) * 30 - GAP, tuple(shapes))
