"""Code in a file of one's own, without a package: `file.py:Name`, with options `file.py:Name:key=value,...`.

What the file said when it was read travels with it: to workers that do not have the file, and into the identity of what
it computed. Nothing here reads a path: whoever may run somebody's files reads them, and names in logs run nothing.
"""

import hashlib
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from types import ModuleType, TracebackType
from typing import Final

from pcl_core.errors import Code, Issue, Location, RequestError, suggest

REFERENCE: Final = re.compile(
    r"(?P<file>.+?\.py)(?::(?P<name>[^\W\d]\w*))?(?:@(?P<digest>[0-9a-f]{12}))?(?::(?P<options>.*))?"
)
DIGITS: Final = 12
MARK: Final = "__pcl_own_file__"
"""In the globals of such a module: which file it is."""
STANDS_ALONE: Final = "a file stands alone: it may import what is installed, and not what lies beside it"


@dataclass(frozen=True)
class OwnFile:
    """An object in a file: where the file is, how the object is called there, its options, and the source itself."""

    file: str
    name: str
    options: str
    text: str

    @classmethod
    def of(cls, reference: str, read_file: Callable[[str], str]) -> "OwnFile":
        """What a reference means; `read_file` is told the path in it. One with a digest means that very text."""
        read = REFERENCE.fullmatch(reference)
        assert read is not None, "only what is_own_file says is one"
        found = cls(read["file"], read["name"] or "", read["options"] or "", read_file(read["file"]))
        where = Location(found.file)
        if not found.name:
            hint = f"write it as {found.file}:Name, or {found.file}:Name:key=value with options"
            raise RequestError(Issue(Code.BAD_VALUE, f"'{reference:.80}' does not say what in the file is meant", hint))
        if read["digest"] not in (None, found.digest):
            message = (
                f"this is another file than the one meant: its hash begins with {found.digest}, not {read['digest']}"
            )
            raise RequestError(
                Issue(Code.BAD_VALUE, message, "take the file as it was, or leave out @ and the hash", where)
            )
        return found

    @property
    def sha256(self) -> str:
        """Of the source: what `sha256sum` says of the file, in UTF-8."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    @property
    def digest(self) -> str:
        return self.sha256[:DIGITS]

    @property
    def stem(self) -> str:
        """The file without the folder."""
        return PurePath(self.file).name

    def __str__(self) -> str:
        """What it is called in results: an edited file has another hash, and so another name; a moved one has the same."""
        return self._at(self.stem)

    @property
    def reference(self) -> str:
        """What finds it again, and refuses a file that was edited meanwhile."""
        return self._at(self.file)

    def _at(self, place: str) -> str:
        return f"{place}:{self.name}@{self.digest}" + (f":{self.options}" if self.options else "")

    def load(self) -> object:
        """The object; whatever the file raises passes. The same text is run once in a process."""
        module = self._module()
        if not hasattr(module, self.name):
            there = [
                name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
            ]
            message = f"there is no '{self.name}' in this file"
            raise RequestError(Issue(Code.UNKNOWN_NAME, message, suggest(self.name, there), Location(self.file)))
        found: object = getattr(module, self.name)
        return found

    def _module(self) -> ModuleType:
        name = f"pcl_own_file_{hashlib.sha256(f'{self.file} {self.text}'.encode()).hexdigest()[:DIGITS]}"
        if name in sys.modules:
            return sys.modules[name]
        module = ModuleType(name)
        vars(module).update({"__file__": self.file, MARK: self})
        code = compile(self.text, self.file, "exec", dont_inherit=True)
        sys.modules[name] = module  # dataclasses and Pydantic look for the module of a class
        try:
            exec(code, vars(module))
        except BaseException:
            del sys.modules[name]
            raise
        return module


def is_own_file(text: str) -> bool:
    """Whether a name means something in a file."""
    return REFERENCE.fullmatch(text) is not None


def line_in_own_file(error: BaseException) -> tuple[str, int] | None:
    """The innermost line of somebody's own file where an error came about."""
    found: tuple[str, int] | None = None
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        own = trace.tb_frame.f_globals.get(MARK)
        if isinstance(own, OwnFile):
            found = own.file, trace.tb_lineno
        trace = trace.tb_next
    return found


def place_of(own: OwnFile, error: BaseException) -> Location:
    """Where in the file an error is: a line that Python cannot read, or the innermost one that ran."""
    if isinstance(error, SyntaxError) and error.filename == own.file:
        return Location(own.file, error.lineno, error.offset)
    return Location(*(line_in_own_file(error) or (own.file,)))
