"""How each part stands, in a word and a sign."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pcl_app.studio.forms import Look, PartForm
from pcl_app.studio.views.naming import capital


@dataclass(frozen=True)
class StandingView:
    """Of a part: one word for its looks, and the same in words."""

    part: str
    label: str
    state: str
    """`asked`, `closed`, `again` or `new`."""
    words: str
    own: Mapping[str, object]
    closed: bool = False
    """Whether it is as she wants it, also while it is in question once more."""
    again: bool = False
    """Whether it was, and is to be looked at again; it may be in question now."""


@dataclass(frozen=True)
class ProgressView:
    """How much is as the person wants it."""

    done: int
    parts: tuple[StandingView, ...]

    @property
    def total(self) -> int:
        return len(self.parts)

    @property
    def again(self) -> int:
        return sum(part.again for part in self.parts)

    @property
    def words(self) -> str:
        more = f", {self.again} to look at again" if self.again else ""
        return f"{self.done} of {self.total} as you want them{more}"


BY = {
    "word": "as you want it",
    "look": "as you want it, by the last look",
    "facts": "as you want it, by what you said before",
}


def standings_of(parts: Sequence[PartForm]) -> dict[str, StandingView]:
    """For each part, by its name."""
    return {it["part"]: _standing(it) for it in parts}


def _standing(part: PartForm) -> StandingView:
    state = {"closed": "closed", "open": "again", "new": "new"}[part["standing"]]
    words = {"again": "to be looked at again", "new": "not confirmed yet"}.get(state, "")
    if state == "closed":
        at = "" if part["query"] is None else f" (question {part['query']})"
        words = BY[part["by"] or "word"] + at
    closed, again = state == "closed", state == "again"
    if part["asked"]:
        state, words = "asked", f"in question now; {words}" if closed else "in question now"
    return StandingView(part["part"], capital(part["label"]), state, words, part["own"], closed, again)


def progress_of(standings: Mapping[str, StandingView]) -> ProgressView:
    parts = tuple(standings.values())
    return ProgressView(sum(part.closed for part in parts), parts)


def meaning_of(look: Look) -> str:
    """What the end means, in one sentence."""
    total = len(look["parts"])
    if look["certificate"] is None:
        return look["certainty"][0] if look["certainty"] else "There is nothing more to ask."
    if total == 1:
        return "By your own word, nothing in it could be better for you."
    pairs = len(look["certificate"]["pairs"])
    more = f", nor would {pairs} of the pairs that were looked at, changed together" if pairs else ""
    return f"By your own word, all {total} parts are right: changing any one of them alone would be no better for you{more}."
