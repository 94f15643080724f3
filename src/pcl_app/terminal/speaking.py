"""What a person says of more than the part in question: rules of her own, the same elsewhere, several at once, two together."""

from collections.abc import Callable

from pcl_app.sentences import confirmed, open_again
from pcl_app.terminal.looking import Looking
from pcl_app.terminal.rule_lines import RuleReader
from pcl_app.terminal.words import fold
from pcl_core.elicitation import Change, Query, Ruling
from pcl_core.errors import Code, Issue, RequestError

MAX_CHANGES = 3
FURTHER = 10
"""So many questions about two parts at once are asked at most before she is asked whether she wants more."""


class Speaking(Looking):
    """Commands that change parts beside the one in question. An open query is taken back by them, and asked anew."""

    _warned = ""
    """The rule that would change what she said: told, and done if she says it again."""

    def _rule(self, kind: str) -> Callable[[str], None]:
        def say(text: str) -> None:
            self._without_draft(kind.replace("_", " "))
            part = None if self._query is None else self._part_in_question()
            line = RuleReader(self._elicitation.problem, self._names).read(kind, text, part)
            said = f"{kind} {fold(text)}"
            ruling = self._worker.run(lambda: self._elicitation.preview_rule(*line))
            if ruling.against and said != self._warned:
                self._warned = said
                self._changes(ruling.changes, "this would change")
                self._view.say("that is against what you said before; say it again, and it is done", "yellow")
                return
            self._elicitation.add_rule(*line)
            self._ruled(ruling)

        return say

    def _ruled(self, ruling: Ruling) -> None:
        """What it changed, and what is shown otherwise from now on: what nobody has spoken for may move along.

        What is new in the part in question is marked there.
        """
        elicitation, before = self._elicitation, self._standing
        ruled, self._warned = elicitation.configuration, ""
        changed = {change.variable: change.before for change in ruling.changes}
        stood = {**ruled, **changed}
        self._view.say(f"from now on: {ruling.rule.words}", "green")
        again, self._standing = open_again(elicitation, (), before), elicitation.standing
        self._query = self._worker.run(elicitation.ask)
        new = set() if self._query is None else {change.variable for change in self._query.changes} - changed.keys()
        now = {name: value for name, value in elicitation.configuration.items() if stood[name] != value}
        now = {name: value for name, value in now.items() if name not in new}
        if now:
            self._view.say(f"so: {self._view.screen.moves(stood, now, MAX_CHANGES)}")
        for sentence in again:
            self._view.say(sentence)
        if self._query is not None:
            self._again("")

    def _changes(self, changes: tuple[Change, ...], beginning: str) -> None:
        if changes:
            before = {change.variable: change.before for change in changes}
            after = {change.variable: change.after for change in changes}
            self._view.say(f"{beginning}: {self._view.screen.moves(before, after, MAX_CHANGES)}")

    def _rules(self, _: str) -> None:
        rules = self._elicitation.rules
        for number, rule in enumerate(rules, start=1):
            self._view.say(f"{number}  {rule.words}")
        self._view.say("'remove 1' takes the first away" if rules else "there are no rules of your own", "dim")

    def _remove(self, text: str) -> None:
        self._without_draft("remove")
        rules = self._elicitation.rules
        if not text.isdecimal() or not 1 <= int(text[:9]) <= len(rules):
            hint = f"they are numbered from 1 to {len(rules)}" if rules else "there are none"
            raise RequestError(Issue(Code.BAD_VALUE, f"there is no rule '{text[:40]}'", hint))
        before = self._standing
        rule = self._elicitation.remove_rule(int(text) - 1)
        self._query = None
        self._view.say(f"no longer: {rule.words}", "green")
        for sentence in open_again(self._elicitation, (), before):
            self._view.say(sentence)

    def _everywhere(self, text: str) -> None:
        """Her last correction at the like places of all other parts, or of those that she names."""
        self._without_draft("everywhere")
        only = [self._names.find_part(word) for word in text.replace(",", " ").split()] or None
        before, elicitation = self._standing, self._elicitation
        found = self._worker.run(lambda: elicitation.everywhere(only=only))
        self._query = None
        self._changes(tuple(change for place in found.places for change in place.changes), "the same elsewhere")
        for place in found.places:
            if place.refused:
                self._view.say(f"not in {self._names.part_labels[place.part]}: {place.refused}", "yellow")
        self._view.say(f"these values are yours now: {confirmed(elicitation)}", "green")
        for sentence in open_again(elicitation, (), before):
            self._view.say(sentence)

    def _confirm(self, text: str) -> None:
        """Several at once. A question that waits is not among them."""
        elicitation, words = self._elicitation, text.replace(",", " ").split()
        parts = None if fold(text) == "all" else [self._names.find_part(word) for word in words]
        self._worker.run(lambda: elicitation.confirm(parts))
        self._standing = elicitation.standing
        self._view.say(confirmed(elicitation), "green")
        if self._query is not None and not elicitation.finished:
            self._view.say(f"{self._query.label} waits for your answer: 'accept' if it is right, too")

    def _offer(self) -> None:
        """What can still be done at the end."""
        elicitation = self._elicitation
        if elicitation.can_look_further:
            self._view.say("'further' asks about two at once, which may be better if both of them change.")
        example = elicitation.problem.parts[0].name
        opens = "" if elicitation.stopped else f"'ask {self._names.part_labels[example]}' opens one again; "
        self._view.say(f"{opens}'taste' keeps what you like for another time; 'undo' goes back; Enter leaves.")

    def _further(self, _: str) -> None:
        if not self._elicitation.can_look_further:
            hint = "it is for after the certificate" if self._elicitation.certificate is None else "all was looked at"
            raise RequestError(Issue(Code.STALE_ANSWER, "there is nothing to look further at", hint))

        def work() -> Query | None:
            self._elicitation.look_further(FURTHER)
            return self._elicitation.ask()

        self._query = self._worker.run(work)
        if self._query is None:
            self._view.say("I know of no two that could be better together.", "green")
        else:
            self._standing = self._elicitation.standing
            self._again("")
