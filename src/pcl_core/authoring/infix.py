"""Infix text to a checked syntax tree.

The text is cut into tokens of the language (`spelling`), then Python's own parser reads it and a whitelist says what
may stay. Two spellings are ours and are rewritten, at the same length so that columns stay right, to what Python knows
and the language does not use:

    a..b      becomes   a<<b      a range, both ends included; binds looser than + and tighter than & and |
    x[i, *]   becomes   x[i, :]   every index of an axis
"""

import ast
import warnings
from dataclasses import dataclass

from pcl_core.authoring.spelling import RANGE, ExpressionError, Token, explain, tokens
from pcl_core.errors import Code

__all__ = ["ExpressionError", "Source", "parse"]

MAX_TEXT = 20_000
MAX_TREE_DEPTH = 150
MAX_TERMS = 2_000
"""Signs + and - in one expression. How many more Python could read depends on who calls it."""

ALLOWED: tuple[type[ast.AST], ...] = (
    ast.Constant, ast.Name, ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.Set, ast.Load, ast.Store,
    ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod, ast.LShift, ast.BitOr, ast.BitAnd,
    ast.UnaryOp, ast.USub, ast.UAdd, ast.Not, ast.BoolOp, ast.And, ast.Or,
    ast.Compare, ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn,
    ast.IfExp, ast.Call, ast.GeneratorExp, ast.comprehension,
)  # fmt: skip
_COMPREHENSION = "a loop stands in a function without brackets of its own"
_LOOP_HINT = "write sum(... for ... in ...); a set is a list, a range a..b, or A | B, A & B, A - B of sets"
_LONG = "write a long sum as sum(...) over a list or a loop, or split it into definitions"
INSTEAD: dict[type[ast.AST], tuple[str, str | None]] = {
    ast.ListComp: (_COMPREHENSION, _LOOP_HINT),
    ast.SetComp: (_COMPREHENSION, _LOOP_HINT),
    ast.Dict: ("there are no mappings in the language", "write a table for values by key"),
}
"""What Python's parser makes of tokens of the language although the language has no such thing."""


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one expression; answers where in it a tree node stands."""

    encoded: bytes
    start: int
    """How many spaces stand before it; Python's parser takes them for indentation, so they are cut off."""

    def offset(self, node: ast.AST) -> int:
        column: int | None = getattr(node, "col_offset", None)
        return 0 if column is None else self.start + len(self.encoded[:column].decode(errors="replace"))

    def segment(self, node: ast.expr) -> str:
        return self.encoded[node.col_offset : node.end_col_offset].decode(errors="replace")


def parse(text: str) -> tuple[ast.expr, Source]:
    """A tree made of allowed nodes only; anything else is an `ExpressionError`."""
    if len(text) > MAX_TEXT:
        raise ExpressionError(Code.BAD_EXPRESSION, f"the expression is longer than {MAX_TEXT:,} characters")
    found = tokens(text)
    start = found[0].start if found else 0
    rewritten = _rewrite(found, start)
    try:
        source = Source(rewritten.encode(), start)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # ours is the better message
            tree = ast.parse(rewritten, mode="eval").body
    except SyntaxError as error:
        explain(found, start + max(0, (error.offset or 1) - 1))
    except UnicodeEncodeError:
        raise ExpressionError(Code.NOT_TEXT, "the expression has half of a surrogate pair in it") from None
    except (RecursionError, MemoryError):
        raise _too_long() from None
    except ValueError:
        raise ExpressionError(Code.BAD_EXPRESSION, "cannot read the expression: it is not text") from None
    _check(tree, source)
    return tree, source


def _rewrite(found: list[Token], start: int) -> str:
    """The text with our spellings as Python's; line breaks and the like are spaces."""
    pieces, last = [], start
    for token in found:
        pieces.append(" " * (token.start - last))
        pieces.append(":" if token.wildcard else "<<" if token.text == RANGE else token.text)
        last = token.start + len(token.text)
    return "".join(pieces)


def _too_long() -> ExpressionError:
    return ExpressionError(Code.TOO_DEEP, "the expression is nested too deep, or has too many terms", _LONG)


def _check(tree: ast.expr, source: Source) -> None:
    pending: list[tuple[ast.AST, int]] = [(tree, 1)]
    terms = 0
    while pending:
        node, depth = pending.pop()
        if not isinstance(node, ALLOWED):
            message, hint = INSTEAD.get(type(node), ("this is not part of the language", None))
            raise ExpressionError(Code.BAD_EXPRESSION, message, hint, source.offset(node))
        if depth > MAX_TREE_DEPTH:
            raise ExpressionError(Code.TOO_DEEP, "the expression is nested too deep", None, source.offset(node))
        if isinstance(node, ast.Call) and not isinstance(node.func, ast.Name):
            message = "brackets after something that is not a function's name"
            raise ExpressionError(Code.BAD_EXPRESSION, message, "write * to multiply", source.offset(node))
        # A long sum is a left-deep chain that is read in a loop, so its length is not depth.
        chain = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))
        terms += chain
        if terms > MAX_TERMS:
            raise _too_long()
        for child in ast.iter_child_nodes(node):
            pending.append((child, depth if chain and child is getattr(node, "left", None) else depth + 1))
