"""CBC, the program that comes in PuLP's wheel: asked through files, stopped when time is up."""

import subprocess
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from pcl_core.solve import Said

OVERRUN = 1.0
"""Seconds that CBC may take beyond its limit before it is ended; it looks at the clock only now and then."""
WORDS = {"Optimal": Said.OPTIMAL, "Infeasible": Said.INFEASIBLE, "Integer": Said.INFEASIBLE, "Stopped": Said.STOPPED}


class CbcAnswer(NamedTuple):
    """What CBC wrote, by the names of PuLP's variables; columns that are zero are left out by CBC."""

    said: Said
    values: dict[str, float]


def run_cbc(problem: Any, options: list[str], seconds: float | None) -> CbcAnswer:
    """Write PuLP's problem, solve it, read the solution; a crash or a kill says nothing."""
    import pulp

    # A folder of its own: PuLP's names are in the current folder where TMPDIR is not usable, and stay after a crash.
    with tempfile.TemporaryDirectory(prefix="pcl-cbc-") as name:
        folder = Path(name)
        _, names, _, _ = problem.writeMPS(str(folder / "model.mps"), rename=1)
        limit = [] if seconds is None else ["-sec", str(seconds), "-timeMode", "elapsed"]
        sense = ["-max"] if problem.sense == pulp.LpMaximize else []
        asked = [part for option in options for part in f"-{option}".split()]
        end = ["-solve", "-printingOptions", "all", "-solution", str(folder / "model.sol")]
        command = [pulp.PULP_CBC_CMD.pulp_cbc_path, str(folder / "model.mps"), *sense, *limit, *asked, *end]
        quiet: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
        try:
            done = subprocess.run(
                command, cwd=folder, timeout=None if seconds is None else seconds + OVERRUN, check=False, **quiet
            )
        except subprocess.TimeoutExpired:
            return CbcAnswer(Said.NOTHING, {})
        if done.returncode or not (folder / "model.sol").exists():
            return CbcAnswer(Said.NOTHING, {})
        return _read(folder / "model.sol", {short: variable for variable, short in names.items()})


def _read(path: Path, names: dict[str, str]) -> CbcAnswer:
    first, *lines = path.read_text(encoding="utf-8").splitlines() or [""]
    said = WORDS.get(first.partition(" ")[0], Said.NOTHING)
    if said is not Said.OPTIMAL and (said is not Said.STOPPED or "no integer solution" in first):
        return CbcAnswer(said, {})
    values = dict.fromkeys(names.values(), 0.0)
    for line in lines:
        fields = line.replace("**", " ").split()  # two stars mark what breaks a row
        if len(fields) > 2 and fields[1] in names:
            values[names[fields[1]]] = float(fields[2])
    return CbcAnswer(said, values)
