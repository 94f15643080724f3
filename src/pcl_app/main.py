"""`pcl`, the command line.

Exit codes: 0 done; 1 a bug; 2 wrong input; 3 infeasible; 4 stopped by a limit with nothing found; 5 something
optional is missing. Results go to stdout, everything else to stderr.
"""

import gc
import os
import sys
import traceback

import typer

from pcl_app.commands import comparing, demonstrating, describe, eliciting, experimenting, files, solving
from pcl_core.errors import PclError

MAX_FINDINGS = 50

app = typer.Typer(
    name="pcl",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Constructive preference elicitation, one part at a time.",
)
for _module in (describe, files, solving, eliciting, experimenting, comparing, demonstrating):
    for _name in _module.COMMANDS:
        app.command()(getattr(_module, _name))


def run() -> None:
    """The entry point: whatever happens becomes a sentence and an exit code."""
    gc.set_threshold(100_000, 20, 20)  # problems are large and live long; the default scans them over and over
    try:
        try:
            app()
        finally:
            sys.stdout.flush()  # a full disk shows here, and not after everything looked fine
    except PclError as error:
        for issue in error.issues[:MAX_FINDINGS]:
            print(issue, file=sys.stderr)  # noqa: T201
        if len(error.issues) > MAX_FINDINGS:
            print(f"... and {len(error.issues) - MAX_FINDINGS} more", file=sys.stderr)  # noqa: T201
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        print("pcl: interrupted", file=sys.stderr)  # noqa: T201
        sys.exit(130)
    except BrokenPipeError:
        # The reader went away (`pcl ... | head`); keep the interpreter from failing again while it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except OSError as error:
        print(f"pcl: cannot write the output: {error.strerror}", file=sys.stderr)  # noqa: T201
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(2)
    except Exception as error:
        print(f"pcl: this is a bug, please report it: {type(error).__name__}: {error}", file=sys.stderr)  # noqa: T201
        if os.environ.get("PCL_DEBUG"):
            traceback.print_exc()
        else:
            print("pcl: set PCL_DEBUG=1 to see where it happened", file=sys.stderr)  # noqa: T201
        sys.exit(1)
