"""One root for everything that can go wrong, with stable codes that programs can match on.

An error is data: a sentence that says what is wrong, a hint that says how to fix it, and the place it was
found. Several findings travel together, so that a person who fixes a file sees all of them at once.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import ClassVar, TypeAlias

from pcl_core.json_form import JsonForm
from pcl_core.wording import printable, shortened
from pcl_core.wording import suggest as suggest

MAX_FINDINGS = 50
"""Whoever has that many to mend does not read on; collecting more would only take time."""

MAX_MESSAGE = 240
MAX_HINT = 300
MAX_PLACE = 160
"""Characters; what is longer loses its middle."""


class Code(StrEnum):
    """Every code pcl can report. The member's docstring in `CODE_MEANINGS` is what the documentation shows."""

    # Reading files
    FILE_NOT_FOUND = "file-not-found"
    FILE_UNREADABLE = "file-unreadable"
    FILE_TOO_LARGE = "file-too-large"
    NOT_TEXT = "not-text"
    SYNTAX = "syntax"
    ALIAS_REFUSED = "alias-refused"
    TAG_REFUSED = "tag-refused"
    DUPLICATE_KEY = "duplicate-key"
    NESTED_TOO_DEEP = "nested-too-deep"
    WRONG_SHAPE = "wrong-shape"
    WRONG_VERSION = "wrong-version"
    TABLE_DATA = "table-data"

    # Names
    UNKNOWN_NAME = "unknown-name"
    DUPLICATE_NAME = "duplicate-name"
    BAD_NAME = "bad-name"
    UNKNOWN_PROBLEM = "unknown-problem"
    UNKNOWN_OPTION = "unknown-option"

    # Expressions
    BAD_EXPRESSION = "bad-expression"
    WRONG_KIND = "wrong-kind"
    PRODUCT_OF_VARIABLES = "product-of-variables"
    LABEL_OUTSIDE_DOMAIN = "label-outside-domain"
    LOOKUP_OUTSIDE_TABLE = "lookup-outside-table"
    INDEX_OUTSIDE_SET = "index-outside-set"
    NOT_STATIC = "not-static"
    CYCLIC_DEFINITION = "cyclic-definition"
    TOO_DEEP = "too-deep"
    TOO_MANY_NODES = "too-many-nodes"

    # Numbers and domains
    NOT_FINITE = "not-finite"
    NUMBER_TOO_LARGE = "number-too-large"
    CANNOT_SCALE = "cannot-scale"
    EMPTY_DOMAIN = "empty-domain"

    # Parts and features
    VARIABLE_WITHOUT_PART = "variable-without-part"
    VARIABLE_IN_TWO_PARTS = "variable-in-two-parts"
    EMPTY_PART = "empty-part"
    NO_PRIVATE_FEATURE = "no-private-feature"
    FEATURE_WITHOUT_VARIABLES = "feature-without-variables"
    DECLARED_FEATURES_DIFFER = "declared-features-differ"
    BAD_GROUPS = "bad-groups"
    CHECK_FAILED = "check-failed"

    # Warnings for authors
    ALIKE_VALUES = "alike-values"
    SCALES_DIFFER = "scales-differ"
    SHARED_PART = "shared-part"
    LARGE_PART = "large-part"
    ALWAYS_HOLDS = "always-holds"
    NEVER_HOLDS = "never-holds"
    LONELY_FEATURE = "lonely-feature"

    # Requests
    BAD_PARAMETER = "bad-parameter"
    BAD_CONFIGURATION = "bad-configuration"
    BAD_VALUE = "bad-value"
    MISSING_DEPENDENCY = "missing-dependency"
    CANNOT_WRITE = "cannot-write"
    UNSUPPORTED = "unsupported"
    SCOPE_TOO_LARGE = "scope-too-large"
    NUMBERS_OUT_OF_RANGE = "numbers-out-of-range"
    BACKEND_CONTRACT = "backend-contract"
    BAD_TRACES = "bad-traces"
    TYPES_OUTDATED = "types-outdated"
    LIMIT_REACHED = "limit-reached"
    CELL_FAILED = "cell-failed"
    PLUGIN_BROKEN = "plugin-broken"

    # Elicitation
    INFEASIBLE = "infeasible"
    OUTSIDE_PART = "outside-part"
    STALE_ANSWER = "stale-answer"
    NOTHING_TO_UNDO = "nothing-to-undo"
    LOG_BROKEN = "log-broken"
    LOG_OF_ANOTHER_PROBLEM = "log-of-another-problem"
    LOG_IN_USE = "log-in-use"
    LOG_MOVED_ON = "log-moved-on"


CODE_MEANINGS: dict[Code, str] = {
    Code.FILE_NOT_FOUND: "There is no file at the given path.",
    Code.FILE_UNREADABLE: "The file exists but could not be read (a folder, or no permission).",
    Code.FILE_TOO_LARGE: "The file is larger than the limit, in bytes or in values.",
    Code.NOT_TEXT: "The file is not UTF-8 text, or a text in it has characters that cannot be shown.",
    Code.SYNTAX: "The file is not valid YAML, JSON or CSV.",
    Code.ALIAS_REFUSED: "YAML anchors and aliases are not used in problem files.",
    Code.TAG_REFUSED: "YAML tags are not used in problem files.",
    Code.DUPLICATE_KEY: "A mapping has the same key twice.",
    Code.NESTED_TOO_DEEP: "Lists and mappings are nested beyond the limit.",
    Code.WRONG_SHAPE: "A field is missing, unknown, or of the wrong type.",
    Code.WRONG_VERSION: "The file is of a version that this pcl does not read.",
    Code.TABLE_DATA: "A table's data does not fit its index sets.",
    Code.UNKNOWN_NAME: "A name is used that nothing declares.",
    Code.DUPLICATE_NAME: "Two things of the same sort have the same name.",
    Code.BAD_NAME: "A name is empty, too long, or has characters that a name may not have.",
    Code.UNKNOWN_PROBLEM: "No problem of that name is in the catalogue.",
    Code.UNKNOWN_OPTION: "An option's value is not one of the choices.",
    Code.BAD_EXPRESSION: "An expression cannot be parsed, or uses something outside the language.",
    Code.WRONG_KIND: "A number, a truth value or a label stands where another kind is needed.",
    Code.PRODUCT_OF_VARIABLES: "A product has more than one factor that is neither constant nor Boolean.",
    Code.LABEL_OUTSIDE_DOMAIN: "A label is compared with a variable that can never take it.",
    Code.LOOKUP_OUTSIDE_TABLE: "A table is read at a key that it does not have.",
    Code.INDEX_OUTSIDE_SET: "An array is read at an index that it does not have.",
    Code.NOT_STATIC: "A decision variable stands where a value must be known before solving.",
    Code.CYCLIC_DEFINITION: "Definitions refer to each other in a circle.",
    Code.TOO_DEEP: "An expression is nested deeper than 100 nodes.",
    Code.TOO_MANY_NODES: "A file expands to more nodes than the limit (200,000 unless told otherwise).",
    Code.NOT_FINITE: "A number is not finite.",
    Code.NUMBER_TOO_LARGE: "A number is beyond 2^53 in size.",
    Code.CANNOT_SCALE: "Decimals in one expression cannot be scaled to whole numbers below 2^53.",
    Code.EMPTY_DOMAIN: "A variable, set or range has no value to take.",
    Code.VARIABLE_WITHOUT_PART: "A variable belongs to no part.",
    Code.VARIABLE_IN_TWO_PARTS: "A variable belongs to two parts.",
    Code.EMPTY_PART: "A part has no variables.",
    Code.NO_PRIVATE_FEATURE: "A part has no feature of its own (the paper's rule for basic parts).",
    Code.FEATURE_WITHOUT_VARIABLES: "A feature mentions no variable, so no part owns it.",
    Code.DECLARED_FEATURES_DIFFER: "The features declared for a part are not the ones that depend on it.",
    Code.BAD_GROUPS: "A group for a coarser part names an unknown part, or one that another group has.",
    Code.CHECK_FAILED: "A check written in the problem file does not hold for these parameters.",
    Code.ALIKE_VALUES: "Warning: no feature tells these values of a variable apart, so nobody's taste for one is learned.",
    Code.SCALES_DIFFER: "Warning: one feature ranges more than 100 times as far as another, constraints aside.",
    Code.SHARED_PART: "Warning: a part has no feature of its own (the file allows it).",
    Code.LARGE_PART: "Warning: a part has far more variables than the others.",
    Code.ALWAYS_HOLDS: "Warning: a constraint can never fail.",
    Code.NEVER_HOLDS: "Warning: a constraint can never hold.",
    Code.LONELY_FEATURE: "Warning: a feature names a part by its index, and no other part has one of its kind.",
    Code.BAD_PARAMETER: "A problem parameter is unknown or has a value it cannot take.",
    Code.BAD_CONFIGURATION: "A configuration has unknown or missing variables or wrong values, or starts infeasible.",
    Code.BAD_VALUE: "A value is outside what the request allows.",
    Code.MISSING_DEPENDENCY: "An optional package is needed and not installed.",
    Code.CANNOT_WRITE: "A file could not be written.",
    Code.UNSUPPORTED: "A backend cannot honour an option.",
    Code.SCOPE_TOO_LARGE: "A scope has too many configurations to be enumerated.",
    Code.NUMBERS_OUT_OF_RANGE: "Numbers are too large, or too far apart in size, for a backend to tell neighbours apart.",
    Code.BACKEND_CONTRACT: "A backend said something that is not true.",
    Code.BAD_TRACES: "Recorded traces are damaged, empty, or have other columns or rows than traces have.",
    Code.TYPES_OUTDATED: "A module of types was made from another problem, or from this one as it was.",
    Code.LIMIT_REACHED: "A limit stopped a solver before it had what was needed.",
    Code.CELL_FAILED: "A simulated user of an experiment could not be run; all others were.",
    Code.PLUGIN_BROKEN: "What another package offers under a name, or a file of your own has, cannot be loaded or used.",
    Code.INFEASIBLE: "Values violate hard constraints, which are named.",
    Code.OUTSIDE_PART: "A variable outside the part in question would be changed.",
    Code.STALE_ANSWER: "An answer belongs to a query that is no longer open.",
    Code.NOTHING_TO_UNDO: "There is no answer or pin left to take back.",
    Code.LOG_BROKEN: "A log has a line that is not a complete event, or events out of order.",
    Code.LOG_OF_ANOTHER_PROBLEM: "A log was written for a problem with other content.",
    Code.LOG_IN_USE: "Another process is writing to the log.",
    Code.LOG_MOVED_ON: "The log has other events than expected: somebody else wrote to it first, or it exists already.",
}


@dataclass(frozen=True, slots=True)
class Location:
    """Where something was found; lines and columns count from 1."""

    file: str | None = None
    line: int | None = None
    column: int | None = None
    subject: str | None = None

    def __str__(self) -> str:
        file = None if self.file is None else shown(self.file, MAX_PLACE)
        return ":".join(str(part) for part in (file, self.line, self.column) if part is not None)


def shown(text: str, limit: int = MAX_MESSAGE) -> str:
    """Text from anywhere as it may stand in a line for people: nothing in it moves the cursor, and it is short."""
    return shortened(printable(shortened(text, limit)), limit)


DataPath: TypeAlias = tuple[str | int, ...]
"""Where in a document something is: the keys and positions on the way to it."""


@dataclass(frozen=True, slots=True)
class Issue(JsonForm):
    """One finding: what is wrong, how to fix it, and where it is."""

    FORM: ClassVar[tuple[str, ...]] = (
        *("code", "message", "hint"),
        *("location.file", "location.line", "location.column", "location.subject"),
    )
    code: Code
    message: str
    hint: str | None = None
    location: Location = Location()
    path: DataPath = ()
    """Where in the document it was found; a loader turns this into a line and a column."""
    one_of_several: bool = False
    """Whether the value may be of several forms and fits none."""

    def __post_init__(self) -> None:
        """However long the names in a file are, a finding about them can be read, and thousands can be held."""
        object.__setattr__(self, "message", shortened(self.message, MAX_MESSAGE))
        if self.hint is not None:
            object.__setattr__(self, "hint", shortened(self.hint, MAX_HINT))

    def __str__(self) -> str:
        """`file:line:column: code: message (hint)`, the form editors and scripts understand; always one line."""
        where = str(self.location)
        subject = f"{shown(self.location.subject, MAX_PLACE)}: " if self.location.subject else ""
        hint = f" ({shown(self.hint, MAX_HINT)})" if self.hint else ""
        return f"{where + ': ' if where else ''}{self.code}: {subject}{shown(self.message)}{hint}"


class PclError(JsonForm, Exception):
    """The root of every error pcl raises on purpose; `issues` holds at least one finding, and not too many."""

    FORM: ClassVar[tuple[str, ...]] = ("code", "message", "hint", "conflict", "issues", "more")
    exit_code = 2
    issues: tuple[Issue, ...]
    more: int
    """How many findings are known of beside these; there may be others that nobody looked for."""

    def __init__(self, issues: Issue | Sequence[Issue], more: int = 0) -> None:
        found = (issues,) if isinstance(issues, Issue) else tuple(issues)
        self.issues = found[:MAX_FINDINGS]
        self.more = more + len(found) - len(self.issues)
        super().__init__("\n".join(self.lines()))

    def lines(self) -> list[str]:
        """A line for each finding, and one that says if they are not all."""
        said = [str(issue) for issue in self.issues]
        return [*said, f"... and at least {self.more:,} more"] if self.more else said

    @property
    def code(self) -> Code:
        return self.issues[0].code

    @property
    def message(self) -> str:
        return self.issues[0].message

    @property
    def hint(self) -> str | None:
        return self.issues[0].hint

    @property
    def conflict(self) -> tuple[str, ...]:
        """Names of constraints that cannot hold together, where that is what is wrong."""
        return ()


class ProblemError(PclError):
    """A problem, or the file it comes from, is not valid."""


class MisuseError(ProblemError, TypeError):
    """Something in Python code is of a sort that cannot stand there; where Python expects it, a TypeError as well."""


class RequestError(PclError):
    """A request is not valid: an unknown name, a value out of range, a configuration that does not fit."""


class InfeasibleError(RequestError):
    """Values cannot stand together; the constraints in conflict are named."""

    exit_code = 3

    def __init__(self, issues: Issue | Sequence[Issue], constraints: tuple[str, ...]) -> None:
        super().__init__(issues)
        self.constraints = constraints

    @property
    def conflict(self) -> tuple[str, ...]:
        return self.constraints


class UndecidedError(PclError):
    """A limit stopped a solver before something was known that cannot be done without."""

    exit_code = 4

    def __init__(self, message: str) -> None:
        super().__init__(Issue(Code.LIMIT_REACHED, message, "allow more time, or choose another backend"))


class MissingDependencyError(PclError):
    """Something optional is needed and not installed."""

    exit_code = 5
