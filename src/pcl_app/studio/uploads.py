"""Uploaded problem files: read by a process with limits, since whoever wrote them may mean us no good."""

import asyncio
import json
import sys
from typing import Any

from pcl_app.studio.errors import Refused, refused, refused_by_core
from pcl_app.studio.settings import StudioSettings
from pcl_core.errors import Code
from pcl_core.wording import printable

CHILD = "pcl_app.limited_reading"
AT_ONCE = 2


class Uploads:
    """Reads a few files at a time."""

    def __init__(self, settings: StudioSettings) -> None:
        self._settings = settings
        self._turn = asyncio.Semaphore(AT_ONCE)

    async def read(self, name: str, text: str) -> dict[str, Any]:
        """The ground problem of a text and its sizes; whatever is wrong is raised with the lines where it is."""
        limits = self._settings
        if len(text.encode("utf-8", "replace")) > limits.upload_bytes:
            raise refused(413, Code.FILE_TOO_LARGE, f"the file is larger than {limits.upload_bytes:,} bytes")
        given = {"name": printable(name)[:120] or "problem.yaml", "text": text, "nodes": limits.upload_nodes}
        async with self._turn:
            found = await self._in_a_child(json.dumps(given).encode())
        if "error" in found:
            raise refused_by_core(found["error"])
        return found

    async def _in_a_child(self, given: bytes) -> dict[str, Any]:
        limits = self._settings
        child = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", CHILD, str(int(limits.upload_seconds)), str(limits.upload_memory)),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
        try:
            written, _ = await asyncio.wait_for(child.communicate(given), limits.upload_seconds * 2)
        except TimeoutError:
            raise _too_much() from None
        finally:
            if child.returncode is None:
                child.kill()
                await child.wait()
        if child.returncode != 0:
            raise _too_much()
        found: dict[str, Any] = json.loads(written)
        return found


def _too_much() -> Refused:
    message = "the file takes too long to read, or too much memory"
    return refused(422, Code.TOO_MANY_NODES, message, "is there a loop over very many values? make it smaller")
