"""Why a proposal is as it is, in words about values: what a person put in or took out before, and where.

    less running, because you took it out of mon and tue

A change of hers and a change that is proposed are alike if they move the same thing the same way: a value that some
variables have (running), or a number at like places of parts (the sofas of a room). Such a sentence is said only
where the change counts for the proposal by what is believed: a likeness that had no part in it is no reason.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from pcl_core.elicitation.changes import Change
from pcl_core.elicitation.state import Correction
from pcl_core.ir.domains import CategoricalVariable, Value
from pcl_core.model.labels import Labels
from pcl_core.model.problem import Problem
from pcl_core.wording import in_a_row

MAX_SENTENCES = 2


@dataclass(frozen=True)
class _Thing:
    """What a change moves: a value, or a number at a place that several parts have."""

    place: tuple[str, ...]
    value: Value | None = None


def because_of_values(
    problem: Problem,
    corrections: Sequence[Correction],
    kept: Mapping[str, Value],
    changes: Sequence[Change],
    part: str,
    counts: Callable[[str], bool],
) -> tuple[str, ...]:
    """Sentences for changes of a part that are like corrections, or like what she kept in parts that she confirmed.

    `counts` says whether a change counts for the proposal.
    """
    if not (corrections or kept) or not changes:
        return ()
    labels = Labels(problem)
    hers: dict[_Thing, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for correction in corrections:
        for thing, way in _moves(problem, labels, correction.variable, correction.before, correction.after):
            hers[thing][labels.part_of(correction.variable).name] += way
    proposed: dict[_Thing, list[tuple[Change, int]]] = defaultdict(list)
    for change in changes:
        for thing, way in _moves(problem, labels, change.variable, change.before, change.after):
            proposed[thing].append((change, way))
    found: list[tuple[int, str]] = []
    for thing, moves in proposed.items():
        net = sum(way for _, way in moves)
        moving = [change for change, way in moves if way * net > 0]
        if not any(counts(change.variable) for change in moving):
            continue
        like = [name for name, way in hers.get(thing, {}).items() if way * net > 0]
        unlike = [name for name, way in hers.get(thing, {}).items() if way * net < 0]
        if len(like) > len(unlike):
            where = in_a_row([("here" if name == part else labels.parts[name]) for name in like])
            found.append((2 * len(like) * abs(net), _sentence(labels, thing, moving[0], net, where)))
        elif not unlike and (seen := _seen(labels, thing, moving[0], net, kept)):
            found.append((1, f"{_more(labels, thing, moving[0])}, as in {in_a_row(seen)}, which you confirmed"))
    found.sort(key=lambda said: -said[0])
    return tuple(sentence for _, sentence in found[:MAX_SENTENCES])


def _seen(labels: Labels, thing: _Thing, change: Change, net: int, kept: Mapping[str, Value]) -> list[str]:
    """The parts in which she kept what a change brings."""
    if thing.value is not None and net < 0:
        return []
    places = [
        name
        for name, value in kept.items()
        if value == change.after and labels.place(name)[: len(thing.place)] == thing.place
    ]
    return list(dict.fromkeys(labels.parts[labels.part_of(name).name] for name in places))


def _more(labels: Labels, thing: _Thing, change: Change) -> str:
    if thing.value is not None:
        return f"more {thing.value}"
    after = ("yes" if change.after else "no") if isinstance(change.after, bool) else change.after
    return f"{labels.short(change.variable)} {after}"


def _moves(
    problem: Problem, labels: Labels, variable: str, before: Value, after: Value
) -> Iterable[tuple[_Thing, int]]:
    place = labels.place(variable)
    if isinstance(problem.symbols.variables[variable], CategoricalVariable):
        yield _Thing(place[:1], before), -1
        yield _Thing(place[:1], after), 1
    else:
        yield _Thing(place), 1 if int(after) > int(before) else -1


def _sentence(labels: Labels, thing: _Thing, change: Change, net: int, where: str) -> str:
    if thing.value is not None:
        if net < 0:
            return f"less {thing.value}, because you took it out{'' if where == 'here' else ' of'} {where}"
        return f"more {thing.value}, because you put it in{'' if where == 'here' else 'to'} {where}"
    short = labels.short(change.variable)
    if isinstance(change.after, bool):
        word = "yes" if change.after else "no"
        return f"{short}: {word}, because you said {word} in {where}"
    way = "more" if net > 0 else "less"
    return f"{short} {change.before} to {change.after}, because you wanted {way} in {where}"
