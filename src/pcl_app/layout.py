"""Where the parts of a problem stand in a picture, and how lines lead from one to another without crossing a third."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pcl_core.model import Problem

if TYPE_CHECKING:
    import networkx as nx

Point = NDArray[np.float64]
LONGEST_LINE = 10
GAP = np.array([0.55, 0.5])
"""Inches between boxes, so that a line and its number are seen."""
BENDS = (0.0, 0.18, -0.18, 0.32, -0.32, 0.5, -0.5, 0.75, -0.75)
SWEEPS = 200
PAGE = 6.0
SCALES = (1.0, 1.4, 2.0, 2.8)
"""Where lines must lead through boxes, there is more room between them in a larger picture."""


@dataclass(frozen=True)
class Box:
    """A part: its middle and its width and height, in inches."""

    middle: Point
    size: Point

    def holds(self, points: Point, margin: float = 0.04) -> NDArray[np.bool_]:
        inside: NDArray[np.bool_] = np.all(np.abs(points - self.middle) < self.size / 2 + margin, axis=-1)
        return inside


@dataclass(frozen=True)
class Line:
    """A quadratic curve between the middles of two boxes."""

    start: Point
    control: Point
    end: Point

    def at(self, share: Point) -> Point:
        t = np.asarray(share, dtype=float)[..., None]
        curve: Point = (1 - t) ** 2 * self.start + 2 * t * (1 - t) * self.control + t**2 * self.end
        return curve


def arranged(
    problem: Problem, edges: Collection[tuple[str, str]], sizes: Mapping[str, Point]
) -> tuple[dict[str, Box], dict[tuple[str, str], Line]]:
    """A box for each part, by the display hints where these give each a place of its own, else by who shares with whom;
    and a line for each edge."""
    import networkx as nx

    hinted = _by_display(problem)
    if hinted is not None:
        boxes = _on_lattice(_folded(hinted), sizes)
        return boxes, routed(edges, boxes)
    skeleton: nx.Graph[str] = nx.Graph()
    skeleton.add_nodes_from(part.name for part in problem.parts)
    skeleton.add_edges_from(edges)
    pieces = [_stretched(skeleton.subgraph(piece)) for piece in _in_order(skeleton)]
    for scale in SCALES:
        boxes = _side_by_side([_apart(piece, sizes, scale) for piece in pieces])
        lines = routed(edges, boxes)
        if not any(
            crossed([line], [box for name, box in boxes.items() if name not in edge]) for edge, line in lines.items()
        ):
            break
    return boxes, lines


def routed(edges: Iterable[tuple[str, str]], boxes: Mapping[str, Box]) -> dict[tuple[str, str], Line]:
    """A line for each edge, bent as little as needed to pass by the boxes of others."""
    lines = {}
    for a, b in edges:
        start, end = boxes[a].middle, boxes[b].middle
        aside = np.array([start[1] - end[1], end[0] - start[0]])
        others = [box for name, box in boxes.items() if name not in (a, b)]
        straight, *bent = (Line(start, (start + end) / 2 + bend * aside, end) for bend in BENDS)
        found = [straight, *bent] if crossed([straight], others).any() else [straight]
        lines[a, b] = found[int(np.argmin(crossed(found, others)))]
    return lines


def crossed(lines: Collection[Line], others: Collection[Box]) -> NDArray[np.int_]:
    """How many boxes each line leads through."""
    if not lines or not others:
        return np.zeros(len(lines), dtype=int)
    points = np.array([line.at(np.linspace(0.02, 0.98, 60)) for line in lines])
    all_others = Box(np.array([box.middle for box in others]), np.array([box.size for box in others]))
    through: NDArray[np.int_] = all_others.holds(points[:, :, None]).any(axis=1).sum(axis=-1)
    return through


def _by_display(problem: Problem) -> dict[str, Point] | None:
    """Each part in the middle of its variables on the board. None without a board, or where two parts share a place."""
    display = problem.display
    if display is None:
        return None
    row_of = {name: at for at, lane in enumerate(display.rows) for name in lane.variables}
    column_of = {name: at for at, lane in enumerate(display.columns) for name in lane.variables}
    places = {}
    for part in problem.parts:
        if not all(name in row_of and name in column_of for name in part.variables):
            return None
        rows, columns = ([lane[name] for name in part.variables] for lane in (row_of, column_of))
        places[part.name] = np.array([np.mean(columns), -np.mean(rows)])
    distinct = {tuple(place) for place in places.values()}
    return _in_steps(places) if len(distinct) == len(places) > 1 else None


def _in_steps(places: dict[str, Point]) -> dict[str, Point]:
    """Coordinates in units of the smallest step between two that differ."""
    points = np.array(list(places.values()))
    steps = [np.diff(np.unique(points[:, axis])) for axis in (0, 1)]
    unit = np.array([step.min() if len(step) else 1.0 for step in steps])
    return {name: (place - points.min(axis=0)) / unit for name, place in places.items()}


def _folded(places: dict[str, Point]) -> dict[str, Point]:
    """What stands in one line runs from left to right, and back again below where it is long."""
    points = np.array(list(places.values()))
    flat = [axis for axis in (0, 1) if np.ptp(points[:, axis]) == 0]
    if not flat:
        return places
    names = sorted(places, key=lambda name: (places[name][0], -places[name][1]))
    row = len(names) if len(names) <= LONGEST_LINE else int(np.ceil(len(names) / np.ceil(len(names) / LONGEST_LINE)))
    turned = {}
    for number, name in enumerate(names):
        down, across = divmod(number, row)
        turned[name] = np.array([across if down % 2 == 0 else row - 1 - across, -down], dtype=float)
    return turned


def _on_lattice(places: Mapping[str, Point], sizes: Mapping[str, Point]) -> dict[str, Box]:
    unit = np.max([sizes[name] for name in places], axis=0) + GAP
    return {name: Box(place * unit, sizes[name]) for name, place in places.items()}


def _in_order(skeleton: "nx.Graph[str]") -> list[list[str]]:
    """Parts that hang together, the largest pieces first, each in the order of the problem."""
    import networkx as nx

    number = {name: at for at, name in enumerate(skeleton)}
    pieces = [sorted(piece, key=number.__getitem__) for piece in nx.connected_components(skeleton)]
    return sorted(pieces, key=lambda piece: (-len(piece), number[piece[0]]))


def _stretched(piece: "nx.Graph[str]") -> dict[str, Point]:
    """Places whose distances are nearly the numbers of steps from part to part: a ring becomes a ring, a chain a line.

    Stress, the sum of (‖xᵢ − xⱼ‖ − dᵢⱼ)² / dᵢⱼ², is lowered by majorisation from where classical scaling puts them.
    """
    import networkx as nx

    names = sorted(piece)
    if len(names) == 1:
        return {names[0]: np.zeros(2)}
    found = dict(nx.all_pairs_shortest_path_length(piece))
    far = np.array([[found[a][b] for b in names] for a in names], dtype=float)
    middle = np.eye(len(names)) - 1 / len(names)
    values, vectors = np.linalg.eigh(-middle @ far**2 @ middle / 2)
    points = vectors[:, [-1, -2]] * np.sqrt(np.maximum(values[[-1, -2]], 1e-9))
    points += np.random.default_rng(1).normal(scale=1e-3, size=points.shape)  # what stands at one place must part
    weight = 1 / (far + np.eye(len(names))) ** 2 - np.eye(len(names))
    inverse = np.linalg.pinv(np.diag(weight.sum(axis=1)) - weight)
    for _ in range(SWEEPS):
        apart = np.linalg.norm(points[:, None] - points[None], axis=-1) + 1e-9
        pull = -weight * far / apart
        np.fill_diagonal(pull, 0)
        np.fill_diagonal(pull, -pull.sum(axis=1))
        points = inverse @ pull @ points
    points -= points.mean(axis=0)
    _, _, axes = np.linalg.svd(points, full_matrices=False)
    points = points @ axes.T  # the longer way lies across
    first = names.index(next(iter(piece)))
    points *= np.where(points[first] > 0, [-1, 1], [1, 1]) * np.where(points[first] < 0, [1, -1], [1, 1])
    return _folded_chain({name: points[at] for at, name in enumerate(names)}, piece)


def _folded_chain(places: dict[str, Point], piece: "nx.Graph[str]") -> dict[str, Point]:
    """A long chain would be a picture of one line."""
    chain = piece.number_of_edges() == len(places) - 1 and all(degree <= 2 for _, degree in piece.degree())
    if not chain:
        return places
    return _folded({name: np.array([round(place[0], 6), 0.0]) for name, place in places.items()})


def _apart(places: dict[str, Point], sizes: Mapping[str, Point], scale: float) -> dict[str, Box]:
    """As far from each other as their boxes need: by scale, and where that would take too much room, the few that still
    touch push each other away."""
    around = np.array([sizes[name] for name in places])
    need = (around[:, None] + around[None]) / 2 + GAP
    points = np.array(list(places.values()))
    usual = float(np.linalg.norm(around.mean(axis=0) + GAP))
    points = points * scale * min(_lack(points, need), 1.4 * usual)
    for _ in range(SWEEPS):
        between = points[:, None] - points[None]
        lacking = np.maximum(need - np.abs(between), 0) * np.all(np.abs(between) < need, axis=-1, keepdims=True)
        np.einsum("iij->ij", lacking)[:] = 0
        if not lacking.any():
            break
        shorter = lacking == lacking.min(axis=-1, keepdims=True)
        points = points + (0.3 * shorter * lacking * np.where(between < 0, -1, 1)).sum(axis=1)
    points = points * max(1.0, _lack(points, need))
    return {name: Box(point, sizes[name]) for name, point in zip(places, points, strict=True)}


def _lack(points: Point, need: Point) -> float:
    """By how much points must be scaled so that no two boxes touch."""
    filled = np.max(np.abs(points[:, None] - points[None]) / need, axis=-1) + np.diag(np.full(len(points), np.inf))
    return float(1 / max(filled.min(), 1e-6))


def _side_by_side(pieces: list[dict[str, Box]]) -> dict[str, Box]:
    """Pieces in rows about as wide as all is high, and at least as wide as a page."""
    areas = [np.ptp(_corners(piece), axis=0) + 2 * GAP for piece in pieces]
    widest = max(PAGE, np.sqrt(sum(np.prod(area) for area in areas)) * 1.3, *(area[0] for area in areas))
    placed: dict[str, Box] = {}
    x = y = row = 0.0
    for piece, area in zip(pieces, areas, strict=True):
        if x and x + area[0] > widest:
            x, y, row = 0.0, y - row, 0.0
        corners = _corners(piece)
        shift = np.array([x - corners[:, 0].min(), y - corners[:, 1].max()])
        placed |= {name: Box(box.middle + shift, box.size) for name, box in piece.items()}
        x, row = x + area[0], max(row, float(area[1]))
    return placed


def _corners(boxes: Mapping[str, Box]) -> Point:
    return np.array([box.middle + sign * box.size / 2 for box in boxes.values() for sign in (-1, 1)])
