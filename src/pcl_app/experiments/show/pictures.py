"""A drawing as files: laid out once, in three formats, without anything that would differ next time."""

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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
