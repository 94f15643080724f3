"""The rooms of the code, what each is for, and which of the others it imports: from the contracts and the imports."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
CONTRACT = "Inside the core a later room may import an earlier one, never back"


def layers() -> list[str]:
    """The rooms of the core, from the one that may import all others to the one that may import none."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    found: list[str] = next(contract["layers"] for contract in contracts if contract["name"] == CONTRACT)
    return found


def core_table() -> str:
    """The rooms of the core, earliest first, each with what it imports of those before it."""
    rooms = layers()[::-1]
    lines = ["| room | what it is for | imports |", "|---|---|---|"]
    for room in rooms:
        used = imported(room)
        names = ", ".join(f"`{name}`" for name in rooms if name in used)
        lines.append(f"| `{room}` | {purpose(SOURCES / 'pcl_core' / room)} | {names} |")
    return "\n".join(lines)


def purpose(place: Path) -> str:
    """What the docstring of a room says first."""
    file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
    said = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return " ".join(said.partition("\n\n")[0].split())


def imported(room: str) -> set[str]:
    """The other rooms of the core that a room imports."""
    place = SOURCES / "pcl_core" / room
    files = sorted(place.rglob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    found = {name.split(".")[1] for file in files for name in _modules(file) if name.startswith("pcl_core.")}
    return found - {room}


def _modules(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            if node.module == "pcl_core":
                yield from (f"pcl_core.{alias.name}" for alias in node.names)
            yield node.module
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
