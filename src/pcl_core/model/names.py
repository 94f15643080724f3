"""Names: `plan[sat,2]` is an element of `plan`, and `plan[sat,*]` selects a row of it.

Features that say the same of different parts, such as `power[mon,arms]` and `power[tue,arms]`, are a family.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable
from itertools import combinations

from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.model.problem import Problem
from pcl_core.wording import ANY as ANY
from pcl_core.wording import element as element
from pcl_core.wording import split_name as split_name


def select(known: Collection[str], selection: str | Iterable[str]) -> tuple[str, ...]:
    """The names that a selection means, in the order of `known`: a name, or one with `*` for an index, or several.

    `*` alone is every name. What means nothing is a `RequestError`.
    """
    given = (selection,) if isinstance(selection, str) else tuple(selection)
    if not given:
        raise RequestError(Issue(Code.UNKNOWN_NAME, "no variable is selected", "write one, such as 'name[*]'"))
    chosen: set[str] = set()
    for text in given:
        found = {text} if text in known else {name for name in known if _means(str(text), name)}
        if not found:
            hint = suggest(str(text), _like(str(text), known))
            raise RequestError(Issue(Code.UNKNOWN_NAME, f"no variable is called '{text!s:.80}'", hint))
        chosen |= found
    return tuple(name for name in known if name in chosen)


def _means(pattern: str, name: str) -> bool:
    (array, wanted), (found, indices) = split_name(pattern), split_name(name)
    if pattern == ANY:
        return True
    same = array == found and len(wanted) == len(indices) > 0
    return same and all(want in (ANY, index) for want, index in zip(wanted, indices, strict=True))


def _like(pattern: str, known: Iterable[str]) -> Iterable[str]:
    """What there is to be meant, with `*` where the pattern has it."""
    wanted = split_name(pattern)[1]
    for name in known:
        array, indices = split_name(name)
        stars = wanted if len(wanted) == len(indices) else (ANY,) * len(indices)
        yield element(array, (ANY if star == ANY else index for star, index in zip(stars, indices, strict=True)))


def feature_families(problem: Problem) -> tuple[int, ...]:
    """A number for each feature; features of one family have the same."""
    numbers: dict[str, int] = {}
    return tuple(numbers.setdefault(name, len(numbers)) for name in family_names(problem))


def family_names(problem: Problem) -> tuple[str, ...]:
    """For each feature the name of its family, such as `power[*,arms]`; of one without a family its own name.

    Features of one name differ only in the indices that name a part they depend on. That must hold for all of that
    name: the indices of a grid's edges do not name its blocks, though some of them happen to be equal.
    """
    indices_of_part = [split_name(part.name)[1] or (part.name,) for part in problem.parts]
    templates: dict[tuple[str, int], list[int]] = defaultdict(list)
    split = [split_name(feature.name) for feature in problem.features]
    for position, (name, indices) in enumerate(split):
        templates[name, len(indices)].append(position)
    families = [feature.name for feature in problem.features]
    for (name, count), members in templates.items():
        naming = _naming(
            count, [split[at][1] for at in members], [_named(problem, at, indices_of_part) for at in members]
        )
        for at in members if naming else ():
            kept = ("*" if place in naming else index for place, index in enumerate(split[at][1]))
            families[at] = f"{name}[{','.join(kept)}]"
    return tuple(families)


def _named(problem: Problem, feature: int, indices_of_part: list[tuple[str, ...]]) -> set[tuple[str, ...]]:
    return {indices_of_part[part] for part in problem.structure.parts_of_feature[feature]}


def _naming(count: int, indices: list[tuple[str, ...]], parts: list[set[tuple[str, ...]]]) -> tuple[int, ...]:
    """The places whose indices name a part that the feature depends on, for each of these features; () if none do."""
    for size in {len(named) for found in parts for named in found}:
        for places in combinations(range(count), size):
            if all(tuple(own[place] for place in places) in found for own, found in zip(indices, parts, strict=True)):
                return places
    return ()
