"""`pcl`, the entry point. Whatever takes time to import is imported where ctrl-C is already answered."""

import sys


def run() -> None:
    """Whatever happens becomes a sentence and an exit code."""
    try:
        from pcl_app.application import start

        start()
    except KeyboardInterrupt:
        print("pcl: interrupted", file=sys.stderr)  # noqa: T201
        sys.exit(130)
