"""What learners may know before the first answer, computed where one looks at it: from the problem and the start alone."""

from dataclasses import dataclass
from functools import cached_property

from pcl_core.alternatives.listing import Listing
from pcl_core.alternatives.spread import feature_spread
from pcl_core.learn import Prior, Vector
from pcl_core.model.configuration import Configuration
from pcl_core.model.names import feature_families
from pcl_core.model.problem import Problem


@dataclass(frozen=True, kw_only=True)
class ProblemPrior(Prior):
    """The prior of an elicitation; nothing in it is solved for, so a log is replayed with the same."""

    problem: Problem
    start: Configuration
    """x^1"""

    @cached_property
    def spread(self) -> Vector:
        return feature_spread(Listing.shared(self.problem), self.start, self.families)

    @cached_property
    def families(self) -> tuple[int, ...]:
        return feature_families(self.problem)
