"""All commands as one program.

Exit codes: 0 done; 1 a bug; 2 wrong input; 3 infeasible; 4 stopped by a limit with nothing found; 5 something
optional is missing; 130 interrupted. Results go to stdout, everything else to stderr.
"""

import gc
import os
import sys
import traceback
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from itertools import pairwise
from typing import Annotated, Any, NoReturn

import typer
import typer.main
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from pcl_app.streams import forgive_strange_bytes, leaving_at_once, silence_stdout, stdout_for_json
from pcl_core.errors import PclError, shown
from pcl_core.version import VERSION

COMPLETION = "_PCL_COMPLETE"
"""By this a shell asks what could follow a word; Typer answers."""


COMMANDS: dict[str, tuple[str, str]] = {
    "problems": ("describe", "List the catalogue."),
    "show": ("describe", "Show a problem's parts, features and what they share."),
    "evaluate": ("describe", "Compute a configuration's features and what it violates."),
    "validate": ("files", "Check a problem file."),
    "schema": ("files", "Print the JSON Schema of problem files."),
    "types": ("files", "Write a Python module with the types of a problem."),
    "ground": ("files", "Print the ground problem as canonical JSON."),
    "solve": ("solving", "Find the best configuration for given weights."),
    "explain": ("solving", "Name constraints that cannot hold together."),
    "backends": ("extending", "List the solvers, and how to get more."),
    "conformance": ("extending", "Test a backend with the conformance kit."),
    "plugins": ("extending", "List what other packages add, and what of it is broken."),
    "elicit": ("eliciting", "Say how a product should be, part by part, in the terminal."),
    "serve": ("serving", "Open the studio: elicitation on web pages, and the HTTP API."),
    "simulate": ("experimenting", "Elicit from simulated users and record every query."),
    "experiment": ("experimenting", "Run an experiment that is written down in a file."),
    "reproduce": ("experimenting", "Run the paper's experiments and check its claims."),
    "compare": ("comparing", "Draw and test recorded runs against each other."),
    "report": ("comparing", "Say how recipes serve people: questions and values typed."),
    "demo": ("demonstrating", "Plan a training week with somebody who knows what she wants."),
}
"""By name: the module of `pcl_app.commands` with a function of that name, and the first line of its docstring, as tests say."""


def listed(name: str) -> TyperCommand:
    """A command as the list of all shows it."""
    return TyperCommand(name, help=COMMANDS[name][1], rich_markup_mode=None)


def loaded(name: str) -> TyperCommand:
    """A command with its options, ready to run."""
    module = import_module(f"pcl_app.commands.{COMMANDS[name][0]}")
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name)(getattr(module, name))
    made = typer.main.get_command(alone)
    assert isinstance(made, TyperCommand)
    return made


class EscapedError(Exception):
    """Carries what a command raised past Typer, which would end the program in its own way and without a word."""

    def __init__(self, raised: BaseException) -> None:
        self.raised = raised


class Commands(TyperGroup):
    """The commands, each loaded when it is asked for; what ends one of them is answered in `start`."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**{**settings, "commands": {name: listed(name) for name in COMMANDS}})

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, found, rest = super().resolve_command(ctx, args)
        if name is not None:
            with leaving_at_once():
                found = loaded(name)
        return name, found, rest

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().make_context(*args, **kwargs)  # which shows the help, and nobody may be there to read it
        except OSError as error:
            raise EscapedError(error) from None

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except TyperException as error:  # "Value error" is how Typer says it, and nobody else
            error.message = shown(str(error.message).removeprefix("Value error, "))
            raise
        except (KeyboardInterrupt, OSError) as error:
            raise EscapedError(error) from None
        except SystemExit as error:
            raise _blamed(error) or error from None


app = typer.Typer(
    name="pcl",
    cls=Commands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Constructive preference elicitation, one part at a time.",
)


def _show_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"pcl {VERSION}\n")
        raise typer.Exit


@app.callback()
def _common(
    _: Annotated[
        bool, typer.Option("--version", is_eager=True, callback=_show_version, help="Show the version and exit.")
    ] = False,
) -> None:
    """Options before the command."""


def start() -> None:
    """Run what the command line says, and end the process."""
    gc.set_threshold(100_000, 20, 20)  # problems are large and live long; the default scans them over and over
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  # it lasts as long as the process
    if sys.stdout is None:
        _end("pcl: standard output is closed, so nothing can be shown", 2)
    forgive_strange_bytes()
    try:
        try:
            with stdout_for_json(_wants_json(sys.argv)):
                app()
        except EscapedError as escaped:
            raise escaped.raised from None
        finally:
            sys.stdout.flush()  # a full disk shows here, and not after everything looked fine
    except PclError as error:
        _end("\n".join(error.lines()), error.exit_code)
    except BrokenPipeError as error:
        silence_stdout()  # the reader went away (`pcl ... | head`)
        sys.exit(getattr(error.__context__, "exit_code", 0))  # what could not be said was why it ends
    except OSError as error:
        silence_stdout()
        where = f"{shown(str(error.filename))}: " if error.filename else ""
        _end(f"pcl: cannot write the output: {where}{error.strerror}", 2)
    except Exception as error:
        if (broken := _blamed(error)) is not None:
            _end(str(broken.issues[0]), broken.exit_code)
        if COMPLETION in os.environ:
            _end(f"pcl: nothing can be completed, for {COMPLETION} is set but not by a shell's completion", 2)
        if os.environ.get("PCL_DEBUG"):
            traceback.print_exc()
        bug = f"pcl: this is a bug, please report it: {type(error).__name__}: {shown(str(error))}"
        _end(f"{bug}\npcl: set PCL_DEBUG=1 to see where it happened", 1)


def _wants_json(arguments: Sequence[str]) -> bool:
    """Whether a command is told to write for programs; known before it is read, and so before anything is loaded."""
    return "--format=json" in arguments or ("--format", "json") in pairwise(arguments)


def _blamed(error: BaseException) -> PclError | None:
    """The error about the package whose code failed; plug-ins are looked at only where something did."""
    from pcl_core.plugins import blamed

    return blamed(error)


def _end(said: str, code: int) -> NoReturn:
    with suppress(OSError):  # where it cannot be said, the exit code still says it
        print(said, file=sys.stderr)  # noqa: T201
    sys.exit(code)
