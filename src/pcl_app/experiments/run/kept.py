"""Finished work on disk, under the hash of what it is the result of. What is there is not computed again."""

import hashlib
import json
from pathlib import Path
from typing import Any

from pcl_app.writing import make_folder, replacing
from pcl_core.errors import Code, Issue, Location, RequestError

KEPT = "finished work is kept; make room or permission, and run the same command again"


class KeptResults:
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
        with replacing(self._path(key), "keep a result", KEPT) as temporary:
            temporary.write_bytes(_digest(key, body).encode() + b"\n" + body)

    def _path(self, key: str) -> Path:
        return self.folder / f"{key}.cell"


def _digest(key: str, body: bytes) -> str:
    return hashlib.sha256(key.encode() + body).hexdigest()
