"""The paper's experiments from start to report."""

import importlib.resources
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from pcl_app.experiments.experiment import Workers, run_experiment
from pcl_app.experiments.plan.files import parse_plan
from pcl_app.experiments.record.traces import read_traces
from pcl_app.experiments.run.scaling import Scaling, measure_scaling
from pcl_app.experiments.run.tasks import cells_of, kept_in
from pcl_app.experiments.show.reproduction import reproduction_report
from pcl_app.writing import need


@dataclass(frozen=True)
class Size:
    """How much to run."""

    users: int
    queries: int
    sides: tuple[int, ...]
    draws: int
    full_seconds: float
    """The limit for one full inference in the scaling study."""


WHOLE_SIZE = Size(20, 100, (4, 6, 8, 10, 12, 14, 16, 24), 3, 10.0)
QUICK_SIZE = Size(5, 40, (4, 6, 8), 2, 2.0)


def reproduce_paper(
    out: Path, size: Size, seed: int, backend: str, workers: Workers, progress: Callable[[int, int], None]
) -> dict[str, Any]:
    """Run everything, write the report, and say what was found: the description of the run, claims and files."""
    need("matplotlib", "plot")
    text = importlib.resources.files("pcl_app.experiments.plan").joinpath("paper.yaml").read_text(encoding="utf-8")
    changes = {"users": size.users, "queries": size.queries, "seed": seed, "backend": backend}
    plan = parse_plan(text, "paper.yaml", changes)
    cells = cells_of([(entry.settings, range(entry.users)) for entry in plan.entries], plan.problems)
    description = run_experiment(plan.name, cells, plan.problems, out, workers)
    scaling = _scaling(out, size, seed, progress)
    document, claims = reproduction_report(
        read_traces(out), scaling, _facts(description, size, backend), queries=size.queries
    )
    document.write(out)
    return {
        **description,
        "claims": {mode: [claim.data() for claim in found] for mode, found in claims.items()},
        "scaling": [asdict(entry) for entry in scaling],
        "report": str(out / "report.html"),
    }


def _scaling(out: Path, size: Size, seed: int, progress: Callable[[int, int], None]) -> list[Scaling]:
    """Kept like cells: measured once for each size."""
    store = kept_in(out)
    key = f"scaling-{seed}-{size.draws}-{size.full_seconds:g}-" + "-".join(map(str, size.sides))
    found = store.load(key)
    if found is None:
        measured = measure_scaling(size.sides, size.draws, "cpsat", size.full_seconds, seed, progress)
        found = [asdict(entry) for entry in measured]
        store.save(key, found)
    return [Scaling(**entry) for entry in found]


def _facts(description: dict[str, Any], size: Size, backend: str) -> dict[str, str]:
    machine, cells = description["machine"], description["cells"]
    return {
        "date": description["created"][:10],
        "machine": f"{machine['processor']}, {machine['cores']} cores, {machine['system']}",
        "versions": ", ".join(f"{name} {version}" for name, version in description["versions"].items()),
        "users and queries": f"{size.users} users a setting, up to {size.queries} queries each",
        "seeds": ", ".join(map(str, description["seeds"])),
        "solver": f"backend '{backend}' for parts, CP-SAT for complete configurations and for the growing grids",
        "cells": f"{cells['done']} of {cells['all']} simulated users finished",
        "optima": f"{description['optima']['all']}, of which {description['optima']['unproven']} are not proven",
        "theory": f"{len(description['theory']['contradicted'])} of {description['theory']['checked']} runs contradict it",
    }
