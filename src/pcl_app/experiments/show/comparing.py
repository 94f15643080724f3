"""The report on a comparison of runs."""

from collections.abc import Sequence

from pcl_app.experiments.judge.comparison import Comparison
from pcl_app.experiments.show.figures import comparison_figure
from pcl_app.experiments.show.report import Block, FigureBlock, Heading, Paragraph, Report


def comparison_report(comparisons: Sequence[Comparison]) -> Report:
    """The comparisons as a document."""
    blocks: list[Block] = []
    for number, found in enumerate(comparisons, 1):
        picture = comparison_figure(found.runs, found.column, found.queries, found.title)
        caption = "Mean over users; the band is one standard deviation. Where a run has stopped, it is carried on."
        blocks += [Heading(found.title), FigureBlock(f"comparison-{number}", picture, caption), found.summary_table()]
        blocks += [found.difference_table(), *(Paragraph(note) for note in found.notes)]
    summary = (
        "Queries to 10 % and 1 %: the median over users of the first query at which the regret is down to that share "
        "of the user's first regret; a dash where most never get there. Effect: −1 to 1, positive where the first run "
        "has the larger values."
    )
    return Report("Comparison of runs", summary, blocks)
