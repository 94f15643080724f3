"""The commands: where each is, and its first line of help. A command is imported when it is asked for."""

from importlib import import_module

import typer.main
from typer.core import TyperCommand

COMMANDS: dict[str, tuple[str, str]] = {
    "problems": ("describe", "List the catalogue."),
    "show": ("describe", "Show a problem's parts, features and what they share."),
    "evaluate": ("describe", "Compute a configuration's features and what it violates."),
    "validate": ("files", "Check a problem file."),
    "schema": ("files", "Print the JSON Schema of problem files."),
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
"""By name: the module here that has a function of that name, and the first line of its docstring (a test compares)."""


def listed(name: str) -> TyperCommand:
    """A command as the list of all shows it."""
    return TyperCommand(name, help=COMMANDS[name][1], rich_markup_mode=None)


def loaded(name: str) -> TyperCommand:
    """A command with its options, ready to run."""
    module = import_module(f"{__name__}.{COMMANDS[name][0]}")
    alone = typer.Typer(add_completion=False, rich_markup_mode=None)
    alone.command(name)(getattr(module, name))
    made = typer.main.get_command(alone)
    assert isinstance(made, TyperCommand)
    return made
