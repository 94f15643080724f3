"""The reports on the paper's experiments (their figure, the claims, and how inference grows) and on comparisons of runs."""

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from pcl_app.experiments.judge.claims import Claim, claims_table, findings_table
from pcl_app.experiments.judge.comparison import Comparison, compare_group
from pcl_app.experiments.judge.paper_claims import check_claims
from pcl_app.experiments.judge.tables import ResultTable
from pcl_app.experiments.record.runs import Runs
from pcl_app.experiments.run.scaling import Scaling
from pcl_app.experiments.show.figures import WIDTH, comparison_figure, paper_figure, scaling_figure
from pcl_app.experiments.show.report import Block, Bullets, FigureBlock, Heading, Paragraph, Report

PROBLEMS = ("grid", "training", "hotel")
MODES = {
    "paper": (
        "The paper's algorithm",
        "An improvement moves the weights alone: the configuration goes on with the learner's own proposal. A run "
        "stops after two full passes over the parts in which the user improved nothing.",
    ),
    "keep": (
        "Improvements kept, stop with a certificate",
        "The user's improvement stays in the configuration. A run stops with a certificate: no single part can be "
        "improved any more. The features of the grid and the hotel are all 1 or −1: there, weights that start at zero "
        "always agree with what the user kept, proposals change nothing, and the curves show the users' own steps.",
    ),
}


def paper_panels(runs: Runs) -> list[tuple[str, Runs]]:
    """The figure's panels: the paper's problems in its order, then any others."""
    known = [setting.problem for setting in runs.all_settings]
    rank = {name: position for position, name in enumerate(PROBLEMS)}
    names = sorted(dict.fromkeys(known), key=lambda name: (rank.get(name.split(":")[0], len(rank)), known.index(name)))
    return [(name, runs.select(problem=name)) for name in names]


def of_mode(runs: Runs, mode: str) -> Runs:
    """The runs of a mode, with those to which modes mean nothing."""
    return Runs(tuple(run for run in runs if run.settings["mode"] in (mode, "")))


def reproduction_report(
    runs: Runs,
    scaling: Sequence[Scaling] = (),
    facts: Mapping[str, str] | None = None,
    *,
    queries: int | None = None,
) -> tuple[Report, dict[str, list[Claim]]]:
    """The document, and the claims for each mode. `facts` says how it was run: seed, solver, versions, machine."""
    modes = [mode for mode in MODES if len(runs.select(mode=mode))]
    modes += [
        mode
        for mode in dict.fromkeys(str(setting["mode"]) for setting in runs.all_settings)
        if mode and mode not in MODES
    ]
    checked: dict[str, list[Claim]] = {}
    blocks: list[Block] = []
    for mode in modes or [""]:
        chosen = of_mode(runs, mode)
        # Measurements of inference know nothing of modes; they are judged once.
        checked[mode] = check_claims(chosen, scaling if not checked else ())
        if len(checked) > 1:
            checked[mode] = [claim for claim in checked[mode] if claim.key not in ("growing-gap", "full-impractical")]
        blocks += _mode_section(mode, chosen, checked[mode], queries)
    if scaling:
        blocks += _scaling_section(scaling)
    if facts:
        blocks += [Heading("How it was run"), ResultTable("RunSettings", ("what", "value"), list(facts.items()))]
    blocks += [Heading("How to read this"), Bullets(READING)]
    return Report("The paper's experiments, run again", _summary(checked), blocks), checked


READING = (
    "Lines are means over users, bands one standard deviation, cut at zero. Where a run has stopped, its last regret "
    "is carried on and it costs no more time.",
    "Regret is measured on complete configurations, against the best configuration known for each user. Where that is "
    "not proven to be the optimum, a hatched band reaches up to what the regret could at most be.",
    "Intervals are 95 % confidence intervals over users; tests are paired, user by user. A verdict looks at the whole "
    "interval: 'holds in part' also stands where the data cannot decide.",
    "Tables can be sorted by their headings.",
)


def _summary(checked: Mapping[str, Sequence[Claim]]) -> str:
    said = []
    for mode, claims in checked.items():
        counted = Counter(claim.verdict.value for claim in claims)
        words = ", ".join(f"{number} × {verdict}" for verdict, number in counted.items())
        said.append(f"{MODES[mode][0] if mode in MODES else mode or 'claims'}: {words}")
    return "Verdicts on the paper's empirical claims. " + "; ".join(said) + "."


def _mode_section(mode: str, runs: Runs, claims: Sequence[Claim], queries: int | None) -> list[Block]:
    title, words = MODES.get(mode, (f"Mode '{mode}'" if mode else "Results", ""))
    panels = paper_panels(runs)
    blocks: list[Block] = [Heading(title)]
    if words:
        blocks.append(Paragraph(words))
    if panels:
        caption = (
            "Regret on complete configurations (above) and cumulative learner time (below) over the queries: mean and "
            "standard deviation over users."
        )
        blocks.append(FigureBlock(f"results-{mode or 'all'}", paper_figure(panels, queries), caption))
    blocks += [Heading("Claims", 3), claims_table(claims), findings_table(claims), Heading("Numbers", 3)]
    for _, chosen in panels:
        found = compare_group(chosen, "regret", queries)
        blocks.append(found.summary_table())
        if found.differences:
            blocks.append(found.difference_table())
        if found.notes:
            blocks.append(Bullets(found.notes))
    return blocks


def _scaling_section(scaling: Sequence[Scaling]) -> list[Block]:
    rows = []
    for side in sorted({entry.side for entry in scaling}):
        here = [entry for entry in scaling if entry.side == side]
        full = float(np.median([entry.seconds_full for entry in here]))
        part = float(np.median([entry.seconds_part for entry in here]))
        limited = sum(entry.limited for entry in here)
        rows.append((f"{side}×{side}", side * side, full, part, full / part, f"{limited} of {len(here)}"))
    titles = ("grid", "cells", "full (s)", "one part (s)", "full / part", "stopped by a limit")
    caption = "Median inference time by the size of the grid; dots are single measurements, with the same solver."
    return [
        Heading("Inference as the problem grows"),
        FigureBlock("scaling", scaling_figure(scaling), caption),
        ResultTable("Median inference time", titles, rows),
    ]


def comparison_report(comparisons: Sequence[Comparison], width: float = WIDTH) -> Report:
    """The comparisons as a document."""
    blocks: list[Block] = []
    for number, found in enumerate(comparisons, 1):
        picture = comparison_figure(found.runs, found.column, found.queries, found.heading or found.title, width)
        caption = "Mean over users; the band is one standard deviation. Where a run has stopped, it is carried on."
        blocks += [Heading(found.title), FigureBlock(f"comparison-{number}", picture, caption), found.summary_table()]
        blocks += [found.difference_table(), *(Paragraph(note) for note in found.notes)]
    summary = (
        "Queries to 10 % and 1 %: the median over users of the first query at which the regret is down to that share "
        "of the user's first regret; a dash where most never get there. Effect: −1 to 1, positive where the first run "
        "has the larger values."
    )
    return Report("Comparison of runs", summary, blocks)
