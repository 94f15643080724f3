"""Finished work on disk, under the hash of what it is the result of. What is there is not computed again."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

from pcl_app.output import make_folder
from pcl_core.errors import Code, Issue, Location, RequestError


class Store:
    """A folder of results. Files appear complete or not at all, and know what they should hold."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.damaged: list[str] = []
        """Files that were there but cannot be trusted; their results are computed again."""
        make_folder(folder)

    def load(self, key: str) -> Any | None:
        """The result kept under a key, or None."""
        path = self._path(key)
        try:
            text = path.read_bytes()
        except FileNotFoundError:
            return None
        except OSError as error:
            message = f"cannot read a kept result: {error.strerror}"
            raise RequestError(Issue(Code.FILE_UNREADABLE, message, None, Location(str(path)))) from None
        head, _, body = text.partition(b"\n")
        if head.decode("ascii", "replace") != _digest(key, body):
            self.damaged.append(path.name)
            return None
        return json.loads(body)

    def save(self, key: str, result: Any) -> None:
        body = json.dumps(result, allow_nan=False, separators=(",", ":")).encode()
        path = self._path(key)
        fresh = path.with_suffix(f".{os.getpid()}.new")
        try:
            fresh.write_bytes(_digest(key, body).encode() + b"\n" + body)
            os.replace(fresh, path)
        except OSError as error:
            fresh.unlink(missing_ok=True)
            raise _cannot(path, error) from None

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.cell"


def _digest(key: str, body: bytes) -> str:
    return hashlib.sha256(key.encode() + body).hexdigest()


def _cannot(path: Path, error: OSError) -> RequestError:
    message = f"cannot keep a result: {error.strerror}"
    hint = "finished work is kept; make room or permission, and run the same command again"
    return RequestError(Issue(Code.CANNOT_WRITE, message, hint, Location(str(path))))
