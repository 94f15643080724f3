"""Do the same elsewhere: one correction at like places of other parts, seen before it is said."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pcl_core.elicitation.changes import Change, find_changes
from pcl_core.elicitation.events import Repeated
from pcl_core.elicitation.session import Conversation
from pcl_core.elicitation.speaking import without_query
from pcl_core.errors import Code, InfeasibleError, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.json_form import JsonForm
from pcl_core.model.assignment import fitting, names, refusal
from pcl_core.model.configuration import Configuration, FrozenConfiguration, read_configuration
from pcl_core.model.labels import Labels
from pcl_core.model.problem import Problem


@dataclass(frozen=True)
class Place(JsonForm):
    """Another part in which there are like variables."""

    FORM: ClassVar[tuple[str, ...]] = ("part", "values", "changes", "refused", "conflict")
    part: str
    values: FrozenConfiguration
    """What would stand there; nothing if it cannot be."""
    changes: tuple[Change, ...]
    """What of that is not there already."""
    refused: str = ""
    """Why it cannot be, in words."""
    conflict: tuple[str, ...] = ()
    """The constraints that are in the way."""


@dataclass(frozen=True)
class Elsewhere(JsonForm):
    """A correction, and what comes of it in each other part that has like variables."""

    FORM: ClassVar[tuple[str, ...]] = ("values", "places")
    values: FrozenConfiguration
    """The correction."""
    places: tuple[Place, ...]

    @property
    def everything(self) -> Configuration:
        """All that would stand elsewhere."""
        return {name: value for place in self.places for name, value in place.values.items()}


class RepeatsElsewhere(Conversation):
    """An elicitation in which a person may say: do the same elsewhere."""

    def like(self, values: Mapping[str, object] | None = None, only: Iterable[str] | None = None) -> Elsewhere:
        """What `everywhere` would do once these values are told. Nothing changes."""
        return self._found(values, only, drafted=True)

    def _found(self, values: Mapping[str, object] | None, only: Iterable[str] | None, drafted: bool) -> Elsewhere:
        self._refuse_after_stop()
        if self._rules.settings.mode != "people":
            message = "corrections are repeated elsewhere only where what a person says stays"
            raise RequestError(Issue(Code.UNSUPPORTED, message, "use the mode 'people'"))
        problem = self.problem
        given = read_configuration(problem, self._last_correction() if values is None else values, partial=True)
        parts = sorted({problem.structure.part_of_variable[name] for name in given})
        if len(parts) != 1:
            message = "a correction to repeat is of one part" if parts else "there is no correction to repeat"
            raise RequestError(Issue(Code.BAD_VALUE, message, "give the values of one part"))
        named = (
            None if only is None else [problem.part_position(name) for name in names(only, "the parts to repeat it in")]
        )
        places = tuple(self._places(given, parts[0], named, given if drafted else {}))
        if not places:
            message = f"no other part has a variable like '{next(iter(given))}'"
            raise RequestError(Issue(Code.BAD_VALUE, message, "say a rule, or correct the other parts one by one"))
        return Elsewhere(FrozenConfiguration(given), places)

    def everywhere(self, values: Mapping[str, object] | None = None, only: Iterable[str] | None = None) -> Elsewhere:
        """Do the same elsewhere: what she put at some places of one part is put at the like places of other parts.

        Whatever stands there gives way to it: she says what she wants, not what she replaced. Like places have the same
        name and indices but for those that name the part: `plan[mon,2]` and `plan[tue,2]`. By default it is her last
        correction, and all other parts, but for those where she said something else; parts that she names in `only` give
        up what she said there before, though not what she pinned. The values are hers from now on. Where it cannot be, all
        of the part is left as it is, and the result says why. It counts as one query; an open one is taken back.
        """
        found = self._found(values, only, drafted=False)
        if not found.everything:
            reasons = "; ".join(f"{place.part}: {place.refused}" for place in found.places)
            conflict = tuple(dict.fromkeys(name for place in found.places for name in place.conflict))
            raise InfeasibleError(Issue(Code.INFEASIBLE, f"this can be nowhere else: {reasons}"), conflict)
        query = without_query(self._rules, self._state, counting=False).queries + 1
        self._journal.add(Repeated(at=self._now(), query=query, values=found.everything))
        return found

    def _last_correction(self) -> Configuration:
        """What she changed in a part in her last answer that changed something."""
        where, made = self.problem.structure.part_of_variable, self._state.corrections
        return {
            it.variable: it.after
            for it in made
            if (it.query, where[it.variable]) == (made[-1].query, where[made[-1].variable])
        }

    def _places(
        self, given: Configuration, source: int, named: Sequence[int] | None, told_first: Configuration
    ) -> Iterable[Place]:
        """Part after part; what fits in one is there when the next is looked at, and so is what she is about to tell."""
        state = without_query(self._rules, self._state, counting=False)
        problem, proposer = self.problem, self._proposer
        standing: Configuration = {**state.configuration, **told_first}
        labels = proposer.oracle.problem.constraint_labels
        called = Labels(problem)
        places = {name: called.place(name) for name in given}
        for part in range(len(problem.parts)):
            there = {called.place(name): name for name in problem.parts[part].variables}
            wanted = {there[place]: given[name] for name, place in places.items() if place in there}
            if part == source or len(wanted) < len(given) or (named is not None and part not in named):
                continue
            name, drafted = problem.parts[part].name, {**standing, **wanted}
            hers = state.pins if named is not None else {**self._rules.held(state, part), **state.pins}
            refused = _unfit(problem, wanted) or _said_otherwise(wanted, hers, state.pins)
            conflict = () if refused else proposer.broken(state, [part], drafted)
            if conflict:
                refused = f"not allowed: {', '.join(labels.get(it) or it for it in conflict)}"
            if refused:
                yield Place(name, FrozenConfiguration(), (), refused, conflict)
            else:
                yield Place(name, FrozenConfiguration(wanted), find_changes(problem, standing, wanted))
                standing = drafted


def _unfit(problem: Problem, wanted: Mapping[str, Value]) -> str:
    for name, value in wanted.items():
        if fitting(problem.symbols.variables[name], value) is None:
            return refusal(problem.symbols.variables[name], value)[0]
    return ""


def _said_otherwise(wanted: Mapping[str, Value], hers: Mapping[str, Value], pins: Mapping[str, Value]) -> str:
    for name, value in wanted.items():
        if hers.get(name, value) != value:
            return f"'{name}' is pinned to {hers[name]}" if name in pins else f"you said that {name} is {hers[name]}"
    return ""
