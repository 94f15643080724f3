"""The whole product at a glance, laid out by the problem's display hints."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pcl_app.studio.views.floor import FloorPlan, Lanes, Square
from pcl_app.studio.views.naming import Called, show
from pcl_app.studio.views.standing import StandingView
from pcl_core.json_form import Value

WIDEST = 12
"""Columns that a page can show side by side; wider boards are lists."""


@dataclass(frozen=True)
class Spot:
    """One value on the board."""

    variable: str
    part: str
    label: str
    text: str
    nothing: bool
    """A zero, a no, or a value that nobody could choose: shown, but quietly."""
    changed: bool
    """Whether the proposal, or the draft, changes it."""
    own: bool
    """Whether it is the person's: no proposal changes it."""
    level: int
    """Which of the variable's values it is, for pictures."""
    around: bool
    """Whether it matters to the part in question."""


@dataclass(frozen=True)
class CellView:
    """Where a row and a column meet; several variables may."""

    spots: tuple[Spot, ...]
    part: str
    edges: str
    """Sides on which another part begins."""
    name: str = ""
    """What the place itself is called, where nothing stands."""
    begins: bool = False
    """Whether it is where its part is called by its name: the first square of a room."""
    high: int = 1
    wide: int = 1
    """How many rows and columns it takes: those that it covers beside its own are left out of them."""


@dataclass(frozen=True)
class LaneView:
    """A row, and the part that is all of it, if one is."""

    label: str
    part: str
    cells: tuple[CellView, ...]


@dataclass(frozen=True)
class Tile:
    """A part with its values: a room of a plan, a group of cards, an entry of a list."""

    part: str
    label: str
    spots: tuple[Spot, ...]

    @property
    def around(self) -> bool:
        return any(spot.around for spot in self.spots)


@dataclass(frozen=True)
class BoardView:
    """What is drawn: lanes of cells, or tiles in rows."""

    kind: str
    """`calendar`, `cells`, `floor`, `plan`, `cards` or `list`."""
    columns: tuple[tuple[str, str], ...] = ()
    """Labels of columns, and the part that is all of one, if one is."""
    lanes: tuple[LaneView, ...] = ()
    tiles: tuple[tuple[Tile | None, ...], ...] = ()
    """In rows; None where nothing stands."""
    standings: Mapping[str, StandingView] | None = None
    lines: tuple[tuple[float, float, float, float], ...] = ()
    """Of a plan: from the middle of a part to that of one beside it, in rows and columns."""

    @property
    def width(self) -> int:
        return max((len(row) for row in self.tiles), default=len(self.columns))


def _counted(label: str, value: Value) -> str:
    """`1 single bed` of `single beds`"""
    return label[:-1] if value == 1 and value is not True and label.endswith("s") and len(label) > 3 else label


class _Drawing:
    """What all kinds of boards draw with."""

    def __init__(
        self,
        names: Called,
        values: Mapping[str, Value],
        standings: Mapping[str, StandingView],
        changed: Collection[str],
        around: Collection[str],
        fixed: Collection[str],
    ) -> None:
        self.names, self.values, self.standings = names, values, standings
        self.changed, self.around, self.fixed = changed, around, fixed

    def spot(self, name: str, label: str = "") -> Spot:
        variable, value = self.names.variables[name], self.values[name]
        known = variable["values"]
        level = known.index(value) if known else int(value) - (variable["least"] or 0)
        standing = self.standings.get(variable["part"])
        return Spot(
            name,
            variable["part"],
            label or _counted(variable["short"], value),
            show(value),
            name in self.fixed or (not isinstance(value, str) and not value),
            name in self.changed,
            standing is not None and (name in standing.own or standing.state == "closed"),
            level,
            name in self.around,
        )

    def tile(self, part: str) -> Tile:
        spots = tuple(self.spot(name) for name in self.names.members[part])
        return Tile(part, self.names.parts[part], spots)


def board_of(
    names: Called,
    values: Mapping[str, Value],
    standings: Mapping[str, StandingView],
    *,
    changed: Collection[str] = (),
    around: Collection[str] = (),
    fixed: Collection[str] = (),
) -> BoardView:
    """A configuration, drawn by the display hints; a list of parts where there are none that fit."""
    drawing = _Drawing(names, values, standings, changed, around, fixed)
    display = names.problem["display"] or {"board": "list", "rows": [], "columns": []}
    kind, rows, columns = display["board"], display["rows"], display["columns"]
    parts = [it["name"] for it in names.problem["parts"]]
    found: BoardView | None = None
    if kind in ("calendar", "cells") and rows and 0 < len(columns) <= WIDEST:
        found = _lanes(drawing, kind, rows, columns)
    elif kind == "floor" and rows and 0 < len(columns) <= WIDEST:
        found = _floor(drawing, rows, columns)
    elif kind == "plan" and rows and 0 < len(columns) <= WIDEST:
        found = _plan(drawing, rows, columns)
    elif kind == "cards":
        found = BoardView("cards", tiles=tuple((drawing.tile(part),) for part in parts), standings=standings)
    return found or BoardView("list", tiles=tuple((drawing.tile(part),) for part in parts), standings=standings)


def _lanes(
    drawing: _Drawing, kind: str, rows: list[dict[str, list[str]]], columns: list[dict[str, list[str]]]
) -> BoardView | None:
    """A table. None if some variable stands nowhere in it: then it would not be the whole."""
    names = drawing.names
    column_of = {name: at for at, lane in enumerate(columns) for name in lane["variables"]}
    places: list[list[list[str]]] = [
        [[name for name in row["variables"] if column_of.get(name) == at] for at in range(len(columns))] for row in rows
    ]
    if sum(len(cell) for row in places for cell in row) < len(names.variables):
        return None

    def part_at(row: int, column: int) -> str:
        inside = 0 <= row < len(places) and 0 <= column < len(columns)
        return names.part_of(places[row][column][0]) if inside and places[row][column] else ""

    def edges(row: int, column: int) -> str:
        around = {"edge-top": (row - 1, column), "edge-left": (row, column - 1)}
        return " ".join(
            side for side, there in around.items() if part_at(*there) and part_at(*there) != part_at(row, column)
        )

    lanes = tuple(
        LaneView(
            str(rows[row]["label"]),
            _only([names.part_of(name) for cell in cells for name in cell]),
            tuple(
                CellView(tuple(drawing.spot(name) for name in cell), part_at(row, column), edges(row, column))
                for column, cell in enumerate(cells)
            ),
        )
        for row, cells in enumerate(places)
    )
    headings = tuple(
        (_heading(names, lane), _only([names.part_of(name) for name in lane["variables"]])) for lane in columns
    )
    return BoardView(kind, headings, lanes, standings=drawing.standings)


def _heading(names: Called, lane: dict[str, list[str]]) -> str:
    """What the variables of a column are called beside others of their part, where they are called alike: `slot 1`."""
    short = {names.short(name) for name in lane["variables"]}
    return short.pop() if len(short) == 1 else str(lane["label"])


def _floor(drawing: _Drawing, rows: Lanes, columns: Lanes) -> BoardView | None:
    """Squares in rows. None if some value is no place: then it would not be the whole."""
    floor = FloorPlan(drawing.names, rows, columns)
    places = floor.places(drawing.values)
    if places is None:
        return None
    standing: dict[Square, list[str]] = {}
    for name, squares in places.items():
        standing.setdefault(next((it for it in squares if it in standing), squares[0]), []).append(name)
    covered = {square for names in standing.values() for square in places[names[0]]}

    begins = floor.first_squares()

    def cell(square: Square) -> CellView:
        spots = tuple(drawing.spot(name, drawing.names.short(name)) for name in standing.get(square, ()))
        squares = places[spots[0].variable] if spots else (square,)
        high, wide = (len({it[side] for it in squares}) for side in (0, 1))
        part, name = floor.parts.get(square, ""), floor.called.get(square, "")
        return CellView(spots, part, floor.walls(squares), name, bool(begins.intersection(squares)), high, wide)

    lanes = tuple(
        LaneView(
            "",
            "",
            tuple(cell((row, at)) for at in range(len(columns)) if (row, at) in standing or (row, at) not in covered),
        )
        for row in range(len(rows))
    )
    return BoardView("floor", tuple((str(lane["label"]), "") for lane in columns), lanes, standings=drawing.standings)


def _only(parts: list[str]) -> str:
    return parts[0] if len(set(parts)) == 1 else ""


def _plan(drawing: _Drawing, rows: list[dict[str, list[str]]], columns: list[dict[str, list[str]]]) -> BoardView | None:
    """Each part at the row and column of its variables. None if two stand at one place, or one nowhere."""
    row_of = {name: at for at, lane in enumerate(rows) for name in lane["variables"]}
    column_of = {name: at for at, lane in enumerate(columns) for name in lane["variables"]}
    places: dict[tuple[int, int], str] = {}
    for part, members in drawing.names.members.items():
        at = {(row_of.get(name, -1), column_of.get(name, -1)) for name in members}
        if len(at) != 1 or (place := at.pop()) in places or min(place) < 0:
            return None
        places[place] = part
    tiles = tuple(
        tuple(drawing.tile(places[row, column]) if (row, column) in places else None for column in range(len(columns)))
        for row in range(len(rows))
    )
    middle = {part: (column + 0.5, row + 0.5) for (row, column), part in places.items()}
    lines = tuple((*middle[here], *middle[there]) for here, there in drawing.names.problem["neighbours"])
    return BoardView("plan", tiles=tiles, standings=drawing.standings, lines=lines)
