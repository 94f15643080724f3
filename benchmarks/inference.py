"""Part inference and full inference, side by side with hand-written models, MiniZinc and CPMpy; growth; first solves.

python -m benchmarks.inference [--quick] [--markdown FILE]
"""

import argparse
from collections.abc import Callable
from pathlib import Path

from benchmarks.cases import Case, make_case, part_cases, random_week
from benchmarks.competitors import (
    HAND_WRITTEN,
    MODELLING,
    PROCESSES,
    Competitor,
    asked,
    competitors,
    missing,
    numbered,
    ours,
)
from benchmarks.growth import first_solve_sheet, growth_sheet
from benchmarks.handwritten.cpsat_week import WeekModel
from benchmarks.handwritten.data import Outcome
from benchmarks.report import Goal, Sheet, load_average, machine, milliseconds
from benchmarks.timing import side_by_side
from rich.console import Console

from pcl_core import load
from pcl_core.solve import Solution

FRESH, KEPT, WEEK = Goal(1.25), Goal(1.5), Goal(1.5)
BEATEN = {PROCESSES: Goal(200, at_least=True), MODELLING: Goal(10, at_least=True)}
SHARES = {PROCESSES: 0.15, "PuLP": 0.3, "pulp": 0.3, "CVXPY": 0.3, "cvxpy": 0.3, MODELLING: 0.5}
"""Those who take long get fewer of the queries."""


def measured(case: Case, solvers: dict[str, Competitor]) -> dict[str, float]:
    """Median seconds of each competitor; every answer is checked, and all must be equally good."""
    answers: dict[str, dict[int, Outcome | Solution]] = {name: {} for name in solvers}

    def remembered(name: str) -> Callable[[int], None]:
        solve, kept = numbered(case, solvers[name]), answers[name]
        return lambda at: kept.__setitem__(at, solve(at))

    counts = {
        name: max(3, round(len(case.queries) * next((q for key, q in SHARES.items() if name.startswith(key)), 1)))
        for name in solvers
    }
    times = side_by_side({name: remembered(name) for name in solvers}, counts)
    for at, query in enumerate(case.queries):
        found = {name: answered[at] for name, answered in answers.items() if at in answered}
        for answer in found.values():
            if isinstance(answer, Outcome):
                case.objective(query, answer)
        objectives = {name: answer.objective for name, answer in found.items()}
        assert len(set(objectives.values())) == 1, f"{case.name}: {objectives}"
    return times


def part_sheets(cases: list[Case]) -> list[Sheet]:
    """Times of all competitors, and the ratios that have goals."""
    found = {case.name: measured(case, competitors(case)) for case in cases}
    names = list(next(iter(found.values())))
    times = Sheet("One part inference (ms, median)", ("", *found))
    for name in names:
        times.rows.append((name, *(milliseconds(found[case][name]) for case in found)))
    times.rows += [(name, *[f"left out: {why}"] * len(found)) for name, why in missing().items()]
    ratios = Sheet("Ratios of part inferences", ("", "goal", *found))
    for ours_, other in HAND_WRITTEN.items():
        for kind, goal in (("fresh", FRESH), ("kept", KEPT)):
            cells = (goal.judged(found[case][ours_] / found[case][f"{other} {kind}"]) for case in found)
            ratios.rows.append((f"{ours_} / {other} {kind}", str(goal), *cells))
    for name, goal in BEATEN.items():
        if name not in missing():
            cells = (goal.judged(found[case][name] / found[case]["auto"], 0) for case in found)
            ratios.rows.append((f"{name} / auto", str(goal), *cells))
    return [times, ratios]


def week_sheet(count: int) -> Sheet:
    """All parts of the training week at once."""
    case = make_case("whole week", load("training"), None, random_week, count)
    kept = WeekModel()
    solvers = {
        "cpsat": ours(case, "cpsat"),
        "CP-SAT fresh": asked(lambda w, x: WeekModel().solve(w, x)),
        "CP-SAT kept": asked(kept.solve),
    }
    times = measured(case, solvers)
    sheet = Sheet("Full inference, the whole training week", ("", "ms", "cpsat / this", "goal"))
    for name, seconds in times.items():
        ratio = "" if name == "cpsat" else WEEK.judged(times["cpsat"] / seconds)
        sheet.rows.append((name, milliseconds(seconds), ratio, str(WEEK) if ratio else ""))
    return sheet


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a tenth of the repeats")
    parser.add_argument("--markdown", type=Path, metavar="FILE", help="write the tables as Markdown, too")
    given = parser.parse_args()
    share = 0.1 if given.quick else 1.0
    console = Console()
    lines = [*machine(), f"load average before: {load_average()}"]
    cases = part_cases(round(200 * share))
    sheets = part_sheets(cases)
    sheets.append(growth_sheet(round(200 * share)))
    sheets.append(first_solve_sheet(cases, 3 if given.quick else 9))
    sheets.append(week_sheet(round(60 * share)))
    lines.append(f"load average after: {load_average()}")
    for sheet in sheets:
        console.print(sheet.rich())
    console.print("\n".join(lines), highlight=False)
    if given.markdown is not None:
        text = "\n".join(sheet.markdown() for sheet in sheets)
        given.markdown.write_text(text + "\n" + "\n".join(f"- {line}" for line in lines) + "\n")


if __name__ == "__main__":
    main()
