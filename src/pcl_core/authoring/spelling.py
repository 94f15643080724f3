"""The words and signs of the language, and those of other languages with what to write instead.

A text is cut into tokens before Python's parser sees it. What people write who come from other languages, or from
Python itself, is answered here, in the words of our language and at its own column.
"""

import keyword
import re
from dataclasses import dataclass
from typing import Final, NoReturn

from pcl_core.errors import Code, DataPath


class ExpressionError(Exception):
    """Something wrong with an expression, at an offset in its text."""

    def __init__(self, code: Code, message: str, hint: str | None = None, offset: int = 0) -> None:
        self.code, self.message, self.hint, self.offset = code, message, hint, offset
        self.path: DataPath | None = None
        """The text in the file that the offset counts in, once that is known."""
        super().__init__(message)


WORDS: Final = frozenset(("and", "or", "not", "in", "if", "else", "for"))
TRUTHS: Final = ("true", "false", "True", "False")
RANGE: Final = ".."
_SIGNS: Final = (
    "..", "==", "!=", "<=", ">=", "<", ">", "+", "-", "*", "//", "%", "|", "&", "(", ")", "[", "]", "{", "}", ",", ":",
)  # fmt: skip
_CLOSING: Final = {")": "(", "]": "[", "}": "{"}

_EQUALS = "write == for `equals`"
_IMPLIES = "write implies(p, q)"
_IFF = "write iff(p, q)"
_RANGE = "a range has two dots: a..b"
_QUOTE = "a label stands in straight quotes: 'red' or \"red\""
_BRANCH = "write: a if p else b"
INSTEAD: Final[dict[str, str | None]] = {
    "===": _EQUALS, "=": _EQUALS, "!==": "write !=", "<>": "write !=", "/=": "write !=", "=!": "write !=", "=<": "write <=",
    "=>": "write >= to compare, or implies(p, q)", "==>": _IMPLIES, "-->": _IMPLIES, "->": _IMPLIES,
    "<=>": _IFF, "<==>": _IFF, "<->": _IFF, "&&": "write `and`", "||": "write `or`", "!": "write `not`",
    ":=": "nothing is assigned in an expression; name it in the section `definitions`",
    "+=": "nothing is assigned in an expression", "-=": "nothing is assigned in an expression",
    "*=": "nothing is assigned in an expression", "**": "powers of decisions are not linear; use a table",
    "/": "division is not exact; multiply the other side instead, or use // on whole numbers known in advance",
    "^": "for a power use a table; for exactly one of two truth values write p != q",
    "~": "write `not`", "@": None, "<<": None, ">>": None, "...": _RANGE, "?": _BRANCH,
    ".": "names have no attributes; an index goes in square brackets, and a decimal needs a digit before its point",
    ";": None, "#": None, "\\": None, "`": _QUOTE, "$": None,
    "≤": "write <=", "≥": "write >=", "≠": "write !=", "×": "write *", "·": "write *", "⋅": "write *", "∗": "write *",
    "−": "write - as on the keyboard", "–": "write - as on the keyboard", "—": "write - as on the keyboard",
    "÷": "multiply the other side instead", "∧": "write `and`", "∨": "write `or`", "¬": "write `not`", "∈": "write `in`",
    "∉": "write `not in`", "∑": "write sum(... for ... in ...)", "∀": "write all(... for ... in ...)",
    "∃": "write any(... for ... in ...)", "→": _IMPLIES, "⇒": _IMPLIES, "⟹": _IMPLIES, "↔": _IFF, "⇔": _IFF, "⟺": _IFF,
    "∪": "write |", "∩": "write &", "∖": "write -", "…": _RANGE, "“": _QUOTE, "”": _QUOTE, "„": _QUOTE, "‘": _QUOTE,
    "’": _QUOTE, "‚": _QUOTE, "«": _QUOTE, "»": _QUOTE, "´": _QUOTE,
}  # fmt: skip
"""Signs that the language does not have; None where there is nothing to write instead."""
KEYWORDS: Final[dict[str, str]] = {
    word: "an expression is made of names, numbers, labels in quotes and operators"
    for word in keyword.kwlist
    if word not in WORDS and word not in TRUTHS
} | {
    "is": "write ==",
    "None": "leave it out; every value is a number, a label, true or false",
    "elif": _BRANCH,
    "lambda": "write the expression itself, or name it in the section `definitions`",
}
"""Python's other words; no name can be one of them."""

_TOKEN = re.compile(
    r"(?P<space>\s+)"
    r"|(?P<text>'[^']*'|\"[^\"]*\")"
    r"|(?P<number>(?:\d[\d_]*(?:\.(?!\.)(?:\d[\d_]*)?)?|\.\d[\d_]*)(?:[eE][+-]?\d[\d_]*)?\w*)"
    r"|(?P<name>[^\W\d]\w*)"
    f"|(?P<sign>{'|'.join(re.escape(sign) for sign in sorted((*_SIGNS, *INSTEAD), key=len, reverse=True))})"
    r"|(?P<other>.)",
    re.DOTALL,
)
_LEADING_NUMBER = re.compile(r"[\d_.]+(?=[^\W\d_])")
_TARGET = re.compile(r"(\( )?[^\W\d]\w*( , [^\W\d]\w*)*( ,)?( \))?")
_ENDS_INDEX = re.compile(r"\s*[\],]")


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the text and where it starts."""

    sort: str
    text: str
    start: int
    wildcard: bool = False

    @property
    def is_operand(self) -> bool:
        return self.sort in ("number", "text") or (self.sort == "name" and self.text not in WORDS)


def tokens(text: str) -> list[Token]:
    """The tokens of a text, all of them of the language; brackets are closed."""
    found: list[Token] = []
    opened: list[tuple[Token, bool]] = []
    for match in _TOKEN.finditer(text):
        token = Token(str(match.lastgroup), match.group(), match.start())
        if token.sort != "space":
            _check(token, found[-1] if found else None)
            if token.sort == "sign" and token.text in ("*", ":"):
                token = _star_or_colon(token, found, opened, text)
            _bracket(token, found, opened)
            found.append(token)
    if opened:
        raise _wrong(opened[-1][0].start, f"'{opened[-1][0].text}' is not closed")
    return found


def _wrong(offset: int, message: str, hint: str | None = None) -> ExpressionError:
    return ExpressionError(Code.BAD_EXPRESSION, message, hint, offset)


def _check(token: Token, previous: Token | None) -> None:
    if token.sort == "other":
        if token.text in "'\"":
            raise _wrong(token.start, "this quote is not closed", _QUOTE)
        shown = f"'{token.text}'" if token.text.isprintable() else f"the character U+{ord(token.text):04X}"
        raise _wrong(token.start, f"{shown} has no meaning here")
    if token.sort == "sign" and token.text in INSTEAD:
        raise _wrong(token.start, f"`{token.text}` has no meaning in the language", INSTEAD[token.text])
    if token.sort == "name" and token.text in KEYWORDS:
        raise _wrong(token.start, f"`{token.text}` is not a word of the language", KEYWORDS[token.text])
    if token.sort == "text" and ("\n" in token.text or "\r" in token.text):
        raise _wrong(token.start, "this label goes over the end of a line", _QUOTE)
    if token.sort == "text" and previous is not None:
        if previous.sort == "text":
            raise _wrong(token.start, "two labels stand side by side", "put a comma or an operator between them")
        if previous.is_operand and previous.start + len(previous.text) == token.start:
            raise _wrong(
                previous.start, f"a letter stands before a label: {previous.text[:20]}{token.text[:20]}", _QUOTE
            )


def _star_or_colon(token: Token, before: list[Token], opened: list[tuple[Token, bool]], text: str) -> Token:
    """A star, or a colon, that stands alone as an index is marked; elsewhere a star multiplies."""
    bracket, index = opened[-1] if opened else (None, False)
    if index and before[-1].text in ("[", ",") and _ENDS_INDEX.match(text, token.start + 1):
        return Token(token.sort, token.text, token.start, wildcard=True)
    if token.text == "*":
        if not before or (not before[-1].is_operand and before[-1].text not in _CLOSING):
            hint = "all members of an array are x[*], the union of two sets is A | B"
            raise _wrong(token.start, "a star that multiplies nothing stands alone as an index: x[*]", hint)
        return token
    if index:
        raise _wrong(token.start, "`:` has no meaning in an index", "write a range of indices as a..b, and * for all")
    mapping = bracket is not None and bracket.text == "{"
    hint = "write a table for values by key" if mapping else _BRANCH
    raise _wrong(token.start, "`:` has no meaning in the language", hint)


def _bracket(token: Token, before: list[Token], opened: list[tuple[Token, bool]]) -> None:
    if token.sort != "sign":
        return
    if token.text in _CLOSING.values():
        follows = bool(before) and (before[-1].is_operand or before[-1].text in _CLOSING)
        opened.append((token, token.text == "[" and follows))
    elif token.text in _CLOSING:
        if not opened or opened[-1][0].text != _CLOSING[token.text]:
            partner = f"'{opened[-1][0].text}' is open" if opened else "nothing is open"
            raise _wrong(token.start, f"'{token.text}' closes nothing: {partner} here")
        opened.pop()


def explain(found: list[Token], offset: int) -> NoReturn:
    """Why Python's parser did not understand the tokens, in our words."""
    for token in found:
        if token.sort == "text" and "\\" in token.text:
            raise _wrong(token.start, "a backslash in a label starts an escape", "write two of them for one")
        number = _LEADING_NUMBER.match(token.text) if token.sort == "number" else None
        if number is not None and number.end() < len(token.text):
            name = token.text[number.end() :][:40]
            message = f"'{token.text[:40]}' is neither a number nor a name"
            raise _wrong(token.start, message, f"write {number.group()[:40]} * {name}")
    _missing(found)
    _branches(found)
    raise _wrong(offset, "the expression cannot be read from here on", "see the reference of problem files")


def _missing(found: list[Token]) -> None:
    """Two values side by side, or a sign without a value next to it."""
    if not found:
        raise _wrong(0, "there is no expression here", "write a number, a name or a comparison")
    value, previous = False, None
    for at, token in enumerate(found):
        opens = token.text in _CLOSING.values()
        if token.is_operand or token.wildcard or (opens and not (value and token.text in "([")):
            if value and previous is not None:
                raise _side_by_side(previous, token)
            value = not opens
        elif token.text in _CLOSING:
            if not value and previous is not None and previous.text not in ("(", "[", "{", ","):
                raise _wrong(token.start, f"something is missing before '{token.text}'")
            value = True
        elif not opens and token.text == "not":
            if value and (at + 1 == len(found) or found[at + 1].text != "in"):
                raise _wrong(
                    token.start, "an operator is missing before 'not'", "write `and not`, `or not` or `not in`"
                )
        else:
            if not opens and not value and token.text not in ("+", "-"):
                hint = _BRANCH if token.text == "if" else None
                raise _wrong(token.start, f"something is missing before '{token.text}'", hint)
            value = False
        previous = token
    if not value and previous is not None:
        raise _wrong(previous.start, f"something is missing after '{previous.text}'")


def _side_by_side(previous: Token, token: Token) -> ExpressionError:
    for word in (token, previous):
        small = word.text.lower()
        if word.sort == "name" and word.text != small and small in WORDS:
            return _wrong(
                word.start, f"`{word.text}` is not a word of the language", f"write `{small}` in small letters"
            )
    hints = {
        "then": _BRANCH,
        "xor": "write p != q",
        "mod": "write %",
        "div": "write //",
        "implies": _IMPLIES,
        "iff": _IFF,
    }
    hint = hints.get(token.text.lower())
    if previous.sort == "number" and previous.start + len(previous.text) == token.start:
        hint = "write * between a number and a name"
    return _wrong(token.start, f"an operator or a comma is missing before '{token.text[:40]}'", hint)


def _branches(found: list[Token]) -> None:
    """`if` and `else` that do not belong together, and a loop beside other arguments."""
    levels: list[list[Token]] = [[]]
    for token in found:
        if token.text in _CLOSING:
            _check_level(levels.pop())
        levels[-1].append(token)
        if token.text in _CLOSING.values():
            levels.append([])
    _check_level(levels[0])


def _check_level(level: list[Token]) -> None:
    """The tokens between two brackets; those inside brackets of their own are left out."""
    waiting: list[Token] = []
    looping: Token | None = None
    for at, token in enumerate(level):
        if token.text == "if" and looping is None:
            waiting.append(token)
        elif token.text == "else" and token.sort == "name":
            if not waiting:
                raise _wrong(token.start, "this `else` has no `if`", _BRANCH)
            waiting.pop()
        elif token.text == "for":
            looping = looping or token
            if not _TARGET.fullmatch(" ".join(t.text for t in level[at + 1 :]).partition(" in ")[0]):
                raise _wrong(token.start, "a loop variable is a plain name", "write for a in A, or for a, b in A")
    if waiting:
        raise _wrong(waiting[0].start, "this `if` has no `else`", _BRANCH)
    if looping is not None and any(token.text == "," for token in level):
        hint = "write max(max(... for ...), b)"
        raise _wrong(looping.start, "a loop is the only argument of its function", hint)
