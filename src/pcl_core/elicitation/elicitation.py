"""Ask and tell: the object that simulated users, the terminal and web pages drive.

    while (query := week.ask()) is not None:
        week.tell(query.improve({"plan[tue,2]": "running"}))

What was told is on disk before `tell` returns. An answer that cannot be taken raises a `RequestError` and changes
nothing.
"""

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pcl_core.elicitation.elsewhere import RepeatsElsewhere
from pcl_core.elicitation.events import Answered, Asked, Confirmed, Further, Stopped, Undone, Withdrawn
from pcl_core.elicitation.file_store import Log
from pcl_core.elicitation.journal import Journal
from pcl_core.elicitation.overview import Overview
from pcl_core.elicitation.pairs import LooksFurther
from pcl_core.elicitation.preview import Drafts
from pcl_core.elicitation.proposing import Proposer
from pcl_core.elicitation.query import ANSWER_KINDS, Answer, Query
from pcl_core.elicitation.session import ProblemsInForce
from pcl_core.elicitation.settings import FOR_PEOPLE, Settings, generator_for
from pcl_core.elicitation.setup import Start, Strategies, first_event, make_rules, oracle_for
from pcl_core.elicitation.state import Learned, OpenQuery, State
from pcl_core.elicitation.taste import Taste, taste_of
from pcl_core.errors import Code, Issue, PclError, RequestError, suggest
from pcl_core.model.assignment import names, of_type
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Vector
from pcl_core.model.problem import Problem
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Options


class Elicitation(Overview, Drafts, RepeatsElsewhere, LooksFurther):
    """One person, one problem."""

    def __init__(
        self,
        problem: Problem,
        *,
        backend: str = "auto",
        options: Options | None = None,
        settings: Settings | None = None,
        recipe: str | None = None,
        start: Start | None = None,
        weights: Vector | Sequence[float] | None = None,
        log: Log | None = None,
        oracle: Oracle | None = None,
        strategies: Strategies | None = None,
        taste: Taste | None = None,
        clock: Callable[[], float] = time.time,
        _journal: Journal | None = None,
    ) -> None:
        """`start` is x^1 (see `Start`), `weights` is w^1 (zero). An `oracle` can be shared to share what it compiled.

        `log` is a store, or the path of a file; without one, events are kept in memory. A store that is given is closed
        by `close`, and stays open if this fails. A `taste` is what was learned of the same person before: it gives x^1
        and w^1 where these are not given, and her rules, as far as they can hold here; `report` names those that cannot.

        How to elicit is said by a `recipe`, by `settings`, or not at all: then by the recipe for people.
        """
        if settings is not None and recipe is not None:
            message = "settings and a recipe are two ways to say how to elicit"
            raise RequestError(Issue(Code.BAD_VALUE, message, "give one; Settings.of(recipe, ...) changes a recipe"))
        self.oracle = oracle_for(problem, backend, options, oracle)
        self._clock = clock
        chosen = Settings.of(recipe or FOR_PEOPLE) if settings is None else of_type(settings, Settings, "settings")
        self._journal = _journal or Journal.begin(
            make_rules(self.oracle, chosen, strategies),
            first_event(self.oracle, chosen, start, weights, taste, self._now()),
            log,
        )
        self._problems = ProblemsInForce(self.oracle, self._journal.rules)
        self._seconds = 0.0
        if taste is not None and _journal is None:
            self._keep_rules(taste)

    def _keep_rules(self, taste: Taste) -> None:
        """Her rules of last time; what cannot hold here is reported."""
        dropped = []
        for rule in taste.rules:
            try:
                self._add_rule(rule.kind, rule.variables, rule.values, rule.count, rule.each, carried=True)
            except PclError:
                dropped.append(rule.words)
        if dropped:
            self._journal.report = f"of your rules these cannot hold here: {'; '.join(dropped)}"

    @classmethod
    def resume(
        cls,
        log: Log,
        problem: Problem,
        *,
        backend: str = "auto",
        options: Options | None = None,
        oracle: Oracle | None = None,
        strategies: Strategies | None = None,
        clock: Callable[[], float] = time.time,
    ) -> "Elicitation":
        """Go on from a log. Nothing is solved again; `report` says if a torn last line had to be dropped."""
        oracle = oracle_for(problem, backend, options, oracle)
        return cls(problem, oracle=oracle, clock=clock, _journal=Journal.resume(log, oracle, strategies))

    @property
    def finished(self) -> bool:
        """Whether there is nothing more to ask; the certificate says whether that is because nothing can be improved."""
        return self._state.stopped or (self._state.open is None and self._rules.finished(self._state))

    def ask(self, part: str | None = None) -> Query | None:
        """The open query, or the next one; None when nothing is left to improve, or after `stop`.

        `part` chooses the next one; an open query about another part, or about several, is taken back unanswered.
        """
        chosen = None if part is None else self.problem.part_position(part)
        state = self._state
        opened = state.open
        if state.stopped or (chosen is None and opened is None and self._rules.finished(state)):
            return None
        if opened is not None:
            if chosen is None or opened.parts == (chosen,):
                return self._query()
            self._journal.add(Withdrawn(at=self._now(), query=opened.query))
            state = self._state
        further = chosen is None and state.looks_further
        asked = self._asked_further(state) if further else self._asked(state, chosen)
        self._journal.add(asked)
        return None if isinstance(asked, Further) else self._query()

    def _asked(self, state: State, chosen: int | None) -> Asked:
        """The next query: a part, or all that have to be looked at together before the certificate."""
        rules, proposer, number = self._rules, self._problems.under(state.own_rules).proposer, state.queries + 1
        parts = rules.problem.parts
        settled = partial(proposer.is_settled, state)
        look = (rules.as_last_time(state) or rules.last_look(state, settled)) if chosen is None else ()
        if look:
            self._seconds = 0.0
            return self._asked_to_look(state, look)
        moved: Configuration = {}
        before = state.configuration
        if chosen is None:
            if moved := proposer.jump(state):
                state = rules.after_jump(state, moved, number)
                settled = partial(proposer.is_settled, state)
            generator = generator_for(rules.settings.seed, number)
            chosen = rules.select(state, generator, partial(proposer.expected, state), settled)
        found = proposer.propose(state, chosen, proposer.pinned(state, chosen))
        assert found is not None, "what stands there is allowed, so something is"
        self._seconds = found.seconds
        part, changes = parts[chosen], found.changes
        further: dict[str, Any] = {"suggestion": found.suggestion} if found.suggestion else {}
        if found.guesses:
            further["guesses"] = found.guesses
        if moved:
            proposal = {**state.configuration, **found.changes}
            changes = {name: proposal[name] for name in part.variables if proposal[name] != before[name]}
            further["moved"] = {name: value for name, value in moved.items() if name not in part.variables}
        return Asked(at=self._now(), query=number, part=part.name, changes=changes, proven=found.proven, **further)

    def _asked_to_look(self, state: State, look: Sequence[int]) -> Asked:
        """A look at some parts together, and at two that may gain together."""
        found = self._to_look_at_together(state)
        pair = () if found is None else found.pair
        shown = [self.problem.parts[part].name for part in sorted({*look, *pair})]
        further: dict[str, Any] = {"together": [self.problem.parts[part].name for part in pair]} if pair else {}
        if found is not None and found.changes:
            further["suggestion"] = found.changes
        return Asked(
            at=self._now(), query=state.queries + 1, part=shown[0], parts=shown, changes={}, proven=True, **further
        )

    def tell(self, answer: Answer) -> Learned | None:
        """Take an answer. Returns what was learned from it; None for a skipped query."""
        opened = self._open()
        if not isinstance(answer, Answer):
            hint = "make one with accept(), improve(), take() or skip() of the query"
            raise RequestError(Issue(Code.BAD_VALUE, f"{answer!r:.60} is not an answer", hint))
        answer.refuse_wrong_types()
        if answer.query != opened.query:
            message = f"the answer is to another query than {opened.query}, which is open"
            raise RequestError(Issue(Code.STALE_ANSWER, message, "ask, and answer that query"))
        if answer.kind not in ANSWER_KINDS:
            hint = suggest(str(answer.kind), ANSWER_KINDS)
            raise RequestError(Issue(Code.BAD_VALUE, f"there is no answer '{answer.kind!s:.60}'", hint))
        state = self._state
        proposer = self._problems.under(state.own_rules).proposer
        proposal, shown = state.configuration, answer.shown
        own = proposer.variables(*opened.parts)
        if shown is not None and [*map(shown.get, own)] != [*map(proposal.get, own)]:
            message = f"the answer is to another proposal than query {opened.query} makes now"
            raise RequestError(Issue(Code.STALE_ANSWER, message, "ask again, and answer what is proposed"))
        if answer.kind == "taken" and not opened.suggestion:
            raise RequestError(Issue(Code.BAD_VALUE, "nothing is suggested here", "accept or improve what is proposed"))
        said: dict[str, Any] = {"answer": "skipped" if answer.kind == "skipped" else "accepted"}
        if answer.kind == "skipped" and self.settings.mode == "people":
            said["back"] = True
        if answer.kind in ("improved", "taken"):
            values = opened.suggestion if answer.kind == "taken" else answer.values
            found = proposer.improvement(state, opened, values)
            if answer.final or answer.completed:
                said["kept"] = [it for it in values if it not in found.changes and it not in answer.completed]
            if found.changes or self._is_better_so(answer, opened, own):
                said |= {"answer": "improved", "changes": found.changes, "moved": found.moved}
                said["final"] = answer.final and answer.kind == "improved"
                # A completion around her values may have changed nothing. With a final answer all is then as she said it;
                # else she gave her values to a completion all the same, and they are hers.
                said["completed"] = [it for it in answer.completed if it in found.changes or not answer.final]
        event = Answered(at=self._now(), query=opened.query, **said)
        if foretold := proposer.foretold(state, event):
            event = event.model_copy(update={"foretold": foretold})
        return self._journal.add(self._with_cuts(event, opened.parts, state, proposer)).learned

    def _is_better_so(self, answer: Answer, opened: OpenQuery, own: Sequence[str]) -> bool:
        """Whether an answer that is not final says that what her pins made of the proposal is better.

        Where people's words last, that confirms nothing: something is better, which is not that all is right. Who gives
        back just what was proposed at first has nothing better, and accepts it.
        """
        before, now = opened.baseline_configuration, self._state.configuration
        return self.settings.mode == "people" and not answer.final and any(before[name] != now[name] for name in own)

    def confirm(self, parts: Sequence[str] | None = None) -> None:
        """Several parts are right as they stand; all of them, if none are named. It counts as one query.

        A proposal that waits for an answer is not part of it.
        """
        self._refuse_after_stop()
        waiting = () if self._state.open is None else self._state.open.parts
        named = [part.name for part in self.problem.parts] if parts is None else names(parts, "the parts to confirm")
        positions = [position for position in map(self.problem.part_position, named) if position not in waiting]
        if not positions:
            raise RequestError(Issue(Code.BAD_VALUE, "there is no part to confirm", "answer the open query"))
        said = dict.fromkeys(self.problem.parts[position].name for position in positions)
        event = Confirmed(at=self._now(), query=self._state.queries + 1, parts=list(said))
        self._journal.add(self._with_cuts(event, positions, self._state, self._proposer))

    def _with_cuts(
        self, event: Answered | Confirmed, parts: Sequence[int], state: State, proposer: Proposer
    ) -> Answered | Confirmed:
        """The event with what the learner needs to learn from it, worked out now: replay never solves."""
        cuts = proposer.cuts(state, event, parts)
        if len(parts) == 2:
            cuts = self._with_joint_cuts(event, cuts)
        return event.model_copy(update={"cuts": cuts}) if cuts else event

    def undo(self) -> None:
        """Take back the last answer, pin, unpin or rule; its query is open again."""
        try:
            self._journal.undo(Undone(at=self._now()))
        except ValueError:
            raise RequestError(Issue(Code.NOTHING_TO_UNDO, "there is nothing to take back")) from None

    def stop(self) -> None:
        """No more queries."""
        if not self._state.stopped:
            self._journal.add(Stopped(at=self._now()))

    def refresh(self) -> int:
        """Take in what others told meanwhile, where a log has several writers; returns how many events that is.

        Whoever is told `log-moved-on` was not first, and nothing changed: refresh, and ask again.
        """
        return self._journal.refresh()

    def taste(self) -> Taste:
        """What was learned of her so far, for a later elicitation of this problem or one like it."""
        return taste_of(self._rules, self._state)

    def close(self) -> None:
        """Let others write to the log. Everything told is on disk already, and nothing more can be told."""
        self._journal.close()
