"""Pictures of problems: boxes as large as their names, lines that lead through nobody, and the problem's own shape."""

import re
from collections.abc import Collection
from functools import cache
from itertools import combinations
from pathlib import Path

import networkx as nx
import numpy as np
import pytest
from matplotlib.font_manager import FontProperties
from matplotlib.textpath import TextPath

import pcl_core as pcl
from pcl_app.drawing import FONT_SIZE, draw_network, name_size, shared_features
from pcl_app.layout import Box, Line, arranged, crossed


def problem_of(graph: "nx.Graph[int]") -> pcl.Problem:
    """A part for each node, a shared feature for each edge; some names are long."""
    build = pcl.ProblemBuilder("made")
    numbers = {node: build.integer(f"x{node}", 0, 1) for node in graph}
    for node, number in numbers.items():
        build.feature(f"own{node}", number)
    for a, b in graph.edges:
        build.feature(f"both{a},{b}", pcl.choose(numbers[a] > numbers[b], 1, 0), reach="local")
    for node, number in numbers.items():
        build.part(f"a longer name {node}" if node % 3 == 0 else f"p{node}", [number])
    return build.problem()


@cache
def picture(name: str) -> tuple[dict[str, Box], dict[tuple[str, str], Line]]:
    problem = PROBLEMS[name]
    local = {edge for edge, number in shared_features(problem).items() if number}
    return arranged(problem, local, {part.name: name_size(part.name) for part in problem.parts})


def overlapping(boxes: dict[str, Box]) -> list[tuple[str, str]]:
    def touch(a: Box, b: Box) -> bool:
        return bool(np.all(np.abs(a.middle - b.middle) < (a.size + b.size) / 2))

    return [(a, b) for a, b in combinations(boxes, 2) if touch(boxes[a], boxes[b])]


def levels(boxes: Collection[Box], axis: int) -> int:
    return len({round(float(box.middle[axis]), 6) for box in boxes})


CATALOGUE = ("training", "grid", "grid:side=20", "hotel", "pc", "meals")
MADE = {
    "ring": nx.cycle_graph(12),
    "random": nx.gnm_random_graph(24, 40, seed=3),
    "hundred": nx.gnm_random_graph(100, 150, seed=2),
    "chain": nx.path_graph(100),
    "all with all": nx.complete_graph(9),
    "islands": nx.disjoint_union_all([nx.cycle_graph(5), nx.path_graph(3), nx.empty_graph(3)]),
}
PROBLEMS = {**{name: pcl.load(name) for name in CATALOGUE}, **{name: problem_of(it) for name, it in MADE.items()}}


@pytest.mark.parametrize("name", PROBLEMS)
def test_no_boxes_touch_and_no_line_leads_through_a_third(name: str) -> None:
    boxes, lines = picture(name)
    assert len(boxes) == len(PROBLEMS[name].parts)
    assert overlapping(boxes) == []
    through = [
        edge for edge, line in lines.items() if crossed([line], [it for part, it in boxes.items() if part not in edge])
    ]
    assert through == []


@pytest.mark.parametrize("text", ["mon", "block[10,12]", "the room with the very long name", "Мебель", "$x_1$"])
def test_a_box_is_larger_than_its_name(text: str) -> None:
    drawn = TextPath((0, 0), text.replace("$", r"\$"), size=FONT_SIZE, prop=FontProperties()).get_extents()
    width, height = name_size(text)
    assert width > drawn.width / 72
    assert height > drawn.height / 72


def test_a_grid_is_a_grid() -> None:
    boxes, lines = picture("grid:side=20")
    assert (levels(boxes.values(), 0), levels(boxes.values(), 1)) == (10, 10)
    straight = [line for line in lines.values() if np.allclose(line.control, (line.start + line.end) / 2)]
    assert len(straight) == len(lines) == 180


def test_the_hotel_is_its_floor() -> None:
    boxes, _ = picture("hotel")
    north, south = boxes["r10"].middle, boxes["r7"].middle
    assert north[0] == south[0]
    assert north[1] > south[1]
    assert boxes["r20"].middle[1] > north[1]
    assert [boxes[room].middle[1] for room in ("r10", "r11", "r12", "r13", "r14")] == [north[1]] * 5


def test_a_week_runs_from_left_to_right() -> None:
    boxes, _ = picture("training")
    assert sorted(boxes, key=lambda day: boxes[day].middle[0]) == [part.name for part in PROBLEMS["training"].parts]
    assert levels(boxes.values(), 1) == 1


def test_a_ring_is_round_and_a_long_chain_is_folded() -> None:
    ring, _ = picture("ring")
    points = np.array([box.middle for box in ring.values()])
    reach = np.linalg.norm(points - points.mean(axis=0), axis=1)
    assert reach.min() > 0.9 * reach.max()
    chain, _ = picture("chain")
    assert (levels(chain.values(), 0), levels(chain.values(), 1)) == (10, 10)


def test_one_number_for_all_is_said_once_and_several_stand_at_their_lines(tmp_path: Path) -> None:
    said = {}
    for name in ("training", "hotel", "pc"):
        draw_network(PROBLEMS[name], tmp_path / "x.svg")
        said[name] = re.findall(r"<text[^>]*>([^<]*)</text>", (tmp_path / "x.svg").read_text(encoding="utf-8"))
    assert "a line: 2 local features in common" in said["training"]
    assert "2" not in said["training"]
    assert "numbers: local features in common; all parts share global features" in said["hotel"]
    shared = list(shared_features(PROBLEMS["hotel"]).values())
    assert [said["hotel"].count(str(number)) for number in (1, 2, 3)] == [shared.count(number) for number in (1, 2, 3)]


def test_the_same_problem_is_the_same_file(tmp_path: Path) -> None:
    for name in ("a.svg", "b.svg", "a.png", "b.png"):
        draw_network(PROBLEMS["random"], tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()
