"""The release checklist, as a program: `python -m tools.release` says of each point whether it is done, and what to do.

It changes nothing. With `--quick` it leaves out what needs a network: a new environment with solvers from an index.
"""

import re
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from datetime import date
from pathlib import Path

from tools.packages import ROOT, SOLVERS, build, light_environment, run_light, wrong_in_source, wrong_in_wheel

VERSION = re.compile(r'^VERSION = "([^"]+)"$', re.MULTILINE)
HEADING = re.compile(r"^## \[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?$", re.MULTILINE)
CITED = re.compile(r'^version: "?([^"\s]+)"?$', re.MULTILINE)
CITED_DATE = re.compile(r'^date-released: "?(\d{4}-\d\d-\d\d)"?$', re.MULTILINE)
DEMO_EXTRAS = "cpsat,plot,experiments"


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def version() -> str:
    found = VERSION.search(_read("src/pcl_core/version.py"))
    assert found is not None, "src/pcl_core/version.py says no VERSION"
    return found[1]


def disagreements(released: bool = False) -> list[str]:
    """Where version, changelog and citation say different things. A release has a date in both."""
    ours, headings = version(), HEADING.findall(_read("CHANGELOG.md"))
    cited, cited_date = CITED.search(_read("CITATION.cff")), CITED_DATE.search(_read("CITATION.cff"))
    found = []
    if cited is None or cited[1] != ours:
        found.append(f"CITATION.cff must say `version: {ours}`, as src/pcl_core/version.py does")
    names = [name for name, _ in headings]
    if not names or names[0] not in ("Unreleased", ours):
        found.append(f"CHANGELOG.md must begin with `## [Unreleased]` or `## [{ours}] - DATE`")
    dates = dict(headings)
    if ours in dates and (cited_date is None or cited_date[1] != dates[ours]):
        found.append(f"CITATION.cff must say `date-released: {dates[ours]}`, as CHANGELOG.md does of {ours}")
    if released and not dates.get(ours):
        found.append(
            f"CHANGELOG.md has no `## [{ours}] - {date.today().isoformat()}`: name the section of this release so"
        )
    return found


def uncommitted() -> list[str]:
    changed = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True, check=True)
    return [f"not committed: {line.strip()}" for line in changed.stdout.splitlines()]


def wrong_when_light(wheel: Path, folder: Path) -> list[str]:
    """Without extras: small parts are solved, and where that is not enough, one sentence says what to install."""
    environment = light_environment(wheel, folder)
    (folder / "w.json").write_text("{}", encoding="utf-8")
    small = run_light(environment, folder, "simulate", "--help")
    solved = run_light(environment, folder, "solve", "grid", "--weights", "w.json")
    large = run_light(environment, folder, "solve", "hotel", "--weights", "w.json")
    found = [] if small.returncode == 0 else [f"without extras, pcl does not start: {small.stderr}"]
    if solved.returncode:
        found.append(f"without extras, a small problem is not solved: {solved.stderr}")
    if large.returncode != 5 or "pip install 'pcl-elicit[cpsat]'" not in large.stderr or large.stderr.count("\n") != 1:
        found.append(f"without extras, no sentence says what a large problem needs: {large.stderr}")
    found += [f"without extras there is {name}" for name in SOLVERS if (folder / "light" / name).exists()]
    return found


def wrong_demo(wheel: Path, folder: Path) -> list[str]:
    """In a new environment, outside the tree: what `README.md` promises of the demo."""
    venv.create(folder / "new", with_pip=True)
    python = folder / "new" / "bin" / "python"
    steps = [
        [str(python), "-m", "pip", "install", "--quiet", f"{wheel}[{DEMO_EXTRAS}]"],
        [str(folder / "new" / "bin" / "pcl"), "demo"],
    ]
    for step in steps:
        done = subprocess.run(step, cwd=folder, capture_output=True, text=True, check=False)
        if done.returncode:
            return [f"{' '.join(step[-2:])} ends with {done.returncode}: {done.stderr[-500:]}"]
    return [] if "all that she wanted is there" in done.stdout else [f"the demo says: {done.stdout[-300:]}"]


def main(arguments: list[str]) -> int:
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        built: list[Path] = []

        def builds() -> list[str]:
            built.extend(build(folder))
            return []

        points: list[tuple[str, Callable[[], list[str]]]] = [
            (f"version, changelog and citation agree on {version()}", lambda: disagreements(released=True)),
            ("everything is committed", uncommitted),
            ("wheel and source distribution are built", builds),
            ("the wheel has what is needed, and nothing else", lambda: wrong_in_wheel(built[0])),
            ("so has the source distribution", lambda: wrong_in_source(built[1])),
            (
                "without extras it solves what is small, and says what to install",
                lambda: wrong_when_light(built[0], folder),
            ),
        ]
        if "--quick" not in arguments:
            points.append((f"the demo runs from the wheel with [{DEMO_EXTRAS}]", lambda: wrong_demo(built[0], folder)))
        failed = 0
        for about, look in points:
            found = look()
            failed += bool(found)
            print(f"{'no ' if found else 'yes'}  {about}", *(f"     {line}" for line in found), sep="\n", flush=True)
    print("Further, by hand: `make test` on each Python that is declared, the tag, the upload.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
