"""What was learned of a person: her strongest likes and dislikes, in words and with what is uncertain about them."""

from collections.abc import Mapping
from dataclasses import dataclass

from pcl_app.studio.forms import ProblemForm, TasteForm
from pcl_app.studio.views.naming import capital
from pcl_core.wording import ANY, split_name

MOST = 8
SURE = 2.0
"""A liking of so many standard deviations is said plainly."""
SMALL = frozenset({"in", "of", "on", "at", "for", "the", "a", "an", "to", "by", "from", "with", "and"})


@dataclass(frozen=True)
class LikingView:
    """Something that counts for her, or against it, beside how far from that it may be."""

    label: str
    words: str
    strength: float
    """In standard deviations of what was thought possible before anything was known."""
    spread: float
    sure: bool

    def bar(self, widest: float) -> tuple[float, float, float, float]:
        """Start and length of the bar, and the ends of its uncertainty, in percent around 50."""
        scale = 48 / widest
        ends = [max(-49.0, min(49.0, (self.strength + side * self.spread) * scale)) for side in (-1, 1)]
        length = self.strength * scale
        return 50 + min(0.0, length), abs(length), 50 + ends[0], 50 + ends[1]


def likings_of(
    problem: ProblemForm, taste: TasteForm, before: Mapping[str, float], most: int = MOST
) -> tuple[LikingView, ...]:
    """The strongest, by families of features where there are some. `before` is how unsure all was at the start."""
    labels = {it["name"]: it["label"] for it in problem["features"]}
    families = {name for name in taste["weights"] if ANY in split_name(name)[1]}
    members = {family: [name for name in labels if _belongs(name, family)] for family in families}
    inside = {name for own in members.values() for name in own}
    found = []
    for name, weight in taste["weights"].items():
        prior = before.get(name) or 0.0
        if name in inside or prior <= 0.0:
            continue
        label = labels.get(name) or common([labels[it] for it in members.get(name, [])]) or name
        strength, spread = weight / prior, min(1.0, taste["deviations"].get(name, prior) / prior)
        sure = abs(strength) >= SURE * spread
        likes = "like" if strength > 0 else "dislike"
        words = f"you {likes} this" if sure else f"you seem to {likes} this"
        found.append(LikingView(capital(label), words, strength, spread, sure))
    found.sort(key=lambda it: (-abs(it.strength) / max(it.spread, 0.05), it.label))
    return tuple(it for it in found[:most] if abs(it.strength) > 1e-3)


def widest(likings: tuple[LikingView, ...]) -> float:
    return max((abs(it.strength) + it.spread for it in likings), default=1.0)


def _belongs(name: str, family: str) -> bool:
    array, indices = split_name(name)
    known, pattern = split_name(family)
    return (
        array == known
        and len(indices) == len(pattern)
        and all(p in (ANY, i) for p, i in zip(pattern, indices, strict=True))
    )


def common(labels: list[str]) -> str:
    """The words that all labels have, in their order: `power for arms` of `power for arms on mon` and its like."""
    if not labels:
        return ""
    shared = set(labels[0].split()).intersection(*(label.split() for label in labels))
    kept: list[str] = []
    for word in [*labels[0].split(), ""]:
        if word in shared:
            kept.append(word)
            continue
        while kept and kept[-1].casefold() in SMALL:  # what it led to is gone
            kept.pop()
    return " ".join(kept)
