"""Five walks through the code: which modules do something, in the order in which they first do.

Importing a module is not doing something; calling a function of it is. `python -m docs.walks "Ask and tell"` prints one
walk as JSON. Each is walked in a process of its own, so that nothing is left from another.
"""

import json
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from types import FrameType

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
TRAINING = SOURCES / "pcl_problems" / "training" / "problem.yaml"
FIRST = "YAML to problem"
"""The walk that all others begin with."""


def yaml_to_problem() -> None:
    import pcl_core as pcl

    pcl.load(str(TRAINING))


def solve_from_the_command_line() -> None:
    with tempfile.TemporaryDirectory() as folder:
        weights = Path(folder) / "w.json"
        weights.write_text(json.dumps({"power[thu,legs]": 1}))
        _command("solve", str(TRAINING), "--weights", str(weights), "--format", "json")


def ask_and_tell(recipe: str = "keep") -> None:
    import pcl_core as pcl

    week = pcl.Elicitation(pcl.load("training"), recipe=recipe)
    query = week.ask()
    assert query is not None
    week.tell(query.accept())


def ask_people() -> None:
    ask_and_tell("people")


def reproduce_to_figure() -> None:
    with tempfile.TemporaryDirectory() as folder:
        _command("reproduce", "--quick", "--users", "2", "--queries", "2", "--jobs", "1", "--out", folder)


def _command(*words: str) -> None:
    from pcl_app.application import app

    app([*words], standalone_mode=False)


WALKS: dict[str, Callable[[], None]] = {
    FIRST: yaml_to_problem,
    "Solve from the command line": solve_from_the_command_line,
    "Ask and tell": ask_and_tell,
    "Ask people": ask_people,
    "Reproduce to figure": reproduce_to_figure,
}


def walked(title: str) -> list[str]:
    """The modules of a walk, as another process walks it."""
    command = [sys.executable, "-m", "docs.walks", title]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: list[str] = json.loads(done.stdout.splitlines()[-1])
    return found


def as_steps(modules: Sequence[str], first: Sequence[str] = ()) -> str:
    """A walk as a numbered list, a room a line. The modules of the first walk are one step, where it begins."""
    beginning = next((at for at, module in enumerate(modules) if module in first), None)
    named = [
        (FIRST, "") if at == beginning else _placed(module)
        for at, module in enumerate(modules)
        if at == beginning or module not in first
    ]
    lines = []
    for number, (room, members) in enumerate(groupby(named, key=lambda pair: pair[0]), start=1):
        names = ", ".join(f"`{name}`" for _, name in members)
        lines.append(f"{number}. *{FIRST}*" if room == FIRST else f"{number}. `{room}`: {names}")
    return "\n".join(lines)


def _placed(module: str) -> tuple[str, str]:
    """The room of a module, and its name there."""
    parts = module.split(".")
    depth = 3 if parts[:2] == ["pcl_app", "experiments"] and len(parts) > 3 else 2
    room = parts[:depth] if len(parts) > depth else parts[:1] if len(parts) == 2 else parts[:2]
    return ".".join(room), ".".join(parts[len(room) :]) or "__init__"


def watched(action: Callable[[], object]) -> list[str]:
    """The modules whose functions an action calls, each once, by first call."""
    seen: set[str] = set()
    found: list[str] = []

    def watch(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file not in seen and file.startswith(str(SOURCES)) and not _importing(frame):
            seen.add(file)
            found.append(_name(file))

    threading.setprofile(watch)
    sys.setprofile(watch)
    try:
        action()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return found


def _importing(frame: FrameType | None) -> bool:
    """Whether this runs while a module of pcl is imported; names of `pcl_core` are when they are first asked for."""
    while frame is not None:
        code = frame.f_code
        if code.co_name in ("<module>", "__getattr__") and code.co_filename.startswith(str(SOURCES)):
            return True
        frame = frame.f_back
    return False


def _name(file: str) -> str:
    parts = Path(file).relative_to(SOURCES).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(watched(WALKS[sys.argv[1]])) + "\n")
