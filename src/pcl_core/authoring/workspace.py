"""What one expansion of a file has in hand: names, findings, and the way from a text to its place."""

import keyword
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeAlias

from pydantic import ValidationError

from pcl_core.authoring import data
from pcl_core.authoring.document import Index
from pcl_core.authoring.environment import (
    MAX_LOOPS,
    AlreadyReportedError,
    Bindings,
    Budget,
    Expansion,
    Loop,
    Names,
    as_members,
    known_truth,
)
from pcl_core.authoring.expressions import expansion, narrowing
from pcl_core.authoring.findings import once
from pcl_core.authoring.functions import FUNCTIONS
from pcl_core.authoring.infix import ExpressionError
from pcl_core.authoring.values import Expanded, Member, shown
from pcl_core.documents import KEY, Document, issues_from_validation
from pcl_core.errors import MAX_FINDINGS, Code, DataPath, Issue, ProblemError, suggest
from pcl_core.ir.numbers import NumberError

_WORD = re.compile(r"\w+")
_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
Piece: TypeAlias = Callable[[Bindings], str]


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


class Workspace:
    """Collects findings; an object that fails is reported once and what depends on it stays silent."""

    def __init__(self, document: Document, folder: Path | None, limit: int) -> None:
        self.document = document
        self.folder = folder
        self.names = Names(budget=Budget(limit))
        self.issues: list[Issue] = []

    def report(self, *issues: Issue) -> None:
        """Note findings; beyond a number that anyone would read, nothing more is looked at."""
        self.issues.extend(issues)
        if len(self.issues) > MAX_FINDINGS:
            raise ProblemError(once(self.issues))

    @contextmanager
    def guard(self, path: DataPath, subject: str) -> Iterator[None]:
        """Turn whatever goes wrong inside into a finding at this place."""
        try:
            yield
        except ExpressionError as error:
            where = self.document.location(error.path or path, error.offset, subject)
            self.report(Issue(error.code, error.message, error.hint, where))
            if error.code is Code.TOO_MANY_NODES:  # whatever comes next would be blamed for it too
                raise ProblemError(once(self.issues)) from None
        except NumberError as error:
            self.report(Issue(error.code, str(error), None, self.document.location(path, 0, subject)))
        except ProblemError as error:
            if self.issues and error.issues[0] is self.issues[0]:  # they are all here already, and too many
                raise
            self.report(
                *(
                    replace(issue, location=replace(issue.location, subject=issue.location.subject or subject))
                    for issue in error.issues
                )
            )
        except ValidationError as error:
            where = self.document.location(path, 0, subject)
            self.report(*(Issue(i.code, i.message, i.hint, where) for i in issues_from_validation(error)))
        except AlreadyReportedError:
            return

    def claim(self, name: str, path: DataPath, sort: str) -> bool:
        """Whether a new name may be used; names of all sorts share one space."""
        if keyword.iskeyword(name) or name in FUNCTIONS or name in ("true", "false", "bool"):
            code, message = Code.BAD_NAME, f"'{name}' has a meaning of its own in expressions"
        elif name in self.names.broken or self.names.has(name):
            code, message = Code.DUPLICATE_NAME, f"there is already something called '{name}'"
        else:
            return True
        where = self.document.location((*path, KEY), subject=f"{sort} '{name}'")
        self.report(Issue(code, message, "choose another name", where))
        self.names.broken.add(name)  # which of the two is meant where it is used cannot be known
        return False

    def expand(self, text: str, path: DataPath, bound: frozenset[str] = frozenset(), start: int = 0) -> Expansion:
        """An expression that starts somewhere in the text at a path; its errors know that place."""
        with _located(path, start):
            made = expansion(text, self.names, bound)

        def run(env: Bindings) -> Expanded:  # called for every binding of every loop, so no context manager here
            try:
                return made.run(env)
            except ExpressionError as error:
                _locate(error, path, start)
                raise

        return Expansion(run, made.static, made.number)

    def condition(self, text: str, path: DataPath, bound: frozenset[str]) -> Expansion:
        """A truth value that is known before solving."""
        made = self.expand(text, path, bound)

        def run(env: Bindings) -> Expanded:
            with _located(path, 0):
                return known_truth(made.run(env), "if")

        with _located(path, 0):
            if not made.static:
                raise ExpressionError(Code.NOT_STATIC, "`if` must be known before solving", "use implies(...) instead")
        return Expansion(run, True)

    def members_of(self, name: str, path: DataPath) -> tuple[Member, ...]:
        """The members of a set that stands in a list of indices: its name, or an expression."""
        if not name.isidentifier():
            with _located(path, 0):
                return tuple(as_members(self.static(name, path)))
        if name in self.names.broken:
            raise AlreadyReportedError(name)
        if name not in self.names.sets:
            hint = suggest(name, self.names.sets)
            where = self.document.location(path)
            raise ProblemError(Issue(Code.UNKNOWN_NAME, f"unknown name '{name}'", hint, where))
        return self.names.sets[name]

    def static(self, text: str, path: DataPath) -> Expanded:
        made = self.expand(text, path)
        with _located(path, 0):
            if not made.static:
                raise ExpressionError(Code.NOT_STATIC, "this must be known before solving")
        return made.run({})

    def loops(self, foreach: Mapping[str, object], path: DataPath) -> tuple[list[Loop], frozenset[str]]:
        """The loops of `foreach`; a later one may use the variables of an earlier one."""
        loops: list[Loop] = []
        bound: frozenset[str] = frozenset()
        for key, members in foreach.items():
            targets = tuple(target.strip() for target in key.split(","))
            for target in targets:
                if not target.isidentifier() or keyword.iskeyword(target):
                    where = self.document.location((*path, key, KEY))
                    raise ProblemError(
                        Issue(Code.BAD_NAME, f"'{target[:60]}' is not a name for a loop variable", None, where)
                    )
            if isinstance(members, list):
                listed: list[Expanded] = [data.member(item) for item in members]
                made = Expansion(lambda env, listed=listed: listed, True)  # type: ignore[misc]
                size: int | None = len(listed)
            else:
                made = self.expand(str(members), (*path, key), bound)
                size = self._size(made) if bound.isdisjoint(_WORD.findall(str(members))) else None
            with _located((*path, key), 0):
                if not made.static:
                    raise ExpressionError(Code.NOT_STATIC, "what a loop runs over must be known before solving")
            loops.append(Loop(targets, self._members(made, (*path, key)), [], (*path, key), size=size))
            bound |= set(targets)
        if len(loops) > MAX_LOOPS:
            raise ExpressionError(Code.TOO_DEEP, f"more than {MAX_LOOPS} loops inside each other")
        return loops, bound

    def turns(
        self, foreach: Mapping[str, object], only_if: str | None, path: DataPath
    ) -> tuple[list[Loop], frozenset[str]]:
        """The loops of an entry of the file, with its `if`; without `foreach` there is one turn."""
        loops, bound = self.loops(foreach, (*path, "foreach"))
        if only_if is not None:
            condition = self.condition(only_if, (*path, "if"), bound)
            if not loops:
                loops.append(Loop((), Expansion(lambda env: [()], True), []))
            *outer, last = loops
            around = frozenset(target for loop in outer for target in loop.targets)
            narrowed = narrowing(only_if, self.names, last, around) if outer and last.size is not None else None
            loops[-1] = replace(last, conditions=[condition], narrowed=narrowed)
        return loops, bound

    def _size(self, made: Expansion) -> int | None:
        """How many members there are, where no loop around decides it; what is wrong with them is said later."""
        try:
            return len(as_members(made.run({}))) if made.static else None
        except ExpressionError as error:
            if error.code is Code.TOO_MANY_NODES:
                raise
            return None

    def _members(self, made: Expansion, path: DataPath) -> Expansion:
        def run(env: Bindings) -> Expanded:
            with _located(path, 0):
                return as_members(made.run(env))

        return Expansion(run, True)

    def index(self, index: Index | None, path: DataPath) -> dict[str, object]:
        if index is None:
            return {}
        if isinstance(index, dict):
            return dict(index)
        for at, name in enumerate(index):
            if any(isinstance(member, tuple) for member in self.members_of(name, (*path, "index", at))):
                hint = "index the array by two sets and use `if (a, b) in ...`"
                raise ExpressionError(Code.WRONG_KIND, f"the set of tuples '{name}' cannot index an array", hint)
        if len(set(index)) < len(index):
            hint = "name the loop variables: index: {a: set, b: set}"
            where = self.document.location((*path, "index"))
            raise ProblemError(Issue(Code.DUPLICATE_NAME, "the same set indexes the array twice", hint, where))
        return {name if name.isidentifier() else f"_{at}": name for at, name in enumerate(index)}

    def template(self, text: str, path: DataPath, bound: frozenset[str] = frozenset()) -> Template:
        """A text with {expressions} in it, for names, labels and patterns of names."""
        pieces: list[str | Piece] = []
        start = 0
        with _located(path, 0):
            for at, piece in enumerate(_PLACEHOLDER.split(text)):
                if at % 2 == 0:
                    if "{" in piece or "}" in piece:
                        raise ExpressionError(Code.BAD_EXPRESSION, f"'{text[:60]}' has a brace without its partner")
                    pieces += [piece] if piece else []
                else:
                    pieces.append(self._piece(piece, path, bound, start))
                start += len(piece) + 1
        return Template(tuple(pieces), self.names.budget)

    def _piece(self, text: str, path: DataPath, bound: frozenset[str], start: int) -> Piece:
        made = self.expand(text, path, bound, start)

        def run(env: Bindings) -> str:
            try:
                return shown(made.run(env))
            except ExpressionError as error:
                _locate(error, path, start)
                raise

        return run


@contextmanager
def _located(path: DataPath, start: int) -> Iterator[None]:
    """Errors from inside that have no place yet get this one."""
    try:
        yield
    except ExpressionError as error:
        _locate(error, path, start)
        raise


def _locate(error: ExpressionError, path: DataPath, start: int) -> None:
    if error.path is None:
        error.path, error.offset = path, error.offset + start
