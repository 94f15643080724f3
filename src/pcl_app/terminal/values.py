"""Values as a person writes and reads them."""

from pcl_app.terminal.words import fold, listed, printable, starting_words
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.ir import AnyVariable, BoolVariable, CategoricalVariable, Value

YES = ("yes", "true", "1", "on")
NO = ("no", "false", "0", "off")
MAX_LISTED = 12


def allowed_values(variable: AnyVariable) -> str:
    """What a variable may be, in a few words."""
    if isinstance(variable, BoolVariable):
        return "yes or no"
    if isinstance(variable, CategoricalVariable):
        return listed(variable.labels, MAX_LISTED, ", ")
    unit = f" {variable.unit}" if variable.unit else ""
    return f"{variable.lower} to {variable.upper}{unit}"


def read_value(variable: AnyVariable, text: str) -> Value:
    """The value that a person means: labels in any case or their beginning, numbers, yes and no."""
    text = text.strip()
    if not text:
        raise _refusal(variable, "there is no value after '='")
    if isinstance(variable, BoolVariable):
        return _read_truth(variable, text)
    if isinstance(variable, CategoricalVariable):
        return _read_label(variable, text)
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


def _read_label(variable: CategoricalVariable, text: str) -> str:
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
    hint = suggest(text, labels)
    raise _refusal(variable, f"'{_name(variable)}' cannot be '{printable(text)}'", hint)


def _refusal(variable: AnyVariable, message: str, hint: str | None = None) -> RequestError:
    return RequestError(Issue(Code.BAD_VALUE, message, hint or f"allowed: {allowed_values(variable)}"))


def _name(variable: AnyVariable) -> str:
    return variable.label or variable.name
