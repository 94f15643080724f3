"""The report on how recipes serve people."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from pcl_app.experiments.judge.people import (
    RECIPE_WORDS,
    Crowd,
    definite_in_short,
    definite_table,
    linear_in_short,
    linear_table,
    others_table,
)
from pcl_app.experiments.judge.tables import ResultTable, shown
from pcl_app.experiments.show.figures import COLOURS, DASHES, Picture, drawn
from pcl_app.experiments.show.report import Block, Bullets, FigureBlock, Heading, Report

MOST_PANELS = 6
PANELS_A_ROW = 3
USUAL_ALPHA = 0.3
TICKS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
SUMMARY = (
    "How many questions four recipes need until a person is finished, and what she has to type for that. 'For people' is "
    "the default of pcl. 'A plain form' never changes anything by itself and learns nothing. 'Improvements kept' and 'the "
    "paper's' learn by the paper's perceptron."
)
READING = (
    "A question is one answer: a part that is right, a part that is corrected, or one look at several parts at the end.",
    "Finished: with a certificate, within the questions that there were. Over so many questions: these ran out for most (of "
    "definite people: for some). Where somebody ends without a certificate, since what is wrong cannot be mended in what she "
    "is shown together at the end, the mean is of the others.",
    "Undone: how often a value that she had typed was shown otherwise later.",
    "Not satisfied: certified, and yet she would change something.",
    "Left: how much better the whole could be, in percent of how much better it could be at the first question. To 10 % and "
    "to 1 %: the first question at which the mean over people is down to that.",
    "The paper's recipe ends after two passes in which nothing was improved, the others when everything is confirmed.",
    "Intervals are 95 % confidence intervals over people: of Student for means, by bootstrap for medians and shares.",
)


def in_short(crowds: Sequence[Crowd]) -> list[ResultTable]:
    """What everybody should know: a table for definite people, and one for linear ones."""
    definite, usual = [crowd for crowd in crowds if crowd.definite], _typical(crowds)
    return [*([definite_in_short(definite)] if definite else ()), *([linear_in_short(usual)] if usual else ())]


def people_report(crowds: Sequence[Crowd], description: Mapping[str, Any]) -> Report:
    """The tables in short, the figure, all numbers, and how they came about (the description in `run.json`)."""
    named = [crowd for crowd in crowds if crowd.definite]
    usual = [crowd for crowd in crowds if crowd.usual]
    others = [crowd for crowd in crowds if not crowd.definite and not crowd.usual]
    caption = "The share of people who are finished, by the number of questions that they were asked."
    panels = [*_panels(named), *_typical(crowds)][:MOST_PANELS]
    blocks: list[Block] = [Heading("In short"), *in_short(crowds)]
    blocks += [Heading("Questions needed"), FigureBlock("questions-needed", finished_figure(panels), caption)]
    if named:
        blocks += [Heading("People who want something definite"), definite_table(named, "Means over people")]
    if usual:
        blocks += [Heading("People with a linear utility"), linear_table(usual, "By how much their answers gain (α)")]
    if others:
        blocks += [Heading("People who answer otherwise"), others_table(others, "What is left after so many questions")]
    blocks += [Heading("How to read this"), Bullets(READING)]
    blocks += [Heading("How it was run"), ResultTable("Settings", ("what", "value"), _facts(description))]
    return Report("People first: how few questions", SUMMARY, blocks)


def _typical(crowds: Sequence[Crowd]) -> list[Crowd]:
    """Linear people in short: those with the middle α, where there are some."""
    usual = [crowd for crowd in crowds if crowd.usual]
    return [crowd for crowd in usual if crowd.alpha == USUAL_ALPHA] or usual


def _facts(description: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Of what the description has."""
    machine, cells = description.get("machine", {}), description.get("cells", {})
    return [
        ("experiment", str(description.get("experiment", "–"))),
        ("date", str(description.get("created", "–"))[:10]),
        ("versions", ", ".join(f"{name} {version}" for name, version in description.get("versions", {}).items())),
        ("machine", f"{machine.get('processor', '–')}, {machine.get('cores', '–')} cores"),
        ("simulated people", f"{cells.get('done', '–')} of {cells.get('all', '–')} were run to their end"),
        ("seeds", ", ".join(map(str, description.get("seeds", ())))),
        ("certificates that somebody is not satisfied with", str(description.get("unsatisfied_certificates", "–"))),
    ]


def _panels(crowds: Sequence[Crowd]) -> list[Crowd]:
    """Of the definite people one kind for each problem: the one of whom there are most."""
    found: dict[str, Crowd] = {}
    for crowd in crowds:
        kept = found.get(crowd.problem)
        if kept is None or len(crowd.served[0].users) > len(kept.served[0].users):
            found[crowd.problem] = crowd
    return list(found.values())


def finished_figure(crowds: Sequence[Crowd]) -> Picture:
    """For each kind of people, and each recipe, the share that is finished over the questions."""
    rows = -(-len(crowds) // PANELS_A_ROW)

    def draw(figure: Any) -> None:
        grid = figure.subplots(rows, min(PANELS_A_ROW, len(crowds)), squeeze=False, sharey=True)
        for axes in grid.flat[len(crowds) :]:
            axes.set_visible(False)
        for axes, crowd in zip(grid.flat, crowds, strict=False):
            axes.set_title(crowd.title)
            last = max(one.run.queries for one in crowd.served)
            for number, recipe in enumerate(RECIPE_WORDS):
                one = crowd.by(recipe)
                if one is None:
                    continue
                share = 100 * one.curve("certified", last).mean(axis=0)
                look = {"color": COLOURS[number], "linestyle": DASHES[number], "linewidth": 2.2 if not number else 1.5}
                axes.step(range(1, last + 1), share, where="post", label=RECIPE_WORDS[recipe], **look)
            axes.set_xscale("log")  # few and many questions are told apart alike
            axes.set_xlim(1, max(2, last))
            axes.minorticks_off()
            axes.set_xticks([tick for tick in TICKS if tick <= last], [str(tick) for tick in TICKS if tick <= last])
            axes.set_ylim(0, 103)
        for axes in grid[:, 0]:
            axes.set_ylabel("finished, % of people")
        for axes in grid.flat[max(0, len(crowds) - grid.shape[1]) : len(crowds)]:
            axes.set_xlabel("questions")
        handles, labels = grid.flat[0].get_legend_handles_labels()
        figure.legend(handles, labels, loc="outside lower center", ncols=4, frameon=False, handlelength=3.2)

    said = []
    for crowd in crowds:
        medians = [f"{RECIPE_WORDS[one.recipe]} {shown(_middle(one.questions.median))}" for one in crowd.served]
        said.append(f"{crowd.title}: {', '.join(medians)}")
    return drawn(draw, (7.8, 2.6 * rows + 0.4), f"Questions until half of the people are finished. {'; '.join(said)}.")


def _middle(median: float | None) -> str:
    return "never" if median is None or not np.isfinite(median) else f"{median:g}"
