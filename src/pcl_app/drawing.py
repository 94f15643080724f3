"""Pictures of problems."""

import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from pcl_app.layout import Box, Line, Point, arranged, routed
from pcl_app.writing import write_file
from pcl_core import gai_network
from pcl_core.errors import Code, Issue, Location, MissingDependencyError, RequestError
from pcl_core.model import Problem

GRAPH_ENDINGS = (".svg", ".png")
MAX_LABELLED_EDGES = 60
MAX_DRAWN_PARTS = 400
FONT_SIZE = 9.0
PADDING = np.array([0.22, 0.2])
"""Inches that a box is larger than its name."""


def draw_network(problem: Problem, path: Path) -> None:
    """Draw the GAI network: a box for each part, a line for each pair of parts that share features.

    Solid lines share local features; pale ones share global features only.
    """
    where = Location(str(path))
    if path.suffix.lower() not in GRAPH_ENDINGS:
        raise RequestError(Issue(Code.BAD_VALUE, f"a picture ends in {' or '.join(GRAPH_ENDINGS)}", None, where))
    if len(problem.parts) > MAX_DRAWN_PARTS:
        message = f"{len(problem.parts)} parts are too many to draw (at most {MAX_DRAWN_PARTS})"
        raise RequestError(Issue(Code.BAD_VALUE, message, "use larger parts, or --format json", where))
    try:
        import matplotlib
    except ImportError:
        issue = Issue(Code.MISSING_DEPENDENCY, "drawing needs matplotlib", "pip install 'pcl-elicit[plot]'")
        raise MissingDependencyError(issue) from None
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    shared = shared_features(problem)
    solid = {edge: number for edge, number in shared.items() if number}
    boxes, lines = arranged(problem, solid, {part.name: name_size(part.name) for part in problem.parts})
    every = len(shared) == len(boxes) * (len(boxes) - 1) // 2 and len(shared) > len(solid)
    pale = [] if every else [edge for edge, number in shared.items() if not number]
    corners = np.array([box.middle + sign * box.size / 2 for box in boxes.values() for sign in (-1, 1)])
    low, high = corners.min(axis=0) - 0.3, corners.max(axis=0) + 0.3
    figure = plt.figure(figsize=tuple(high - low))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]))  # one unit is one inch
    axes.set_axis_off()
    for line in routed(pale, boxes).values():
        _draw_line(axes, line, color="#d4d4d4", linewidth=0.7)
    for edge, line in lines.items():
        _draw_line(axes, line, color="#4477aa", linewidth=1.0 + 0.5 * min(solid[edge], 6))
    labelled = len(set(solid.values())) > 1 and len(solid) <= MAX_LABELLED_EDGES
    if labelled:
        for edge, place in _label_places(lines, boxes):
            around = {"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": "none"}
            axes.text(*place, str(solid[edge]), ha="center", va="center", fontsize=7, bbox=around)
    for name, box in boxes.items():
        _draw_box(axes, name, box)
    title = f"{problem.label or problem.name}: parts that share features"
    large = max(1.0, float(high[0] - low[0]) / 9)  # letters grow with the picture, so that both are read together
    said = {"ha": "center", "va": "bottom"}
    axes.text(*_above(low, high, 0.27 * large), title, fontsize=11 * large, **said)
    axes.text(*_above(low, high, 0.05), _note(solid, labelled, bool(pale), every), fontsize=8 * large, **said)
    buffer = io.BytesIO()
    # A fixed date and id salt make equal problems equal files.
    with matplotlib.rc_context({"svg.hashsalt": "pcl", "svg.fonttype": "none"}):
        metadata = {"Date": None} if path.suffix.lower() == ".svg" else {"Software": None}
        figure.savefig(buffer, format=path.suffix[1:].lower(), dpi=150, bbox_inches="tight", metadata=metadata)
    plt.close(figure)
    write_file(path, buffer.getvalue())


def shared_features(problem: Problem) -> dict[tuple[str, str], int]:
    """The pairs of parts that share features, and how many local ones."""
    local = {problem.features[i].name for i in range(len(problem.features)) if problem.feature_reach(i) == "local"}
    return {(a, b): len(local.intersection(edge["features"])) for a, b, edge in gai_network(problem).edges(data=True)}


def name_size(name: str) -> Point:
    """Width and height of a box around a name, in inches."""
    from matplotlib.textpath import TextPath

    letters = TextPath((0, 0), name.replace("$", r"\$"), size=FONT_SIZE).vertices
    width = float(np.ptp(letters[:, 0])) if len(letters) else 0.0
    size: Point = np.array([max(width, FONT_SIZE), FONT_SIZE]) / 72 + PADDING
    return size


def _draw_line(axes: Any, line: Line, **style: Any) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path as Curve

    curve = Curve([line.start, line.control, line.end], [Curve.MOVETO, Curve.CURVE3, Curve.CURVE3])
    axes.add_patch(PathPatch(curve, facecolor="none", edgecolor=style.pop("color"), **style))


def _draw_box(axes: Any, name: str, box: Box) -> None:
    from matplotlib.patches import FancyBboxPatch

    left, bottom = box.middle - box.size / 2
    width, height = box.size
    round_corners = "round,pad=0,rounding_size=0.09"
    colours: dict[str, Any] = {"facecolor": "#f5d590", "edgecolor": "#444444"}
    axes.add_patch(
        FancyBboxPatch((left, bottom), width, height, boxstyle=round_corners, linewidth=0.8, zorder=3, **colours)
    )
    axes.text(*box.middle, name, ha="center", va="center_baseline", fontsize=FONT_SIZE, zorder=4, parse_math=False)


def _label_places(
    lines: Mapping[tuple[str, str], Line], boxes: Mapping[str, Box]
) -> Iterator[tuple[tuple[str, str], Point]]:
    """For each line a place on it that no box and no other number has, and no other line if that can be."""
    taken: list[Box] = list(boxes.values())
    along = {edge: line.at(np.linspace(0, 1, 60)) for edge, line in lines.items()}
    for edge, line in lines.items():
        others = np.concatenate(
            [points for other, points in along.items() if other != edge] or [np.full((1, 2), np.inf)]
        )
        best = None
        for place in line.at(np.array([0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.27, 0.73])):
            here = Box(place, np.array([0.15, 0.15]))
            cost = 100 * sum(bool(box.holds(place, 0.11)) for box in taken) + bool(here.holds(others, 0).any())
            best = (cost, here) if best is None or cost < best[0] else best
        assert best is not None
        taken.append(best[1])
        yield edge, best[1].middle


def _above(low: Point, high: Point, inches: float) -> tuple[float, float]:
    return float(low[0] + high[0]) / 2, float(high[1]) + inches


def _note(solid: Mapping[tuple[str, str], int], labelled: bool, pale: bool, every: bool) -> str:
    counts = set(solid.values())
    if not counts:
        said = ["no two parts share local features"]
    elif len(counts) == 1:
        said = [f"a line: {(number := counts.pop())} local feature{'s' * (number > 1)} in common"]
    else:
        said = ["numbers: local features in common" if labelled else "thicker lines: more local features in common"]
    if pale:
        said.append("pale: global features only")
    if every:
        said.append("all parts share global features")
    return "; ".join(said)
