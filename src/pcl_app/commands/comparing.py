"""Commands that compare recorded runs, and report on them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table
from rich.text import Text

from pcl_app.commands.options import FormatOption
from pcl_app.output import Format, console
from pcl_app.streams import print_json, say
from pcl_app.writing import write_file
from pcl_core.errors import Code, Issue, Location, RequestError

if TYPE_CHECKING:
    from pcl_app.experiments.judge.tables import ResultTable
    from pcl_app.experiments.show.report import Report


def compare(
    folders: Annotated[
        list[Path], typer.Argument(metavar="DIR", help="folders written by `pcl simulate` or `pcl reproduce`")
    ],
    column: Annotated[str, typer.Option(help="what to compare: regret, seconds, utility, ...")] = "regret",
    queries: Annotated[int | None, typer.Option(min=1, help="compare the first so many queries")] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE_OR_DIR", help="a .png, .svg, .pdf or .html file, or a folder for all")
    ] = None,
    title: Annotated[str | None, typer.Option(help="above figures and tables; default: the problem's label")] = None,
    labels: Annotated[
        str | None,
        typer.Option(metavar="A,B,...", help="what the runs are called, in their order; default: what differs"),
    ] = None,
    width: Annotated[
        float, typer.Option(min=2, max=40, metavar="INCHES", help="of figures, as printed: letters keep their size")
    ] = 5.2,
    output: FormatOption = Format.TEXT,
) -> None:
    """Draw and test recorded runs against each other.

    They are compared user by user: paired Wilcoxon tests with Holm's correction.

    Example: pcl compare runs/pcl runs/cl --labels "by parts,at once" --width 3.3 --out comparison.pdf
    """
    # These need extras, and are slow to import.
    from pcl_app.experiments.judge.comparison import compare as compared
    from pcl_app.experiments.judge.naming import Naming
    from pcl_app.experiments.record.ends import problem_labels
    from pcl_app.experiments.record.runs import Runs
    from pcl_app.experiments.record.traces import read_traces
    from pcl_app.experiments.show.reproduction import comparison_report

    _check_target(out)
    runs = sum((read_traces(folder) for folder in folders), Runs(()))
    known = {name: label for folder in folders for name, label in problem_labels(folder).items()}
    titles = known if title is None else {run.settings.problem: title for run in runs}
    naming = Naming(() if labels is None else tuple(map(str.strip, labels.split(","))), titles)
    found, alone = compared(runs, column, queries, naming)
    if out is not None:
        _write(comparison_report(found, width), out)
    if output is Format.JSON:
        print_json({"comparisons": [entry.data() for entry in found], "left_out": alone})
        return
    shown = console()
    for entry in found:
        for table in (entry.summary_table(), entry.difference_table()):
            shown.print(_as_text(table), "")
        for note in entry.notes:
            shown.print(Text(note))
    for sentence in alone:
        say(sentence, stderr=True)


def report(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="a folder written by `pcl experiment`")],
    out: Annotated[Path, typer.Option(metavar="DIR", help="where the report and its figure go")] = Path("report"),
    output: FormatOption = Format.TEXT,
) -> None:
    """Say how recipes serve people: questions and values typed.

    It leaves a page as HTML and as Markdown, with a figure, and shows the tables in short.

    Example: pcl report runs/people --out report
    """
    from pcl_app.experiments.judge.people import crowds_of
    from pcl_app.experiments.record.ends import read_description, read_satisfied
    from pcl_app.experiments.record.traces import read_traces
    from pcl_app.experiments.show.people import in_short, people_report

    crowds = crowds_of(read_traces(folder), read_satisfied(folder))
    page = people_report(crowds, read_description(folder)).write(out)
    tables = in_short(crowds)
    if output is Format.JSON:
        print_json({"report": str(page), "tables": [table.data() for table in tables]})
        return
    shown = console()
    for table in tables:
        shown.print(_as_text(table), "")
    shown.print(Text(f"the report: {page} (and report.md beside it)"))


def _check_target(out: Path | None) -> None:
    """Before any work: a name that means nothing to us, or a place that is not there."""
    from pcl_app.experiments.show.figures import PICTURE_ENDINGS

    if out is None or out.is_dir() or out.suffix.lower() in (*PICTURE_ENDINGS, ".html", ""):
        return
    message = f"cannot write a '{out.suffix:.20}' file"
    hint = "a .png, .svg, .pdf or .html file, or a folder (a new one without a dot in its name)"
    raise RequestError(Issue(Code.BAD_VALUE, message, hint, Location(str(out))))


def _write(report: "Report", out: Path) -> None:
    from pcl_app.experiments.show.report import FigureBlock

    if out.is_dir() or not out.suffix:
        report.write(out, "comparison")
    elif out.suffix.lower() == ".html":
        write_file(out, report.to_html().encode())
    else:
        figures = [block for block in report.blocks if isinstance(block, FigureBlock)]
        if len(figures) > 1:
            message = f"there are {len(figures)} problems or seeds, and so as many figures"
            raise RequestError(Issue(Code.BAD_VALUE, message, "give a folder or an .html file", Location(str(out))))
        figures[0].picture.save(out)


def _as_text(table: "ResultTable") -> Table:
    from pcl_app.experiments.judge.tables import shown

    text = Table(title=table.caption, title_justify="left", box=None, pad_edge=False)
    for number, title in enumerate(table.headings):
        text.add_column(title, justify="right" if table.numeric(number) else "left")
    for row in table.rows:
        text.add_row(*(Text(shown(entry)) for entry in row))
    return text
