"""Validation errors of Pydantic as our own findings, one for each place."""

from pydantic import ValidationError

from pcl_core.errors import Code, Issue, suggest

_WORDS = {
    "missing": "a required field is missing",
    "extra_forbidden": "there is no field of this name",
    "string_pattern_mismatch": "a name may not have control characters",
    "string_too_short": "a name may not be empty",
    "string_too_long": "a name is too long",
    "too_short": "at least one entry is needed",
    "union_tag_not_found": "the field that says what sort of thing this is ('op' or 'domain') is missing",
}
_NAME_ERRORS = {"string_pattern_mismatch", "string_too_short", "string_too_long"}
_CODES = {code.value: code for code in Code}


def issues_from_validation(error: ValidationError, known_fields: dict[str, list[str]] | None = None) -> list[Issue]:
    """One finding for each error; `path` is kept so that a loader can add line and column."""
    found = []
    for detail in error.errors(include_url=False, include_input=False):
        sort, path = detail["type"], detail["loc"]
        code = _CODES.get(sort, Code.BAD_NAME if sort in _NAME_ERRORS else Code.WRONG_SHAPE)
        message = _WORDS.get(sort, detail["msg"][:1].lower() + detail["msg"][1:])
        hint = None
        if sort == "missing":
            message, path = f"the field '{path[-1]}' is missing", path[:-1]
        elif sort == "extra_forbidden":
            message = f"there is no field '{path[-1]}' here"
            hint = suggest(str(path[-1]), (known_fields or {}).get(str(path[0]), []))
        elif sort == "literal_error" and path and path[-1] == "pcl":
            code, message = Code.WRONG_VERSION, "only version 1 of the format is known"
        where = ".".join(str(step) for step in detail["loc"])
        found.append(Issue(code, f"{message} (at {where})" if where else message, hint, path=tuple(path)))
    return found
