"""What work needs before it begins, and writing its results: what cannot be written is said with its path, and nothing is
left half-written.
"""

import importlib.util
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from pcl_core.errors import Code, Issue, Location, MissingDependencyError, RequestError


def need(module: str, extra: str) -> None:
    """Refuse before any work what could not be finished without a package."""
    if importlib.util.find_spec(module) is None:
        issue = Issue(Code.MISSING_DEPENDENCY, f"this needs {module}", f"pip install 'pcl-elicit[{extra}]'")
        raise MissingDependencyError(issue)


def need_working_folder() -> None:
    """Refuse before any work what starts other programs, where the folder that these would start in is gone."""
    try:
        os.getcwd()
    except OSError:
        message = "the folder in which pcl was started is gone, and other programs cannot be started in it"
        raise RequestError(Issue(Code.FILE_NOT_FOUND, message, "change to a folder that is there")) from None


def make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        files = [place for place in (path, *path.parents) if os.path.isfile(place)]
        if files:
            message = "a folder is needed here, and this is a file"
            raise RequestError(Issue(Code.CANNOT_WRITE, message, None, Location(str(files[0])))) from None
        raise _cannot_write(path, "make the folder", error) from None


def write_file(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise _cannot_write(path, "write the file", error) from None


@contextmanager
def replacing(target: Path, what: str = "write the file", hint: str | None = None) -> Iterator[Path]:
    """A temporary file that then takes the target's name: a reader never sees half a file, nor a failure an empty one.

    `what` could not be done and a `hint` are for who reads of a failure.
    """
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    try:
        yield temporary
        os.replace(temporary, target)
    except OSError as error:
        raise _cannot_write(target, what, error, hint) from None
    finally:
        with suppress(OSError):  # where it could not be made, it cannot be removed either
            temporary.unlink()


def remove_file(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError as error:
        raise _cannot_write(path, "remove the file", error) from None


def _cannot_write(path: Path, what: str, error: OSError, hint: str | None = None) -> RequestError:
    said = error.strerror or (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
    return RequestError(Issue(Code.CANNOT_WRITE, f"cannot {what}: {said}", hint, Location(str(path))))
