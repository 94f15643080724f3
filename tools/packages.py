"""Wheel and source distribution: built, and looked into."""

import importlib.metadata
import os
import re
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NO_CODE = (".png", ".jpg", ".md", ".pyc")
"""What lies in the source beside code and data, and is for readers of the repository: pictures and pages."""
SOLVERS = ("ortools", "pulp", "cvxpy", "highspy", "pyscipopt", "scipy")
LARGEST_WHEEL, LARGEST_SOURCE, LARGEST_FILE = 2_000_000, 2_000_000, 200_000
REQUIREMENT = re.compile(r"[\w.-]+")


def build(into: Path) -> tuple[Path, Path]:
    """The wheel and the source distribution of this tree."""
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(into), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"python -m build failed: {(done.stderr or done.stdout)[-2000:]}")
    (wheel,), (source,) = into.glob("*.whl"), into.glob("*.tar.gz")
    return wheel, source


def needed() -> set[str]:
    """What a wheel must have: code, data, templates and types of the four packages, as far as they are in the repository."""
    listed = subprocess.run(["git", "ls-files", "src"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return {name.removeprefix("src/") for name in listed.splitlines() if not name.endswith(NO_CODE)}


def wrong_in_wheel(wheel: Path) -> list[str]:
    """What is missing from a wheel, and what should not be in it."""
    with zipfile.ZipFile(wheel) as archive:
        sizes = {entry.filename: entry.file_size for entry in archive.infolist()}
    own = {name for name in sizes if ".dist-info/" not in name}
    found = [f"the wheel lacks {name}" for name in sorted(needed() - own)]
    found += [f"the wheel has {name}" for name in sorted(own - needed())]
    found += [f"{name} has {size:,} bytes" for name, size in sizes.items() if size > LARGEST_FILE]
    if wheel.stat().st_size > LARGEST_WHEEL:
        found.append(f"the wheel has {wheel.stat().st_size:,} bytes")
    return found


def wrong_in_source(source: Path) -> list[str]:
    """The same of a source distribution: what a wheel is made from, and what is read about it."""
    with tarfile.open(source) as archive:
        names = {member.name.partition("/")[2] for member in archive if member.isfile()}
    beside = {"CHANGELOG.md", "CITATION.cff", "LICENSE", "README.md", "pyproject.toml", "PKG-INFO"}
    wanted = {f"src/{name}" for name in needed()} | beside
    found = [f"the source distribution lacks {name}" for name in sorted(wanted - names)]
    found += [f"the source distribution has {name}" for name in sorted(names - wanted - {".gitignore"})]
    if source.stat().st_size > LARGEST_SOURCE:
        found.append(f"the source distribution has {source.stat().st_size:,} bytes")
    return found


def light_requirements() -> list[str]:
    """What is installed without any extra, by name."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return [_name(requirement) for requirement in project["dependencies"]]


def _name(requirement: str) -> str:
    found = REQUIREMENT.match(requirement)
    assert found is not None, requirement
    return found[0]


def light_environment(wheel: Path, into: Path) -> dict[str, str]:
    """What runs a wheel with its own requirements alone, as in an empty environment, but without a network.

    The wheel is unpacked, which is all that installing it does besides the script, and what it needs is linked beside it.
    """
    place = into / "light"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(place)
    for package in _with_requirements(light_requirements()):
        for file in importlib.metadata.files(package) or ():
            top = file.parts[0]
            if top not in ("..", "__pycache__") and not (place / top).exists():
                (place / top).symlink_to(Path(str(importlib.metadata.distribution(package).locate_file(top))))
    return {**os.environ, "PYTHONPATH": str(place), "PYTHONDONTWRITEBYTECODE": "1"}


def _with_requirements(packages: list[str]) -> Iterator[str]:
    seen: set[str] = set()
    waiting = list(packages)
    while waiting:
        name = waiting.pop()
        if name.lower() in seen:
            continue
        seen.add(name.lower())
        yield name
        for requirement in importlib.metadata.requires(name) or ():
            if ";" not in requirement:  # an extra, another system or another Python
                waiting.append(_name(requirement))


def run_light(environment: dict[str, str], folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`pcl` in that environment: without site-packages, so with nothing else that is installed here."""
    command = [sys.executable, "-S", "-s", "-c", "from pcl_app.main import run; run()", *arguments]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
