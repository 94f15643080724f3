"""Regret over queries, as points of a drawing."""

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, LEFT, BOTTOM = 520, 240, 44, 28
TOP, RIGHT = 12, 12


@dataclass(frozen=True)
class Curve:
    """A line, its last point, and ticks, in the units of a drawing of `width` by `height`."""

    points: str
    last: tuple[float, float] | None
    dots: tuple[tuple[float, float, bool], ...]
    """Each query, and whether she was satisfied with what was proposed."""
    xs: tuple[tuple[float, str], ...]
    ys: tuple[tuple[float, str], ...]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    right: int = WIDTH - RIGHT
    base: int = HEIGHT - BOTTOM


def curve_of(regrets: Sequence[float], satisfied: Sequence[bool], most: int) -> Curve:
    """`regrets` starts with the regret before any query; `most` queries fit without moving the axis."""
    queries = max(most, len(regrets) - 1, 1)
    top = max([*regrets, 1e-9])

    def at(query: int, regret: float) -> tuple[float, float]:
        x = LEFT + (WIDTH - LEFT - RIGHT) * query / queries
        y = TOP + (HEIGHT - TOP - BOTTOM) * (1 - regret / top)
        return round(x, 1), round(y, 1)

    places = [at(query, regret) for query, regret in enumerate(regrets)]
    step = max(1, -(-queries // 6))
    return Curve(
        " ".join(f"{x},{y}" for x, y in places),
        places[-1] if places else None,
        tuple((*place, pleased) for place, pleased in zip(places[1:], satisfied, strict=False)),
        tuple((at(query, 0)[0], str(query)) for query in range(0, queries + 1, step)),
        tuple((at(0, top * share)[1], f"{top * share:.3g}") for share in (0.0, 0.5, 1.0)),
    )
