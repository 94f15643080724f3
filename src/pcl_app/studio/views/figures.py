"""Figures of the whole as meters with their limits."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pcl_app.studio.forms import FigureForm
from pcl_core.wording import NEAR_A_LIMIT

MOST = 4


@dataclass(frozen=True)
class Meter:
    """A number, how much of its limit it is, and whether that is much."""

    label: str
    value: str
    limit: str
    share: int
    """Percent of the limit; 0 without one."""
    near: bool
    moved: str
    """By how much the proposal, or the draft, moves it: `+4`; empty if it does not."""


def number(value: float) -> str:
    """As short as it can be: `140`, `6.5`."""
    return f"{value:.10g}"


def signed(value: float) -> str:
    return f"{'+' if value > 0 else '−'}{number(abs(value))}"


def meters_of(figures: Sequence[FigureForm], before: Iterable[FigureForm] = (), most: int = MOST) -> tuple[Meter, ...]:
    """The few figures that move or are near their limit, as they come; `before` says from where they moved."""
    was = {it["label"]: it["value"] for it in before}
    return tuple(_meter(it, was.get(it["label"])) for it in figures[:most])


def _meter(figure: FigureForm, was: float | None) -> Meter:
    value, limit = figure["value"], figure["limit"]
    if isinstance(value, bool):
        return Meter(figure["label"], "yes" if value else "no", "", 0, False, "")
    share = value / limit if limit else 0.0
    by = 0.0 if was is None else value - was
    shown = max(0, min(100, round(100 * share)))
    return Meter(
        figure["label"],
        number(value),
        "" if limit is None else number(limit),
        shown,
        share >= NEAR_A_LIMIT,
        signed(by) if by else "",
    )
