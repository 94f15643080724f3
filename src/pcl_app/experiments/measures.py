"""Measures: what is recorded of every query. Each is defined once, here, with all that others need to know of it.

From this table follow the columns of traces, how a curve is made of one, its axis and its words in figures and
comparisons, and the page of the documentation. A new measure is one entry, and its line on that page.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from pcl_core.analysis import Step

ALWAYS = object()
"""In place of a value: whatever was recorded has this measure."""


@dataclass(frozen=True, slots=True)
class Measure:
    """A column of traces, or a sum of some."""

    name: str
    type: Literal["int32", "float64", "string", "bool"]
    meaning: str
    label: str = ""
    """Of an axis, and of what is compared; empty: it is no curve."""
    of: Callable[[Step], object] | None = None
    """From a query; None: the field of the same name."""
    parts: tuple[str, ...] = ()
    """The columns that it is the sum of; it is then not a column itself."""
    summed: bool = False
    """Whether a curve adds up from the first query. Otherwise the last value is carried on where a run has stopped."""
    least: float | None = 0.0
    most: float | None = None
    """Bounds that no value passes, for axes and bands."""
    finite: bool = False
    may_be_empty: bool = False
    """Whether a file may lack some values: as other programs write them, or of people who have no utility."""
    repeats: bool = True
    """Whether the same seed gives the same value."""
    before: object = ALWAYS
    """The value in what was recorded before this measure was there."""

    def value(self, step: Step) -> object:
        return getattr(step, self.name) if self.of is None else self.of(step)


# fmt: off
MEASURES = {measure.name: measure for measure in (  # a table reads best as one
    Measure("query", "int32", "t, from 1 without gaps"),
    Measure("part", "string", "the part in question; `everything` for coactive learning, all parts of a look at several",
            of=lambda step: ",".join(step.parts or (step.part,)), may_be_empty=True),
    Measure("conditional_regret", "float64", "how much better the part could be in its context",
            "regret within the part", may_be_empty=True),
    Measure("utility", "float64", "true utility of the configuration with the proposal in it", "utility", least=None,
            may_be_empty=True),
    Measure("utility_improved", "float64",
            "true utility with the improvement in it; equal to `utility` where nothing was improved",
            "utility of the improvement", least=None, may_be_empty=True),
    Measure("regret", "float64", "utility of the best configuration found, less `utility`",
            "regret on complete configurations", finite=True, may_be_empty=True),
    Measure("regret_bound", "float64", "the same with the proven bound; equal where the optimum is proven",
            "regret, at most", finite=True, may_be_empty=True),
    Measure("satisfied", "bool", "whether the user could not improve the part", "share of satisfied users", most=1.0),
    Measure("update", "string", "which weights moved: `I`, `J` or `none`", may_be_empty=True),
    Measure("zeta", "float64", "the gain on I without J that an update of J misses; 0 for other updates", "ζ",
            least=None, may_be_empty=True),
    Measure("changed_variables", "int32", "how many variables the user changed",
            "variables changed by the user, in all", summed=True),
    Measure("shown_variables", "int32", "how many she saw: those of the part and of its local context",
            "variables shown to the user, in all", summed=True),
    Measure("seconds_infer", "float64", "time to find the proposal", "cumulative inference time (s)", summed=True,
            finite=True, repeats=False),
    Measure("seconds_update", "float64", "the rest of the learner's time; the user's time is not counted",
            "cumulative update time (s)", summed=True, finite=True, repeats=False),
    Measure("certified", "bool", "whether the elicitation ended here with a certificate", "share of certified runs",
            most=1.0),
    Measure("context_variables", "int32", "how many of these were context", "variables shown as context, in all",
            summed=True),
    Measure("values_typed", "int32", "how many values she gave", "values typed, in all", summed=True, before=None,
            may_be_empty=True),
    Measure("values_undone", "int32", "how many values that she had given are shown differently now",
            "typed values undone, in all", summed=True, before=None, may_be_empty=True),
    Measure("final", "bool", "whether she improved the part and said that nothing in it is better still", before=False),
    Measure("seconds", "float64", "all of the learner's time", "cumulative learner time (s)",
            parts=("seconds_infer", "seconds_update"), summed=True, repeats=False),
)}
# fmt: on
RECORDED_MEASURES = {name: measure for name, measure in MEASURES.items() if not measure.parts}
CURVES = tuple(name for name, measure in MEASURES.items() if measure.label)


def row_of(step: Step) -> dict[str, object]:
    """A query as a row of traces, without who was asked; what is not a number is nothing."""
    values = {name: measure.value(step) for name, measure in RECORDED_MEASURES.items()}
    return {name: None if value != value else value for name, value in values.items()}
