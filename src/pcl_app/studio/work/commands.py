"""What can be done with an elicitation, each command a function: plain data in, plain data out.

All of them run in a worker process. What a command returns is made of the core's JSON forms.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from pcl_app.sentences import ON_A_PAGE, answer_in_words, certainty_in_words, open_again
from pcl_app.studio.errors import refused
from pcl_app.studio.work.live import Live
from pcl_core.elicitation import Answer, Elicitation, PossibleData, Query, possible_data
from pcl_core.json_form import plain
from pcl_core.learn import Standing

JsonData = dict[str, Any]


def look(live: Live) -> JsonData:
    """The whole: how each part stands, what holds, what was said. Nothing is asked by looking."""
    it, kept = live.elicitation, live.kept
    certificate, learned, misfit = it.certificate, it.learned, it.misfit
    waiting = it.waiting
    return {
        "id": kept.id,
        "title": kept.title,
        "problem": kept.problem,
        "uploaded": kept.uploaded,
        "label": it.problem.label or it.problem.name,
        "created": kept.created,
        "events": it.events,
        "finished": it.finished,
        "stopped": it.stopped,
        "queries": it.queries,
        "configuration": it.configuration,
        "confirmed": list(it.confirmed),
        "certificate": None if certificate is None else certificate.data(),
        "certainty": certainty_in_words(it, ON_A_PAGE),
        "query": None if waiting is None else waiting.number,
        "parts": [part.data() for part in it.parts],
        "rules": [rule.data() for rule in it.rules],
        "pins": plain(it.pins),
        "summary": plain(it.summary),
        "learned": None if learned is None else learned.data(),
        "misfit": None if misfit is None else misfit.data(),
        "history": [told.data() for told in it.history],
        "report": it.report,
        "settings": it.settings.model_dump(),
    }


def ask(live: Live, part: str | None = None) -> JsonData | None:
    query = live.elicitation.ask(part)
    return None if query is None else query_data(query)


def query_data(query: Query) -> JsonData:
    """Its JSON form. What is possible in many parts together takes long and is left open: whoever wants it asks."""
    many = len(query.parts) > MOST_POSSIBLE
    return query.data_around({"possible": dict.fromkeys(query.proposal)}) if many else query.data()


def view(live: Live, part: str | None = None) -> JsonData:
    """What a page shows: the question, and the whole around it."""
    query = ask(live, part)
    return {"query": query, "look": look(live)}


def answer(live: Live, said: Mapping[str, Any]) -> JsonData:
    """Take an answer. The same answer to the same query, sent again, counts once, unless an undo opened the query again."""
    it, store, given = live.elicitation, live.store, Answer.from_data(said)
    request = _fingerprint(given)
    waiting = it.waiting
    if waiting is None or waiting.number != given.query:
        earlier = [told for told in it.history if told.query == given.query and told.kind in ANSWERS]
        if earlier and store.request_of(earlier[-1].number) == request:
            return {**_outcome(it, ["this was told already, and counts once"]), "repeated": True, "learned": None}
        message = f"query {given.query} is not open: another answer came first, or it was taken back"
        raise refused(409, "stale-answer", message, "ask, and answer what is asked now")
    before = it.standing_before
    store.said = request
    try:
        learned = it.tell(given)
    finally:
        store.said = None
    said_of_it = answer_in_words(it, waiting, given, learned, before)
    return {**_outcome(it, said_of_it), "repeated": False, "learned": None if learned is None else learned.data()}


MOST_POSSIBLE = 2
"""Of how many parts a question says at once what is possible in them."""
ANSWERS = ("improved", "accepted", "skipped")


def confirm(live: Live, parts: list[str] | None = None) -> JsonData:
    return _changing(live.elicitation, lambda it: it.confirm(parts))


def add_rule(live: Live, rule: Mapping[str, Any]) -> JsonData:
    found: JsonData = {}
    outcome = _changing(live.elicitation, lambda it: found.update(it.add_rule(**rule).data()))
    return {**outcome, **found}


def preview_rule(live: Live, rule: Mapping[str, Any]) -> JsonData:
    return live.elicitation.preview_rule(**rule).data()


def remove_rule(live: Live, number: int) -> JsonData:
    return _changing(live.elicitation, lambda it: it.remove_rule(number))


def pin(live: Live, values: Mapping[str, object]) -> JsonData:
    """Hold values. Of a part that is not in question, it is asked about first."""
    it = live.elicitation
    _ask_about(it, values)
    query = it.pin(values)
    return {**_outcome(it, []), "query": query_data(query)}


def unpin(live: Live, variable: str) -> JsonData:
    return _changing(live.elicitation, lambda it: it.unpin(variable))


def complete(live: Live, values: Mapping[str, object]) -> JsonData:
    return {"values": plain(live.elicitation.complete(values))}


def preview(live: Live, values: Mapping[str, object], completed: Mapping[str, object]) -> JsonData:
    return live.elicitation.preview(values, completed).data()


def possible(live: Live, values: Mapping[str, object], variable: str | None = None) -> JsonData:
    """What each variable of the part in question may be around the other values of a draft."""
    it = live.elicitation
    waiting = it.waiting
    wanted = [variable] if variable is not None else [] if waiting is None else list(waiting.proposal)

    def found(name: str) -> PossibleData:
        around = {key: value for key, value in values.items() if key != name}
        return possible_data(lambda: it.possible(name, around))

    return {"possible": {name: found(name) for name in wanted}}


def undo(live: Live) -> JsonData:
    return _changing(live.elicitation, lambda it: it.undo())


def stop(live: Live) -> JsonData:
    return _changing(live.elicitation, lambda it: it.stop())


def look_further(live: Live, most: int) -> JsonData:
    return _changing(live.elicitation, lambda it: it.look_further(most))


def everywhere(live: Live, values: Mapping[str, object] | None, only: list[str] | None) -> JsonData:
    found: JsonData = {}
    outcome = _changing(live.elicitation, lambda it: found.update(it.everywhere(values, only).data()))
    return {**outcome, **found}


def like(live: Live, values: Mapping[str, object] | None, only: list[str] | None) -> JsonData:
    return live.elicitation.like(values, only).data()


def taste(live: Live) -> JsonData:
    return live.elicitation.taste().data()


def log(live: Live) -> JsonData:
    return {"events": live.store.read()}


COMMANDS: dict[str, Callable[..., JsonData | None]] = {
    command.__name__: command
    for command in (
        *(
            look,
            ask,
            view,
            answer,
            confirm,
            add_rule,
            preview_rule,
            remove_rule,
            pin,
            unpin,
            complete,
            preview,
            possible,
        ),
        *(undo, stop, look_further, everywhere, like, taste, log),
    )
}
"""By name: what a worker does with an elicitation."""


def _changing(it: Elicitation, do: Callable[[Elicitation], object]) -> JsonData:
    before: dict[str, Standing] = it.standing_before
    do(it)
    waiting = it.waiting  # an undo opens its question again, and that is what is shown
    return _outcome(it, open_again(it, () if waiting is None else waiting.parts, before))


def _outcome(it: Elicitation, said: list[str]) -> JsonData:
    return {"events": it.events, "queries": it.queries, "finished": it.finished, "said": said}


def _ask_about(it: Elicitation, values: Mapping[str, object]) -> None:
    waiting, where = it.waiting, it.problem.structure.part_of_variable
    known = [name for name in values if name in where]
    if known and (waiting is None or known[0] not in waiting.proposal):
        it.ask(it.problem.parts[where[known[0]]].name)


def _fingerprint(answer: Answer) -> str:
    """Tells one answer from another, whatever the order of its values."""
    said = [answer.query, answer.kind, dict(answer.values), answer.final, sorted(answer.completed)]
    return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()
