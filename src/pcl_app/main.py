"""`pcl`, the entry point. It imports the commands where ctrl-C is already answered, for that takes a while."""

import sys


def run() -> None:
    """Start the program; ctrl-C is a sentence and an exit code, also while it is being loaded."""
    try:
        from pcl_app.application import start

        start()
    except KeyboardInterrupt:
        print("pcl: interrupted", file=sys.stderr)  # noqa: T201
        sys.exit(130)
