"""What one expansion of a file has in hand: names, findings, and the way from a text to its place."""

import keyword
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from pydantic import ValidationError

from pcl_core.authoring import data
from pcl_core.authoring.document import Index
from pcl_core.authoring.expressions import expansion
from pcl_core.authoring.functions import FUNCTIONS
from pcl_core.authoring.infix import ExpressionError
from pcl_core.authoring.scope import AlreadyReportedError, Budget, Expansion, Loop, Names
from pcl_core.authoring.templates import Template, template
from pcl_core.authoring.values import Member, Value
from pcl_core.authoring.yaml_source import Document
from pcl_core.authoring.yaml_source import Path as DocumentPath
from pcl_core.errors import Code, Issue, ProblemError, suggest
from pcl_core.ir.numbers import NumberError
from pcl_core.model.shape import issues_from_validation


class Workspace:
    """Collects findings; an object that fails is reported once and what depends on it stays silent."""

    def __init__(self, document: Document, folder: Path | None, limit: int) -> None:
        self.document = document
        self.folder = folder
        self.names = Names(budget=Budget(limit, limit))
        self.issues: list[Issue] = []

    @contextmanager
    def guard(self, path: DocumentPath, subject: str) -> Iterator[None]:
        """Turn whatever goes wrong inside into a finding at this place."""
        try:
            yield
        except ExpressionError as error:
            where = self.document.location(path, error.offset, subject)
            self.issues.append(Issue(error.code, error.message, error.hint, where))
        except NumberError as error:
            self.issues.append(Issue(error.code, str(error), None, self.document.location(path, 0, subject)))
        except ProblemError as error:
            self.issues.extend(error.issues)
        except ValidationError as error:
            where = self.document.location(path, 0, subject)
            self.issues.extend(Issue(i.code, i.message, i.hint, where) for i in issues_from_validation(error))
        except AlreadyReportedError:
            return

    def claim(self, name: str, path: DocumentPath, sort: str) -> bool:
        """Whether a new name may be used; names of all sorts share one space."""
        if keyword.iskeyword(name) or name in FUNCTIONS or name in ("true", "false", "bool"):
            code, message = Code.BAD_NAME, f"'{name}' has a meaning of its own in expressions"
        elif name in self.names.broken or any(name == known for known in self.names.all()):
            code, message = Code.DUPLICATE_NAME, f"there is already something called '{name}'"
        else:
            return True
        where = self.document.location((*path, ""), subject=f"{sort} '{name}'")
        self.issues.append(Issue(code, message, "choose another name", where))
        return False

    def expand(self, text: str, path: DocumentPath, bound: frozenset[str] = frozenset()) -> Expansion:
        try:
            return expansion(text, self.names, bound)
        except ExpressionError as error:
            raise ProblemError(
                Issue(error.code, error.message, error.hint, self.document.location(path, error.offset))
            ) from None

    def set(self, name: str, path: DocumentPath) -> tuple[Member, ...]:
        if name in self.names.broken:
            raise AlreadyReportedError(name)
        if name not in self.names.sets:
            hint = suggest(name, self.names.sets)
            where = self.document.location(path)
            raise ProblemError(Issue(Code.UNKNOWN_NAME, f"unknown set '{name}'", hint, where))
        return self.names.sets[name]

    def static(self, text: str, path: DocumentPath) -> Value:
        made = self.expand(text, path)
        if not made.static:
            raise ExpressionError(Code.NOT_STATIC, "this must be known before solving")
        return made.run({})

    def loops(self, foreach: Mapping[str, object], path: DocumentPath) -> tuple[list[Loop], frozenset[str]]:
        """The loops of `foreach`; a later one may use the variables of an earlier one."""
        loops: list[Loop] = []
        bound: frozenset[str] = frozenset()
        for key, members in foreach.items():
            targets = tuple(target.strip() for target in key.split(","))
            for target in targets:
                if not target.isidentifier() or keyword.iskeyword(target):
                    where = self.document.location((*path, key, ""))
                    raise ProblemError(
                        Issue(Code.BAD_NAME, f"'{target[:60]}' is not a name for a loop variable", None, where)
                    )
            if isinstance(members, list):
                listed: list[Value] = [data.member(item) for item in members]
                made = Expansion(lambda env, listed=listed: listed, True)  # type: ignore[misc]
            else:
                made = self.expand(str(members), (*path, key), bound)
            if not made.static:
                raise ExpressionError(Code.NOT_STATIC, "what a loop runs over must be known before solving")
            loops.append(Loop(targets, made, []))
            bound |= set(targets)
        return loops, bound

    def index(self, index: Index | None, path: DocumentPath) -> dict[str, object]:
        if index is None:
            return {}
        if isinstance(index, dict):
            return dict(index)
        for at, name in enumerate(index):
            self.set(name, (*path, "index", at))
        if len(set(index)) < len(index):
            hint = "name the loop variables: index: {a: set, b: set}"
            raise ExpressionError(Code.DUPLICATE_NAME, "the same set indexes the array twice", hint)
        return {name: name for name in index}

    def template(self, text: str, path: DocumentPath, bound: frozenset[str] = frozenset()) -> Template:
        return template(text, lambda inner: self.expand(inner, path, bound))
