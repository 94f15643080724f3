"""A small document: headings, paragraphs, figures and tables, written as one HTML file or as Markdown."""

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pcl_app.experiments.judge.statistics import Estimate
from pcl_app.experiments.judge.tables import PValue, ResultTable, TableEntry, Verdict, shown
from pcl_app.experiments.show.figures import Picture
from pcl_app.experiments.show.page import SCRIPT, STYLE
from pcl_app.writing import write_file
from pcl_core.errors import Code, Issue, Location, RequestError

FIGURES = "figures"


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    level: int = 2


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Bullets:
    items: Sequence[str]


@dataclass(frozen=True, slots=True)
class FigureBlock:
    name: str
    """Of the picture's files, without an ending."""
    picture: Picture
    caption: str


Block = Heading | Paragraph | Bullets | FigureBlock | ResultTable


@dataclass(frozen=True, slots=True)
class Report:
    title: str
    summary: str = ""
    blocks: Sequence[Block] = field(default_factory=tuple)

    def to_html(self) -> str:
        """One file that needs no other and no network."""
        body = [f"<h1>{_escaped(self.title)}</h1>"]
        if self.summary:
            body.append(f'<p class="summary">{_escaped(self.summary)}</p>')
        contents = [block for block in self.blocks if isinstance(block, Heading) and block.level == 2]
        if len(contents) > 2:
            links = "".join(
                f'<li><a href="#{_anchor(block.text)}">{_escaped(block.text)}</a></li>' for block in contents
            )
            body.append(f'<nav aria-label="contents"><ul>{links}</ul></nav>')
        body += [_as_html(block) for block in self.blocks]
        policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
        return (
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{_escaped(self.title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
            + "\n".join(body)
            + f"\n</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
        )

    def to_markdown(self) -> str:
        """Markdown whose pictures lie in the folder `FIGURES` beside it."""
        text = [f"# {_plain(self.title)}"]
        if self.summary:
            text.append(_plain(self.summary))
        return "\n\n".join(text + [_as_markdown(block) for block in self.blocks]) + "\n"

    def write(self, folder: Path, name: str = "report") -> Path:
        """`NAME.html`, `NAME.md`, and `figures/` with each picture as SVG, PNG and PDF; returns the HTML file."""
        pictures = folder / FIGURES
        try:
            pictures.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            message = f"cannot make the folder: {error.strerror}"
            raise RequestError(Issue(Code.CANNOT_WRITE, message, None, Location(str(pictures)))) from None
        for block in self.blocks:
            if isinstance(block, FigureBlock):
                for ending in (".svg", ".png", ".pdf"):
                    block.picture.save(pictures / (block.name + ending))
        write_file(folder / f"{name}.html", self.to_html().encode())
        write_file(folder / f"{name}.md", self.to_markdown().encode())
        return folder / f"{name}.html"


def _sort_key(cell: TableEntry) -> str:
    if cell is None:
        return ""
    if isinstance(cell, Verdict):
        return str(list(Verdict).index(cell))
    if isinstance(cell, (Estimate, PValue)):
        cell = cell.value
    if cell != cell:
        return ""
    return repr(cell) if isinstance(cell, (int, float)) else cell.lower()


def _escaped(text: str) -> str:
    return html.escape(text, quote=True)


def _lines(text: str) -> str:
    """Lines of a cell; an interval is not broken in two."""
    whole = re.sub(r"\[[^\[\]]{1,40}\]", lambda match: match[0].replace(" ", "\u00a0"), text)
    lines = _escaped(whole).split("\n")
    return lines[0] if len(lines) == 1 else "".join(f'<div class="line">{line}</div>' for line in lines)


def _anchor(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _as_html(block: Block) -> str:
    match block:
        case Heading(text, level):
            name = f' id="{_anchor(text)}"' if level == 2 else ""
            return f"<h{level}{name}>{_escaped(text)}</h{level}>"
        case Paragraph(text):
            return f"<p>{_escaped(text)}</p>"
        case Bullets(items):
            return "<ul>" + "".join(f"<li>{_escaped(item)}</li>" for item in items) + "</ul>"
        case FigureBlock(name, picture, caption):
            drawing = inline_svg(picture.svg.decode(), _anchor(name), picture.words)
            return f"<figure>{drawing}<figcaption>{_escaped(caption)}</figcaption></figure>"
        case ResultTable():
            return _table_as_html(block)


def _table_as_html(table: ResultTable) -> str:
    numeric = [table.numeric(column) for column in range(len(table.headings))]
    kinds = [' class="number"' if number else "" for number in numeric]
    head = "".join(
        f'<th scope="col"{kind}><button type="button">{_escaped(title)}</button></th>'
        for title, kind in zip(table.headings, kinds, strict=True)
    )
    rows = []
    for row in table.rows:
        cells = []
        for cell, kind in zip(row, kinds, strict=True):
            look = f' class="verdict {_anchor(cell)}"' if isinstance(cell, Verdict) else kind
            cells.append(f'<td{look} data-key="{_escaped(_sort_key(cell))}">{_lines(shown(cell))}</td>')
        rows.append("<tr>" + "".join(cells) + "</tr>")
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{_escaped(table.caption)}"><table>'
        f"<caption>{_escaped(table.caption)}</caption>"
        f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def inline_svg(text: str, prefix: str, words: str) -> str:
    """An SVG drawing as part of an HTML page: no header, no addresses, names that no other drawing has."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", text)
    text = text.replace("xlink:href=", "href=")
    text = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', text)
    text = re.sub(r'href="#([^"]+)"', rf'href="#{prefix}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{prefix}-\1)", text)
    text = re.sub(r'(<svg[^>]*?) width="([\d.]+)pt" height="[\d.]+pt"', _room, text, count=1)
    return text.strip().replace("<svg", f'<svg role="img" aria-label="{_escaped(words)}"', 1)


def _room(match: re.Match[str]) -> str:
    """As wide as the page allows, up to a little more than on paper."""
    return f'{match[1]} style="max-width:{1.25 * float(match[2]):.0f}pt"'


def _plain(text: str) -> str:
    """Text that Markdown takes literally."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", " ".join(text.split()))


def _as_markdown(block: Block) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {_plain(text)}"
        case Paragraph(text):
            return _plain(text)
        case Bullets(items):
            return "\n".join(f"- {_plain(item)}" for item in items)
        case FigureBlock(name, picture, caption):
            return f"![{_plain(picture.words)}]({FIGURES}/{name}.png)\n\n*{_plain(caption)}*"
        case ResultTable():
            rules = ["---:" if block.numeric(column) else "---" for column in range(len(block.headings))]
            lines = [[_plain(title) for title in block.headings], rules]
            lines += [[_plain(shown(cell).replace("\n", "; ")) for cell in row] for row in block.rows]
            table = "\n".join("| " + " | ".join(line) + " |" for line in lines)
            return f"**{_plain(block.caption)}**\n\n{table}"
