"""Figures of experiments: regret and time over queries, and how inference grows with the problem.

A drawing is laid out once, in three formats, without anything that would differ next time.
"""

import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Any

import numpy as np

from pcl_app.experiments.judge.statistics import standard_deviation
from pcl_app.experiments.measures import MEASURES
from pcl_app.experiments.record.runs import Floats, Run, Runs
from pcl_app.experiments.run.scaling import Scaling
from pcl_app.writing import write_file
from pcl_core.errors import Code, Issue, Location, MissingDependencyError, RequestError

PICTURE_ENDINGS = (".svg", ".png", ".pdf")

STYLE: Mapping[str, object] = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.labelsize": 9,
    "legend.fontsize": 7.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.5,
    "axes.axisbelow": True,
    "lines.linewidth": 1.5,
    "lines.markersize": 4.5,
    # Letters as shapes: the file looks the same where the font is not installed.
    "svg.fonttype": "path",
    "svg.hashsalt": "pcl",
    "pdf.fonttype": 42,
}


@dataclass(frozen=True, slots=True)
class Picture:
    """A figure in three formats, and in words for those who cannot see it."""

    svg: bytes
    png: bytes
    pdf: bytes
    words: str

    def save(self, path: Path) -> None:
        """Write the format that the name's ending asks for."""
        found = {".svg": self.svg, ".png": self.png, ".pdf": self.pdf}.get(path.suffix.lower())
        if found is None:
            message = f"a picture ends in {', '.join(PICTURE_ENDINGS[:-1])} or {PICTURE_ENDINGS[-1]}"
            raise RequestError(Issue(Code.BAD_VALUE, message, None, Location(str(path))))
        write_file(path, found)


def drawn(draw: Callable[[Any], None], size: tuple[float, float], words: str) -> Picture:
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        issue = Issue(Code.MISSING_DEPENDENCY, "drawing needs matplotlib", "pip install 'pcl-elicit[plot]'")
        raise MissingDependencyError(issue) from None
    # A figure of its own, without pyplot: no window system, and nothing global changes.
    with matplotlib.rc_context({**matplotlib.rcParamsDefault, **STYLE}):
        figure = Figure(figsize=size, layout="constrained")
        draw(figure)
        figure.draw_without_rendering()
        figure.set_layout_engine("none")  # laid out once; each format would do it again
        # Without dates, equal runs give equal files.
        written = []
        empty = {"svg": {"Date": None, "Creator": None, "Format": None, "Type": None}, "png": {"Software": None}}
        for kind in ("svg", "png", "pdf"):
            buffer = io.BytesIO()
            metadata = empty.get(kind, {"CreationDate": None})
            figure.savefig(buffer, format=kind, dpi=200, metadata=metadata)
            written.append(buffer.getvalue())
    return Picture(written[0], written[1], written[2], words)


# Colours that stay apart for colour-blind readers and, with the dashes and markers, in grey.
COLOURS = ("#004488", "#bb5566", "#ddaa33", "#117733", "#882255", "#33aacc", "#666666", "#aa7700")
DASHES: tuple[Any, ...] = ("-", (0, (5, 1.6)), (0, (1.2, 1.2)), (0, (6, 1.5, 1.2, 1.5)), (0, (3, 1, 1, 1, 1, 1)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
MARKERS_A_LINE = 8
HATCHED: Mapping[str, Any] = {"facecolor": "none", "hatch": "//////", "linewidth": 0, "alpha": 0.45}


def paper_figure(panels: Sequence[tuple[str, Runs]], queries: int | None = None) -> Picture:
    """Regret above, cumulative learner time below; a panel for each (title, runs). Mean and standard deviation."""

    def draw(figure: Any) -> None:
        grid = figure.subplots(2, len(panels), squeeze=False, sharex="col")
        for position, (title, runs) in enumerate(panels):
            above, below = grid[0][position], grid[1][position]
            above.set_title(title, fontweight="bold")
            length = queries or max(run.queries for run in runs)
            _draw_curves(above, runs, "regret", length)
            _draw_curves(below, runs, "seconds", length)
            above.legend(frameon=False, loc="upper right", handlelength=3.2)
            _leave_room(above, len(above.get_legend().get_texts()))
            below.set_xlabel("queries")
        grid[0][0].set_ylabel("regret on complete\nconfigurations")
        grid[1][0].set_ylabel("cumulative\nlearner time (s)")
        figure.align_ylabels()

    words = "Regret on complete configurations (above) and cumulative learner time in seconds (below) over the queries."
    for title, runs in panels:
        words += f" {title}: {_in_words(runs, 'regret', queries or max(run.queries for run in runs))}."
    return drawn(draw, (2.6 * len(panels), 4.7), words)


WIDTH = 5.2
"""Inches, of a figure on a screen. Letters keep their size, so a figure is drawn as wide as it is printed."""


LETTERS = 33
"""How many stand beside the axis of a figure of that width."""


def axis_label(column: str, width: float) -> str:
    """What a column is, in as many lines as a figure of this width needs."""
    return fill(MEASURES[column].label, max(10, int(LETTERS * width / WIDTH)))


def comparison_figure(
    runs: Runs, column: str = "regret", queries: int | None = None, title: str = "", width: float = WIDTH
) -> Picture:
    """One column of any runs over the queries: mean and standard deviation over users."""
    length = queries or max(run.queries for run in runs)

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        _draw_curves(axes, runs, column, length)
        axes.set_xlabel("queries")
        axes.set_ylabel(axis_label(column, width))
        axes.set_title(title, fontweight="bold")
        # Below the axes there is room for any number of runs.
        widest = max(map(len, runs.labels())) * WIDTH / width
        ncols = 3 if widest <= 14 else 2 if widest <= 32 else 1
        figure.legend(loc="outside lower center", ncols=ncols, frameon=False, handlelength=3.6)

    words = f"{MEASURES[column].label} over the queries{', ' + title if title else ''}: "
    return drawn(draw, (width, 0.69 * width + 0.12 * len(runs)), words + _in_words(runs, column, length) + ".")


def scaling_figure(measured: Sequence[Scaling]) -> Picture:
    """Full against part-wise inference as the grid grows: medians as lines, single measurements as dots."""
    sides = sorted({entry.side for entry in measured})

    def times(side: int, full: bool) -> list[float]:
        return [entry.seconds_full if full else entry.seconds_part for entry in measured if entry.side == side]

    def draw(figure: Any) -> None:
        axes = figure.subplots()
        for number, (label, full) in enumerate((("complete configuration", True), ("one part", False))):
            medians = [float(np.median(times(side, full))) for side in sides]
            look = {"color": COLOURS[number], "linestyle": DASHES[number], "marker": MARKERS[number]}
            axes.plot(sides, medians, label=label, **look)
            dots = [(side, second) for side in sides for second in times(side, full)]
            axes.scatter(*zip(*dots, strict=True), s=7, color=COLOURS[number], alpha=0.35, linewidths=0)
        stopped = sorted({entry.side for entry in measured if entry.limited})
        if stopped:
            highest = [1.25 * max(times(side, True)) for side in stopped]
            axes.scatter(stopped, highest, marker=r"$\uparrow$", s=60, color="black", label="stopped by a time limit")
        axes.set_yscale("log")
        axes.set_xticks(sides, [f"{side}×{side}" for side in sides], rotation=45 if len(sides) > 7 else 0)
        axes.set_xlabel("grid")
        axes.set_ylabel("inference time (s), log scale")
        figure.legend(loc="outside lower center", ncols=3, frameon=False, handlelength=3.2)

    ends = [
        f"{side}×{side}: {np.median(times(side, True)):.3g} s full, {np.median(times(side, False)):.3g} s part-wise"
        for side in (sides[:1] + sides[-1:] if len(sides) > 1 else sides)
    ]
    return drawn(draw, (5.2, 3.6), "Inference time on grids, complete against one part. " + "; ".join(ends) + ".")


def _draw_curves(axes: Any, runs: Runs, column: str, queries: int) -> None:
    steps = np.arange(1, queries + 1)
    open_optimum = False
    for number, (label, run) in enumerate(zip(runs.labels(), runs, strict=True)):
        colour = COLOURS[number % len(COLOURS)]
        mean, low, high = _band(run, column, queries)
        # Markers of different lines stand at different queries, so that lines on top of each other stay visible.
        gap = max(1, queries // MARKERS_A_LINE)
        axes.plot(
            steps,
            mean,
            color=colour,
            linestyle=DASHES[number % len(DASHES)],
            marker=MARKERS[number % len(MARKERS)],
            markevery=(number * gap // max(1, len(runs)), gap),
            markeredgecolor="white",
            markeredgewidth=0.5,
            label=label,
            zorder=3,
        )
        axes.fill_between(steps, low, high, color=colour, alpha=0.13, linewidth=0)
        for edge in (low, high):
            axes.plot(steps, edge, color=colour, linewidth=0.4, alpha=0.5, linestyle=DASHES[number % len(DASHES)])
        if column == "regret":
            bound = run.curve("regret_bound", queries).mean(axis=0)
            if (bound - mean > 1e-9 * (1 + np.abs(mean))).any():
                # Proven: the mean regret lies between the line and the upper edge of the hatched band.
                axes.fill_between(steps, mean, bound, edgecolor=colour, **HATCHED)
                open_optimum = True
                axes.plot(steps, bound, color=colour, linewidth=0.8, linestyle=":")
    if open_optimum:
        axes.fill_between([], [], [], edgecolor="black", label="optimum not proven", **HATCHED)
    axes.set_xlim(1 if queries > 1 else 0.5, max(queries, 1.5))
    if MEASURES[column].least is not None:
        axes.set_ylim(bottom=MEASURES[column].least)


def _band(run: Run, column: str, queries: int) -> tuple[Floats, Floats, Floats]:
    curve = run.curve(column, queries)
    mean, spread = curve.mean(axis=0), standard_deviation(curve, axis=0)
    least, most = MEASURES[column].least, MEASURES[column].most
    low = mean - spread if least is None else np.maximum(mean - spread, least)
    high = mean + spread if most is None else np.minimum(mean + spread, most)
    return mean, low, high


def _leave_room(axes: Any, lines: int) -> None:
    """Regret starts high on the left and falls, so a legend at the right needs room only where lines stay high."""
    bottom, top = axes.get_ylim()
    legend_share = 0.06 + 0.1 * lines
    highest = max(
        (float(np.nanmax(line.get_ydata()[len(line.get_ydata()) // 5 :])) for line in axes.get_lines()), default=top
    )
    if highest > top - legend_share * (top - bottom):
        axes.set_ylim(bottom, max(top, bottom + (highest - bottom) / (1 - legend_share)))


def _in_words(runs: Runs, column: str, queries: int) -> str:
    said = []
    for label, run in zip(runs.labels(), runs, strict=True):
        mean = run.curve(column, queries).mean(axis=0)
        said.append(f"{label} from {mean[0]:.3g} to {mean[-1]:.3g}")
    return "; ".join(said) + f" at query {queries}"
