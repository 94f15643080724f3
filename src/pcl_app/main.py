"""`pcl`, the entry point. It imports the program where ctrl-C is already answered, for that takes a while."""

import os
import sys

from pcl_app.streams import INTERRUPTED, leaving_at_once
from pcl_app.threads import one_thread


def run() -> None:
    """Start the program; ctrl-C is a sentence and an exit code, also while it is being loaded."""
    # Pydantic would read what all packages offer to it, which takes time, and fails where one of them is damaged.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    one_thread()
    with leaving_at_once():
        from pcl_app.application import start
    try:
        start()
    except KeyboardInterrupt:
        sys.stderr.write(f"{INTERRUPTED}\n")
        sys.exit(130)
