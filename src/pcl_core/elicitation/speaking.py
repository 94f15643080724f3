"""How what a person says beside her answers changes what is known: pins, rules of her own, repeated corrections."""

from typing import TYPE_CHECKING

from pcl_core.elicitation.events import Further, Pinned, Repeated, RuleAdded, RuleRemoved, Unpinned
from pcl_core.elicitation.state import Learned, State, corrected, standing_in
from pcl_core.learn import Improvement
from pcl_core.model.configuration import Configuration
from pcl_core.model.own_rules import broken_rules, read_rule

if TYPE_CHECKING:
    from pcl_core.elicitation.rules import Rules


def without_query(rules: "Rules", state: State, counting: bool = True) -> State:
    """The open query is taken back unanswered, and so is its proposal, unless the person pinned something in it.

    What had moved in other parts for it stays, where that is allowed beside what the part had before. Else it goes back
    too; or all stays as it was proposed, where parts were confirmed beside it meanwhile.

    One that does not count leaves its number to the next.
    """
    opened = state.open
    if opened is None:
        return state._replace(learned=None)
    before, alone = opened.origin, state.queries == opened.query
    found = state._replace(open=None, learned=None)
    if state.pins == before.pins and state.configuration != before.configuration:
        own = [name for part in opened.parts for name in rules.problem.parts[part].variables]
        back = {name: before.configuration[name] for name in own}
        configuration, units = rules.with_changes(state, opened.parts, back, state.pins)
        jumped = configuration != before.configuration
        allowed = not jumped or _is_allowed(rules, state, configuration)
        if alone:
            found = before._replace(queries=state.queries, asked=state.asked, learned=None)
        if allowed and (jumped or not alone):
            progress = found.progress.changed(state.queries)
            found = found._replace(configuration=configuration, units=units, progress=progress)
    return found if counting or not alone else found._replace(queries=opened.query - 1, asked=before.asked)


def _is_allowed(rules: "Rules", state: State, configuration: Configuration) -> bool:
    return not rules.features.violated_by_some([configuration]) and not broken_rules(state.own_rules, configuration)


def after_pinning(rules: "Rules", state: State, event: Pinned) -> State:
    """The rest of the proposal is completed around what is pinned."""
    opened = rules.opened(state, event.query)
    where = rules.problem.structure.part_of_variable
    if outside := [name for name in event.values if where.get(name) not in opened.parts]:
        raise ValueError(f"'{outside[0]}' is not in the part in question")
    others = {name: value for name, value in state.pins.items() if name not in event.values}
    proposal, units = rules.with_changes(state, opened.parts, event.changes, others)
    if moved := [name for name, value in event.values.items() if proposal[name] != value]:
        raise ValueError(f"'{moved[0]}' is not what it was pinned to")
    progress = state.progress
    for part in {where[name] for name in event.values}:
        progress = progress.doubted(part)
    return state._replace(
        configuration=proposal,
        units=units,
        pins={**state.pins, **event.values},
        spoken=standing_in(proposal, state.spoken),
        corrections=(*state.corrections, *corrected(event.query, state.configuration, event.values)),
        progress=progress.changed(event.query) if event.changes else progress,
        open=opened._replace(proven=event.proven, suggestion={}, guesses={}),  # these did not know of the pin
    )


def after_unpinning(rules: "Rules", state: State, event: Unpinned) -> State:
    """Something else may be better there now."""
    if event.variable not in state.pins:
        raise ValueError(f"'{event.variable}' is not pinned")
    pins = {name: value for name, value in state.pins.items() if name != event.variable}
    part = rules.problem.structure.part_of_variable[event.variable]
    return state._replace(pins=pins, progress=state.progress.doubted(part), learned=None)


def after_rule(rules: "Rules", state: State, event: RuleAdded | RuleRemoved) -> State:
    """A new rule only takes alternatives away, so what is confirmed and still stands stays confirmed.

    Without a rule there are more again: known facts decide which of the parts that it touched are still closed.
    """
    before = without_query(rules, state, counting=False)
    return _added(rules, before, event) if isinstance(event, RuleAdded) else _removed(rules, before, event)


def _added(rules: "Rules", state: State, event: RuleAdded) -> State:
    bound = read_rule(rules.problem, event.kind, event.variables, event.values, event.count, event.each)
    if bound in state.own_rules:
        raise ValueError(f"the rule '{bound.rule.words:.80}' is there already")
    parts = range(len(rules.problem.parts))
    configuration, units = rules.with_changes(state, parts, event.changes, state.pins)
    own_rules = (*state.own_rules, bound)
    if broken := broken_rules(own_rules, configuration):
        raise ValueError(f"the rule '{broken[0].words:.80}' does not hold")
    progress = state.progress
    for part in sorted({rules.problem.structure.part_of_variable[name] for name in event.changes}):
        progress = progress.doubted(part).changed(state.queries)
    return state._replace(
        configuration=configuration,
        units=units,
        own_rules=own_rules,
        progress=progress,
        spoken={name: value for name, value in state.spoken.items() if event.changes.get(name, value) == value},
        typed={name: value for name, value in state.typed.items() if event.changes.get(name, value) == value},
        skipped=frozenset(),
        unsure=False,
    )


def _removed(rules: "Rules", state: State, event: RuleRemoved) -> State:
    if not 0 <= event.number < len(state.own_rules):
        raise ValueError(f"there is no rule number {event.number}")
    gone, progress = state.own_rules[event.number], state.progress
    for position, part in enumerate(rules.problem.parts):
        if gone.touches(part.variables):
            progress = progress.doubted(position)
    left = (*state.own_rules[: event.number], *state.own_rules[event.number + 1 :])
    return state._replace(own_rules=left, progress=progress, skipped=frozenset(), unsure=False)


def after_further(state: State, event: Further) -> State:
    """She wants to look further than the certificate goes."""
    if state.open is not None or not state.progress.all_confirmed:
        raise ValueError("looking further is for after the certificate")
    return state._replace(further=event.most, skipped_pairs=frozenset(), learned=None)


def after_repeating(rules: "Rules", state: State, event: Repeated) -> State:
    """The values are hers. She says of each place that they are better there: a lesson a part, in their order.

    Facts follow from two configurations that differ in one part, so there are none.
    """
    before = without_query(rules, state, counting=False)
    if event.query != before.queries + 1:
        raise ValueError(f"query {event.query} cannot be answered here")
    where = rules.problem.structure.part_of_variable
    if strange := [name for name in event.values if name not in where]:
        raise ValueError(f"there is no variable '{strange[0]:.80}'")
    changes = {name: value for name, value in event.values.items() if before.configuration[name] != value}
    after, learner, facts, progress = before, before.learner, before.facts, before.progress
    for part in sorted({where[name] for name in changes}):
        own = {name: value for name, value in changes.items() if where[name] == part}
        configuration, units = rules.with_changes(after, (part,), own, before.pins)
        worse, better = rules.features.to_values(after.units), rules.features.to_values(units)
        learner = learner.after(Improvement(event.query, part, worse, better))
        facts, progress = facts.doubting(part), progress.doubted(part).changed(event.query)
        after = after._replace(configuration=configuration, units=units)
    return after._replace(
        queries=event.query,
        learner=learner,
        facts=facts,
        progress=progress,
        spoken={**before.spoken, **event.values},
        typed={**before.typed, **event.values},
        corrections=(*before.corrections, *corrected(event.query, before.configuration, event.values)),
        skipped=frozenset(),
        unsure=False,
        learned=Learned(False, "none", before.units, after.units, after.configuration, len(changes)),
    )
