"""How an improvement changes what is known where people's words last (`people`)."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pcl_core.elicitation.events import Answered
from pcl_core.elicitation.state import Learned, OpenQuery, State, corrected, standing_in
from pcl_core.ir.domains import Value
from pcl_core.ir.vector import Integers
from pcl_core.learn import Improvement
from pcl_core.learn.perceptron import update_of
from pcl_core.model.configuration import Configuration

if TYPE_CHECKING:
    from pcl_core.elicitation.people import PeopleRules


def after_improving(
    rules: "PeopleRules",
    state: State,
    opened: OpenQuery,
    event: Answered,
    improvement: Configuration,
    units: Integers,
    changed: Sequence[str],
    kept: Configuration,
) -> State:
    """An improvement. A fact follows only from two configurations that differ in one part.

    Where room was made elsewhere, she compared nothing that differs in her values alone: that teaches nothing. A pin says
    nothing of what it does not allow, so what she improved is what she was shown around her pins. `kept` is what she gave
    as it had been proposed.
    """
    where = rules.problem.structure.part_of_variable
    # A pin in a look at several parts changed what stands there too.
    parts = sorted({where[name] for name in (*event.changes, *changed)})
    worse, better = rules.features.to_values(opened.baseline), rules.features.to_values(units)
    one = parts[0] if len(parts) == 1 and not event.moved else None
    learner, facts, heard = state.learner, state.facts, None
    if changed and not event.moved:
        learner = rules.taught(learner, Improvement(event.query, parts[0], worse, better, event.final))
    if one is not None and event.changes:
        heard = facts.improving(one, state.units[rules.own[one]], units[rules.own[one]])
        facts = heard.facts
    else:
        for part in parts:
            facts = facts.doubting(part)
    progress = state.progress
    for part in parts:
        progress = progress.doubted(part)
    if improvement != state.configuration:
        progress = progress.changed(event.query)
    gains = {part: float(np.linalg.norm((better - worse)[rules.own[part]])) for part in parts}
    typed = {name: value for name, value in event.changes.items() if name not in event.completed} | kept
    learned = Learned(
        False,
        "none" if learner is state.learner else update_of(learner),
        opened.baseline,
        units,
        improvement,
        len(changed),
        event.final,
        dict(event.moved),
        0 if heard is None else len(heard.dropped),
        heard is not None and heard.inexplicable,
    )
    return state._replace(
        configuration=improvement,
        units=units,
        learner=learner,
        facts=facts,
        progress=progress,
        gained=tuple(sum_ + gains.get(part, 0.0) for part, sum_ in enumerate(state.gained)),
        largest=max(state.largest, *gains.values()),
        spoken=standing_in(improvement, {**state.spoken, **(typed if event.final or event.completed else {})}),
        typed={**state.typed, **typed},
        corrections=(*state.corrections, *corrected(event.query, state.configuration, typed)),
        misses=_missed(rules, state, opened, parts),
        learned=learned,
        remembered=_still_remembered(rules, state, opened, parts),
        outgrown=state.outgrown.union(parts),
    )


def _still_remembered(
    rules: "PeopleRules", state: State, opened: OpenQuery, improved: Sequence[int]
) -> Mapping[str, Value]:
    """What she improves is not what she wants now. Where that is so more often than not, nothing of it counts.

    What she left as it was, of several parts that she saw together, was not wrong.
    """
    wrong, seen = state.outgrown.union(improved), {*opened.parts, *state.chosen_from}
    if len(wrong) > max(1, len(seen - wrong), len(state.progress.ever - wrong)):
        return {}
    own = {name for part in improved for name in rules.problem.parts[part].variables}
    return {name: value for name, value in state.remembered.items() if name not in own}


def _missed(rules: "PeopleRules", state: State, opened: OpenQuery, parts: Sequence[int]) -> dict[int, int]:
    """Proposals that she had to improve, counted where they had changed something."""
    before, shown = opened.origin.configuration, opened.baseline_configuration
    wrong = [p for p in parts if any(before[name] != shown[name] for name in rules.problem.parts[p].variables)]
    return {**state.misses, **{part: state.misses.get(part, 0) + 1 for part in wrong}}
