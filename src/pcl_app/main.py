"""`pcl`, the entry point. It imports the commands where ctrl-C is already answered, for that takes a while."""

import os
import signal
import sys
from types import FrameType

INTERRUPTED = "pcl: interrupted\n"


def run() -> None:
    """Start the program; ctrl-C is a sentence and an exit code, also while it is being loaded."""
    # An interrupt that is raised while modules are being made comes out as all sorts of errors; this one is not raised.
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.SIG_IGN:  # who starts a program in the background may want it to hear nothing
        signal.signal(signal.SIGINT, _leave)
    # Pydantic would read what all packages offer to it, which takes time, and fails where one of them is damaged.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    from pcl_app.application import start

    signal.signal(signal.SIGINT, before)
    try:
        start()
    except KeyboardInterrupt:
        sys.stderr.write(INTERRUPTED)
        sys.exit(130)


def _leave(number: int, frame: FrameType | None) -> None:
    os.write(2, INTERRUPTED.encode())
    os._exit(130)
