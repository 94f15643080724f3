"""Infix text to a checked syntax tree.

Python's own parser reads the text, a whitelist says what may stay. Two spellings are ours and are rewritten,
at the same length so that columns stay right, to operators Python knows and the language does not use:

    a..b      becomes   a| b      a range, both ends included
    x[i, *]   becomes   x[i, :]   every index of an axis
"""

import ast
import re
import warnings
from dataclasses import dataclass
from typing import TypeAlias

from pcl_core.errors import Code

MAX_TEXT = 20_000
MAX_TREE_DEPTH = 150

_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")
_WILDCARD = re.compile(r"(?<=[\[,])(\s*)\*(?=\s*[,\]])")
_ALLOWED: tuple[type[ast.AST], ...] = (
    ast.Constant,
    ast.Name,
    ast.Subscript,
    ast.Slice,
    ast.Tuple,
    ast.List,
    ast.Set,
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.Call,
    ast.GeneratorExp,
    ast.comprehension,
    ast.Load,
    ast.Store,
    ast.Add,
    ast.Sub,
    ast.Mult,
    ast.FloorDiv,
    ast.Mod,
    ast.BitOr,
    ast.USub,
    ast.UAdd,
    ast.Not,
    ast.And,
    ast.Or,
    ast.Eq,
    ast.NotEq,
    ast.Lt,
    ast.LtE,
    ast.Gt,
    ast.GtE,
    ast.In,
    ast.NotIn,
)
_INSTEAD = {
    ast.Div: "division is not exact; multiply the other side instead, or use // on whole numbers known in advance",
    ast.Pow: "powers are not linear; use a table",
    ast.ListComp: "write sum(... for ... in ...) without the brackets",
    ast.BitAnd: "write `and`",
    ast.Attribute: "names have no attributes; decimals need a digit before the point",
    ast.Is: "write ==",
    ast.IsNot: "write !=",
}


Path: TypeAlias = tuple[str | int, ...]


class ExpressionError(Exception):
    """Something wrong with an expression, at an offset in its text."""

    def __init__(self, code: Code, message: str, hint: str | None = None, offset: int = 0) -> None:
        self.code, self.message, self.hint, self.offset = code, message, hint, offset
        self.path: Path | None = None
        """The text in the file that the offset counts in, once that is known."""
        super().__init__(message)


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one expression; answers where in it a tree node stands."""

    text: str
    encoded: bytes

    def offset(self, node: ast.AST) -> int:
        column: int | None = getattr(node, "col_offset", None)
        return 0 if column is None else len(self.encoded[:column].decode(errors="replace"))

    def segment(self, node: ast.expr) -> str:
        return self.encoded[node.col_offset : node.end_col_offset].decode(errors="replace")


def parse(text: str) -> tuple[ast.expr, Source]:
    """A tree made of allowed nodes only; anything else is an `ExpressionError`."""
    if len(text) > MAX_TEXT:
        raise ExpressionError(Code.BAD_EXPRESSION, f"the expression is longer than {MAX_TEXT:,} characters")
    rewritten = _rewrite(text)
    try:
        source = Source(text, rewritten.encode())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SyntaxWarning)  # ours is the better message
            tree = ast.parse(rewritten, mode="eval").body
    except SyntaxError as error:
        offset = max(0, (error.offset or 1) - 1)
        raise ExpressionError(Code.BAD_EXPRESSION, f"cannot read the expression: {error.msg}", offset=offset) from None
    except UnicodeEncodeError:
        raise ExpressionError(Code.NOT_TEXT, "the expression has half of a surrogate pair in it") from None
    except (ValueError, RecursionError, MemoryError):
        raise ExpressionError(Code.BAD_EXPRESSION, "cannot read the expression: nested too deep or not text") from None
    _check(tree, source)
    return tree, source


def _rewrite(text: str) -> str:
    """Our spellings as Python's, outside of quoted strings; line breaks count as spaces."""
    pieces, last = [], 0
    for quoted in _STRING.finditer(text):
        pieces += [_rewrite_code(text[last : quoted.start()], last), quoted.group()]
        last = quoted.end()
    return "".join([*pieces, _rewrite_code(text[last:], last)])


def _rewrite_code(code: str, start: int) -> str:
    for character in "|#;\\`$":
        if character in code:
            offset = start + code.index(character)
            raise ExpressionError(Code.BAD_EXPRESSION, f"'{character}' has no meaning here", offset=offset)
    code = re.sub(r"[\n\r\t\f]", " ", code)
    if "..." in code:
        raise ExpressionError(Code.BAD_EXPRESSION, "a range has two dots: a..b", offset=start + code.index("..."))
    return _WILDCARD.sub(r"\1:", code).replace("..", "| ")


def _check(tree: ast.expr, source: Source) -> None:
    pending: list[tuple[ast.AST, int]] = [(tree, 1)]
    while pending:
        node, depth = pending.pop()
        if not isinstance(node, _ALLOWED):
            hint = next((text for kind, text in _INSTEAD.items() if isinstance(node, kind)), None)
            what = type(node).__name__
            raise ExpressionError(Code.BAD_EXPRESSION, f"{what} is not part of the language", hint, source.offset(node))
        if depth > MAX_TREE_DEPTH:
            raise ExpressionError(Code.TOO_DEEP, "the expression is nested too deep", None, source.offset(node))
        if isinstance(node, ast.Call) and (node.keywords or not isinstance(node.func, ast.Name)):
            raise ExpressionError(Code.BAD_EXPRESSION, "only plain function calls are known", None, source.offset(node))
        if isinstance(node, ast.comprehension) and node.is_async:
            raise ExpressionError(Code.BAD_EXPRESSION, "async has no meaning here", None, source.offset(node.target))
        # A long sum is a left-deep chain that is read in a loop, so its length is not depth.
        chain = isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub))
        for child in ast.iter_child_nodes(node):
            pending.append((child, depth if chain and child is getattr(node, "left", None) else depth + 1))
