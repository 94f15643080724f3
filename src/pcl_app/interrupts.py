"""What ctrl-C does while modules are being made: raised there, it would come out as all sorts of errors."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

INTERRUPTED = "pcl: interrupted"


@contextmanager
def leaving_at_once() -> Iterator[None]:
    """Meanwhile an interrupt is not raised: it ends the process with a sentence and an exit code."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:  # who starts a program in the background may want it to hear nothing
        signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave(number: int, frame: FrameType | None) -> None:
    os.write(2, f"{INTERRUPTED}\n".encode())
    os._exit(130)
