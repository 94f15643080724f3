"""Names of variables and selections of them: `plan[sat,2]` is an element of `plan`, and `plan[sat,*]` a row of it."""

import re
from collections.abc import Collection, Iterable

from pcl_core.errors import Code, Issue, RequestError, suggest

ANY = "*"
_INDEXED = re.compile(r"(.+)\[([^\[\]]*)\]")


def split_name(name: str) -> tuple[str, tuple[str, ...]]:
    """What comes before the brackets, and the indices in them; none for a name without brackets."""
    found = _INDEXED.fullmatch(name)
    return (found[1], tuple(index.strip() for index in found[2].split(","))) if found else (name, ())


def element(name: str, indices: Iterable[str]) -> str:
    """The inverse of `split_name`."""
    listed = ",".join(indices)
    return f"{name}[{listed}]" if listed else name


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
