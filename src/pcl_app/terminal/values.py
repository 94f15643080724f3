"""Values as a person writes and reads them."""

import difflib
from collections.abc import Collection, Sequence

from pcl_app.terminal.words import fold, listed, printable, starting_words
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.ir import AnyVariable, BoolVariable, CategoricalVariable, Value
from pcl_core.model import words_of

YES = ("yes", "true", "1", "on")
NO = ("no", "false", "0", "off")
MAX_LISTED = 12
MAX_COMPARED = 600
MAX_LETTERS = 100
"""What is longer is no slip of the finger, and a single letter is like too much."""
MAX_NEAR = 3
LEAST_WORD = 4
"""Letters of a word in a label that a misspelt word is compared with."""


def allowed_values(variable: AnyVariable, forbidden: Collection[Value] = ()) -> str:
    """What a variable may be, in a few words."""
    if isinstance(variable, BoolVariable):
        return "yes or no"
    if isinstance(variable, CategoricalVariable):
        return listed([label for label in variable.labels if label not in forbidden], MAX_LISTED, ", ")
    unit = f" {variable.unit}" if variable.unit else ""
    return f"{variable.lower} to {variable.upper}{unit}"


def read_value(variable: AnyVariable, text: str, forbidden: Collection[Value] = ()) -> Value:
    """The value that a person means: labels in any case or their beginning, numbers, yes and no.

    What is `forbidden` by rules of her own can be typed, so that she learns why not, and is not offered.
    """
    text = text.strip()
    if not text:
        raise _refusal(variable, "there is no value after '='")
    if isinstance(variable, BoolVariable):
        return _read_truth(variable, text)
    if isinstance(variable, CategoricalVariable):
        return _read_label(variable, text, forbidden)
    try:
        number = int(text)
    except ValueError:
        number = None
    if number is None or not variable.holds(number):
        raise _refusal(variable, f"'{_name(variable)}' cannot be '{printable(text)}'")
    return number


def _read_truth(variable: BoolVariable, text: str) -> bool:
    words = [word for word in (*YES, *NO) if word.startswith(fold(text))]
    meanings = {word in YES for word in words}
    if len(meanings) != 1:
        raise _refusal(variable, f"'{_name(variable)}' cannot be '{printable(text)}'")
    return meanings.pop()


def _read_label(variable: CategoricalVariable, text: str, forbidden: Collection[Value]) -> str:
    labels, wanted = variable.labels, fold(text)
    if text in labels:
        return text
    for fits in (
        [label for label in labels if fold(label) == wanted],
        [label for label in labels if fold(label).startswith(wanted)],
        [label for label in labels if starting_words(wanted, label)],
    ):
        if len(fits) == 1:
            return fits[0]
        if fits:
            message = f"'{printable(text)}' can be {listed(fits, MAX_LISTED, ' or ')}"
            raise RequestError(Issue(Code.BAD_VALUE, message, "write more of it"))
    offered = [label for label in labels if label not in forbidden]
    hint = nearest_label(text, offered) or f"allowed: {allowed_values(variable, forbidden)}"
    raise _refusal(variable, f"'{_name(variable)}' cannot be '{printable(text)}'", hint)


def nearest_label(text: str, labels: Sequence[str]) -> str | None:
    """A hint for a misspelt value: a label like it, or else one with a word or a beginning like it; all, if they are few."""
    hint, wanted = suggest(text, labels), fold(text)
    if (hint or "").startswith("did you mean") or not 1 < len(wanted) <= MAX_LETTERS:
        return hint
    likened: dict[str, str] = {}
    for label in labels[:MAX_COMPARED]:
        words = words_of(label)
        beginning = " ".join(words[: len(wanted.split())])
        for word in (beginning, *(word for word in words if len(word) >= LEAST_WORD)):
            likened.setdefault(word, label)
    near = dict.fromkeys(likened[word] for word in difflib.get_close_matches(wanted, likened, MAX_NEAR, 0.7))
    quoted = [f"'{label}'" for label in near]
    return f"did you mean {' or '.join(quoted)}?" if near else hint


def _refusal(variable: AnyVariable, message: str, hint: str | None = None) -> RequestError:
    return RequestError(Issue(Code.BAD_VALUE, message, hint or f"allowed: {allowed_values(variable)}"))


def _name(variable: AnyVariable) -> str:
    return variable.label or variable.name
