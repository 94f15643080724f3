"""Fifty-nine people who want something definite. Whoever wrote them down had not read how pcl guesses what people want."""

from collections.abc import Mapping

from benchmarks.written.computers import PC_EXACT, PC_RULES
from benchmarks.written.making import Wishes
from benchmarks.written.menus import MEALS_EXACT, MEALS_RULES
from benchmarks.written.trips_and_flats import FLAT_EXACT, TRIP_EXACT
from benchmarks.written.weeks import TRAINING_EXACT, TRAINING_RULES

EXACT: Mapping[str, Mapping[str, Wishes]] = {
    "training": TRAINING_EXACT,
    "pc": PC_EXACT,
    "meals": MEALS_EXACT,
    "trip": TRIP_EXACT,
    "flat": FLAT_EXACT,
}
"""By problem, who wants exactly one configuration."""
BY_RULES: Mapping[str, Mapping[str, Wishes]] = {"training": TRAINING_RULES, "pc": PC_RULES, "meals": MEALS_RULES}
"""By problem, who has rules."""
