"""What loading a hostile file costs: `python -m tests.core.authoring.measure FOLDER` prints a line of JSON a file.

Each file is loaded in a process of its own, forked from one that has imported `pcl_core` and loaded nothing. Memory is
the peak of that process' resident set minus what it had when it was forked.
"""

import json
import os
import resource
import sys
import time
from pathlib import Path
from typing import Any

from tests.core.authoring.hostile import made

from pcl_core.authoring import workspace
from pcl_core.authoring.environment import Budget
from pcl_core.authoring.load import load
from pcl_core.errors import PclError

SECONDS = 60
BYTES = 3_000_000_000
"""Where a file is not answered within these, its process is ended, and the file counts as not answered."""


class Counted(Budget):
    """Remembers the last of its kind."""

    last: "Counted | None" = None

    def __init__(self, limit: int) -> None:
        super().__init__(limit)
        Counted.last = self


def peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def cost(path: Path) -> dict[str, Any]:
    """The answer to one file."""
    setattr(workspace, "Budget", Counted)  # noqa: B010
    before, began = peak(), time.process_time()
    found: dict[str, Any] = {"codes": [], "findings": 0, "longest": 0, "answer": "valid"}
    try:
        load(path)
    except PclError as error:
        said = str(error)
        found |= {
            "codes": sorted({issue.code.value for issue in error.issues}),
            "findings": len(error.issues),
            "longest": max(map(len, said.splitlines())) - len(str(path)),
            "placed": all(issue.location.file and issue.location.line for issue in error.issues),
            "answer": str(error.issues[0]).replace(str(path.parent), "")[:100],
        }
    found["seconds"] = time.process_time() - began
    found["megabytes"] = peak() - before
    found["steps"] = 0 if Counted.last is None else Counted.last.spent
    found["limit"] = 0 if Counted.last is None else Counted.last.limit
    return found


def in_child(path: Path) -> dict[str, Any]:
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
            os.write(write, json.dumps(cost(path)).encode())
        except BaseException as error:
            os.write(write, json.dumps({"failed": f"{type(error).__name__}: {error}"[:500]}).encode())
        finally:
            os._exit(0)
    os.close(write)
    with open(read, "rb") as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return dict(json.loads(said)) if said else {"failed": "ended by a signal"}


def main() -> None:
    for name, path in made(Path(sys.argv[1])):
        found = {"name": name, "bytes": sum(file.stat().st_size for file in path.parent.iterdir()), **in_child(path)}
        sys.stdout.write(json.dumps(found) + "\n")
        sys.stdout.flush()
        for file in path.parent.iterdir():
            file.unlink()


if __name__ == "__main__":
    main()
