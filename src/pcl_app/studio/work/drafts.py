"""What a page shows of a draft, in one go: what would come of it, what is possible beside it, and what else there is."""

import time
from collections.abc import Callable, Mapping, Sequence

from pcl_app.studio.fields import read_all, written
from pcl_app.studio.work.commands import JsonData, view
from pcl_app.studio.work.live import Live
from pcl_core.elicitation import Elicitation, PossibleData, Preview, Query, Surroundings, possible_data
from pcl_core.errors import InfeasibleError, PclError
from pcl_core.ir import AnyVariable, BoolVariable, IntVariable, Value
from pcl_core.json_form import plain
from pcl_core.model import Configuration

SECONDS = 0.25
"""For the reasons why values are impossible: those not found by then are not said."""
MOST_RANKED = 12
MOST_LIMITS = 2
SAME = 1e-9


def page(
    live: Live, part: str | None, fields: Mapping[str, str], completed: Sequence[str], ranked: str | None = None
) -> JsonData:
    """The question and the whole around it, as `view`, and what is known of the draft in the fields of a page."""
    seen = view(live, part)
    try:
        drafted = draft(live, fields, completed, ranked)
    except PclError as error:
        drafted = {**draft(live, {}, ()), "refused": error.data()}
    return {**seen, "draft": drafted}


def draft(live: Live, fields: Mapping[str, str], completed: Sequence[str], ranked: str | None = None) -> JsonData:
    """What would come of the values in `fields`; those named in `completed` may change again, `ranked` has others."""
    it = live.elicitation
    query = it.waiting
    if query is None:
        return {}
    variables = it.problem.variables
    names = {f"v{at}": variable.name for at, variable in enumerate(variables)}
    values = read_all([{"name": it.name, "kind": _kind(it)} for it in variables], fields)
    completed, ranked = [names.get(field, "") for field in completed], names.get(ranked or "")
    known = {name: value for name, value in values.items() if name in query.proposal}
    filled = [name for name in completed if name in known]
    given = {name: value for name, value in known.items() if name not in filled and value != query.proposal[name]}
    preview = it.preview(given, {name: known[name] for name in filled})
    around = {} if preview.broken else dict(given)
    possible = {name: _possible(it, name, around) for name in query.proposal} if len(query.parts) < 3 else {}
    found: JsonData = {
        "preview": preview.data() if preview.changes else None,
        "completed": [name for name in filled if preview.values[name] != query.proposal[name]],
        "possible": plain(possible),
        "forbidden": _forbidden(it, query, given, possible),
        "conflict": _conflict(it, preview),
        "like": _like(it, preview, query),
        "limits": _limits(it, query, preview),
    }
    if ranked is not None and ranked in query.proposal:
        standing = plain(preview.values[ranked])
        alternatives = _alternatives(it, query, preview, ranked, possible)
        found |= {"ranked": ranked, "standing": standing, "alternatives": alternatives}
    return found


def _kind(variable: AnyVariable) -> str:
    return "truth" if isinstance(variable, BoolVariable) else "number" if isinstance(variable, IntVariable) else "label"


def _possible(it: Elicitation, name: str, given: Mapping[str, object]) -> PossibleData:
    around = {key: value for key, value in given.items() if key != name}
    return possible_data(lambda: it.possible(name, around))


def _forbidden(
    it: Elicitation, query: Query, given: Mapping[str, object], possible: Mapping[str, PossibleData]
) -> dict[str, dict[str, list[str]]]:
    """For values that are impossible: the constraints that they break beside what stands."""
    until, found = time.monotonic() + SECONDS, dict[str, dict[str, list[str]]]()
    for name, allowed in possible.items():
        if not isinstance(allowed, list):
            continue
        variable = it.problem.symbols.variables[name]
        values: list[Value] = [] if isinstance(variable, IntVariable) else list(variable.values())
        if isinstance(variable, IntVariable):  # the reason for the nearest says enough
            numbers = [int(each) for each in allowed] or [variable.lower]
            values = [each for each in (min(numbers) - 1, max(numbers) + 1) if variable.holds(each)]
        for value in values:
            if value in allowed or time.monotonic() > until:
                continue
            broken = it.preview({**given, name: value}).broken
            found.setdefault(name, {})[written(value)] = [each.name for each in broken]
    return found


def _conflict(it: Elicitation, preview: Preview) -> list[str]:
    """Where nothing completes the draft, not even with room elsewhere: as few constraints as can be that are in its way."""
    if not preview.broken or preview.completable is not False:
        return []
    near = preview.nearest
    if near is not None and all(near[name] == value for name, value in preview.given.items()):
        return []
    try:
        it.complete(preview.given)
    except InfeasibleError as error:
        return list(error.conflict)
    except PclError:
        return [each.name for each in preview.broken]
    return []


def _like(it: Elicitation, preview: Preview, query: Query) -> JsonData | None:
    """Where else the same could be done."""
    if not preview.changes or not preview.tellable or len(query.parts) > 1:
        return None
    try:
        found = it.like({change.variable: change.after for change in preview.changes}).data()
    except PclError:  # no other part has such variables
        return None
    return found


def _limits(it: Elicitation, query: Query, preview: Preview) -> list[JsonData]:
    """What in the part itself is near a limit, with the draft in it."""
    if len(query.parts) > 1:
        return []
    around, values = Surroundings(it.problem), {**query.configuration, **preview.values}
    near = plain(around.limits(query.part_position, values)[:MOST_LIMITS])
    assert isinstance(near, list)
    return near


def _alternatives(
    it: Elicitation, query: Query, preview: Preview, name: str, possible: Mapping[str, PossibleData]
) -> list[JsonData]:
    """Other values of a variable, the best by what is known first, with the figures and values that they would move."""
    allowed = possible.get(name)
    standing: Configuration = {**query.configuration, **preview.values}
    features, weights = it.oracle.features, it.weights
    here = float(weights @ features.values(standing))
    found: list[JsonData] = []
    given = {key: value for key, value in preview.given.items() if key != name}
    for value in allowed[: 2 * MOST_RANKED] if isinstance(allowed, list) else ():
        if value == standing[name]:
            continue
        other = it.preview({**given, name: value})
        put = other.values if not other.broken else other.completion
        if put is None:
            continue
        gain = float(weights @ features.values({**standing, **put})) - here
        figures = [
            {"label": after.label, "by": float(after.value) - float(before.value)}
            for before, after in zip(preview.summary, other.summary, strict=True)
            if before.value != after.value and not isinstance(after.value, bool)
        ]
        changes = [
            {"variable": key, "label": "", "before": plain(standing[key]), "after": plain(changed)}
            for key, changed in put.items()
            if key != name and changed != standing[key]
        ]
        better = 0 if abs(gain) <= SAME * max(1.0, abs(here)) else 1 if gain > 0 else -1
        found.append(
            {"value": plain(value), "gain": gain, "better": better, "figures": figures[:3], "changes": changes[:3]}
        )
    found.sort(key=lambda each: -float(each["gain"]))
    return found[:MOST_RANKED]


def unsure_at_first(live: Live) -> JsonData:
    """How far from nothing each liking could be before the person said anything, by feature and family."""
    it = live.elicitation
    return dict(Elicitation(it.problem, oracle=it.oracle, settings=it.settings).taste().deviations)


PAGES: dict[str, Callable[..., JsonData]] = {"page": page, "unsure_at_first": unsure_at_first}
"""By name: what a worker does for pages."""
