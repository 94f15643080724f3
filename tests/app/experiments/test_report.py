"""Figures and reports: complete, alike every time, without addresses, and nothing from outside is taken as markup."""

import re
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.app.experiments.synthetic import GRID, PAPER, runs_of

from pcl_app.experiments.judge.statistics import Estimate
from pcl_app.experiments.judge.tables import PValue, ResultTable, Verdict, shown
from pcl_app.experiments.record.runs import Runs
from pcl_app.experiments.run.scaling import Scaling
from pcl_app.experiments.show.figures import Picture, comparison_figure, paper_figure, scaling_figure
from pcl_app.experiments.show.report import Block, Bullets, FigureBlock, Heading, Paragraph, Report, inline_svg
from pcl_app.experiments.show.reproduction import paper_panels, reproduction_report
from pcl_core.errors import RequestError

MEASURED = [Scaling(side, 0.001 * 2**side, 0.002, side > 8) for side in (4, 6, 8, 10)]
VOID = {"meta", "br", "path", "use", "rect", "img"}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Runs:
    small = [made.but(users=6, queries=12, stop_at=None) for made in PAPER]
    return runs_of(tmp_path_factory.mktemp("runs"), *small, *(made.but(mode="keep") for made in small))


@pytest.fixture(scope="module")
def picture(runs: Runs) -> Picture:
    return paper_figure(paper_panels(runs.select(mode="paper")))


def test_a_picture_comes_in_three_formats_and_in_words(picture: Picture, tmp_path: Path) -> None:
    assert picture.png.startswith(b"\x89PNG")
    assert picture.pdf.startswith(b"%PDF")
    assert ElementTree.fromstring(picture.svg).tag.endswith("svg")
    assert "PCL, ucb1 from" in picture.words
    picture.save(tmp_path / "figure.PNG")
    assert (tmp_path / "figure.PNG").read_bytes() == picture.png
    with pytest.raises(RequestError, match=r"ends in \.svg, \.png or \.pdf"):
        picture.save(tmp_path / "figure.gif")


def test_equal_runs_give_equal_pictures_and_nothing_global_changes(runs: Runs) -> None:
    import matplotlib

    before = dict(matplotlib.rcParams)
    chosen = runs.select(problem="hotel", mode="keep")
    first, second = (comparison_figure(chosen, "regret", 12, "hotel") for _ in range(2))
    assert first == second
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("column", ["regret", "utility", "seconds", "certified", "zeta"])
def test_any_column_is_drawn(column: str, runs: Runs) -> None:
    assert comparison_figure(runs.select(problem="grid"), column).words


def test_a_single_query_and_many_runs_are_drawn(runs: Runs, tmp_path: Path) -> None:
    assert comparison_figure(runs_of(tmp_path, GRID.but(users=1, queries=1))).svg
    assert comparison_figure(Runs(runs.runs[:10])).svg
    assert scaling_figure(MEASURED[:1]).svg
    assert "10×10: 1.02 s full, 0.002 s part-wise" in scaling_figure(MEASURED).words


class Outline(HTMLParser):
    """Checks that elements are closed in order, and keeps the text."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: list[str] = []
        self.identifiers: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.identifiers += [value for name, value in attrs if name == "id" and value]
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.identifiers += [value for name, value in attrs if name == "id" and value]

    def handle_endtag(self, tag: str) -> None:
        if tag not in VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


def test_the_report_is_one_page_without_addresses(runs: Runs, tmp_path: Path) -> None:
    document, claims = reproduction_report(runs, MEASURED, {"seed": "7"}, queries=12)
    page = document.write(tmp_path)
    content = page.read_text()
    outline = Outline()
    outline.feed(content)
    assert outline.open == []
    assert outline.names.count("svg") == 3
    assert len(set(outline.identifiers)) == len(outline.identifiers)
    assert not re.search(r"https?:|//[a-z]|src=|@import|<link", content)
    assert set(re.findall(r'href="#([^"]+)"', content)) <= set(outline.identifiers)
    assert list(claims) == ["paper", "keep"]
    assert "growing-gap" in {claim.key for claim in claims["paper"]}
    assert "growing-gap" not in {claim.key for claim in claims["keep"]}
    text = (tmp_path / "report.md").read_text()
    for name in re.findall(r"\((figures/[^)]+)\)", text):
        assert (tmp_path / name).exists()
    for claim in claims["paper"]:
        assert claim.sentence in text
        assert claim.sentence in outline.text
    assert document.write(tmp_path / "again").read_text() == content


def test_everything_is_escaped(picture: Picture) -> None:
    nasty = "<script>alert('x')</script> & \"quotes\" | *stars* [link](x)"
    words = Picture(picture.svg, b"", b"", nasty)
    blocks: list[Block] = [
        Heading(nasty),
        Paragraph(nasty),
        Bullets([nasty]),
        ResultTable(nasty, [nasty], [[nasty]]),
        FigureBlock("figure", words, nasty),
    ]
    document = Report(nasty, nasty, blocks)
    page = document.to_html()
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;") >= 9
    text = document.to_markdown()
    assert "<script>" not in text.replace("\\<script\\>", "")
    assert " | *" not in text


def test_cells() -> None:
    cells = (None, 3, 0.123456, -1234.5, float("nan"), float("inf"), Estimate(1, 0.5, 1.5), PValue(0.00001), "word")
    written = ["–", "3", "0.123", "−1234", "–", "∞", "1 [0.5, 1.5]", "< 0.0001", "word"]
    assert [shown(cell) for cell in cells] == written
    assert shown(Estimate(2, float("nan"), float("nan"))) == "2"
    assert [str(PValue(value)) for value in (0.02, 0.5)] == ["0.0200", "0.50"]
    with pytest.raises(ValueError, match="1 cells for 2 columns"):
        ResultTable("", ["a", "b"], [["x"]])


def test_tables_can_be_sorted_by_number_and_by_word() -> None:
    table = ResultTable("t", ["name", "value", "verdict"], [["B", 2.0, Verdict.FAILS], ["a", None, Verdict.HOLDS]])
    page = Report("d", blocks=[table]).to_html()
    assert '<th scope="col" class="number"><button type="button">value</button></th>' in page
    assert re.findall(r'data-key="([^"]*)"', page) == ["b", "2.0", "2", "a", "", "0"]
    assert 'class="verdict does-not-hold"' in page


def test_drawings_do_not_share_names() -> None:
    drawing = (
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="10pt" height="5pt">'
        '<metadata>x</metadata><g id="a"/><use xlink:href="#a" clip-path="url(#a)"/></svg>'
    )
    assert inline_svg(drawing, "one", 'a "b"') == (
        '<svg role="img" aria-label="a &quot;b&quot;" style="max-width:12pt"><g id="one-a"/>'
        '<use href="#one-a" clip-path="url(#one-a)"/></svg>'
    )
