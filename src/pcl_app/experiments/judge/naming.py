"""What runs and problems are called in a comparison."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pcl_app.experiments.record.runs import Run, Runs
from pcl_core.errors import Code, Issue, RequestError


@dataclass(frozen=True, slots=True)
class Naming:
    """What runs and problems are called in tables and figures, where that is not what they are called anyway."""

    labels: tuple[str, ...] = ()
    """For each run, in the order of the folders; or for each run of a comparison, the same in all of them."""
    titles: Mapping[str, str] = field(default_factory=dict)
    """By problem."""

    def of(self, groups: Sequence[Sequence[Run]]) -> list[Runs]:
        """The groups with their labels, which are then one for each run."""
        said, everything = self.labels, [run for group in groups for run in group]
        if not said:
            return [Runs(tuple(group)) for group in groups]
        if len(set(said)) < len(said) or not all(said):
            raise RequestError(Issue(Code.BAD_VALUE, "labels tell runs apart, so each stands once and says something"))
        if len(said) == len(everything):
            by_run = dict(zip(everything, said, strict=True))
            return [Runs(tuple(group), tuple(by_run[run] for run in group)) for group in groups]
        if {len(group) for group in groups} != {len(said)}:
            known = ", ".join(f"'{label}'" for label in Runs(tuple(everything)).labels())
            message = f"there are {len(said)} labels, and {len(everything)} runs: {known}"
            raise RequestError(Issue(Code.BAD_VALUE, message, "give one for each, in this order, separated by commas"))
        return [Runs(tuple(group), said) for group in groups]
