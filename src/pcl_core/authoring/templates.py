"""Texts with {expressions} in them, for names, labels and patterns of names."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from pcl_core.authoring.environment import Bindings, Budget
from pcl_core.authoring.infix import ExpressionError
from pcl_core.authoring.values import Expanded, describe
from pcl_core.errors import Code

Piece: TypeAlias = Callable[[Bindings], str]

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Template:
    """Called with bindings, gives the text."""

    pieces: tuple[str | Piece, ...]
    budget: Budget

    @property
    def placeholders(self) -> int:
        return sum(1 for piece in self.pieces if not isinstance(piece, str))

    def __call__(self, env: Bindings) -> str:
        budget = self.budget
        return "".join([budget.text(piece if isinstance(piece, str) else piece(env)) for piece in self.pieces])


def template(text: str, prepare: Callable[[str, int], Piece], budget: Budget) -> Template:
    """A template whose expressions are prepared by the caller, who knows the names."""
    pieces: list[str | Piece] = []
    start = 0
    for at, piece in enumerate(_PLACEHOLDER.split(text)):
        if at % 2 == 0:
            if "{" in piece or "}" in piece:
                raise ExpressionError(Code.BAD_EXPRESSION, f"'{text[:60]}' has a brace without its partner")
            pieces += [piece] if piece else []
        else:
            pieces.append(prepare(piece, start))
        start += len(piece) + 1
    return Template(tuple(pieces), budget)


def shown(value: Expanded) -> str:
    """A value in a name or label."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int)) or (not isinstance(value, (list, tuple, range)) and hasattr(value, "as_tuple")):
        return str(value)
    raise ExpressionError(Code.NOT_STATIC, f"a name or label can show numbers and labels, not {describe(value)}")


def matching(patterns: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Feature names, with * for any text; a pattern that matches nothing is kept and so reported."""
    found: dict[str, None] = {}
    for pattern in patterns:
        matched = [name for name in names if _fits(pattern, name)]
        found.update(dict.fromkeys(matched or [pattern]))
    return tuple(found)


def _fits(pattern: str, name: str) -> bool:
    """Whether a name fits a pattern with * for any text, in one pass over the name."""
    first, *rest = pattern.split("*")
    if not rest:
        return pattern == name
    if not name.startswith(first):
        return False
    at = len(first)
    for piece in rest[:-1]:
        at = name.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return len(name) - len(rest[-1]) >= at and name.endswith(rest[-1])
