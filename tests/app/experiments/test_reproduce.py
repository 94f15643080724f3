"""`pcl reproduce`, smaller still than `--quick`, from the command to the report."""

import json
import re
import subprocess
import sys
from pathlib import Path

from pcl_app.experiments.record.runs import Runs
from pcl_app.experiments.record.traces import read_traces

PCL = Path(sys.executable).with_name("pcl")
USERS, QUERIES = 2, 6


def reproduce(out: Path) -> subprocess.CompletedProcess[str]:
    command = [PCL, "reproduce", "--quick", "--users", USERS, "--queries", QUERIES, "--out", out, "--format", "json"]
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=300)


def test_a_small_reproduction_from_the_command_to_the_report(tmp_path: Path) -> None:
    """One test: the run is long, and processes that share the tests would each do it again."""
    first = reproduce(tmp_path)
    assert first.returncode == 0, first.stderr
    runs = read_traces(tmp_path)
    all_settings_of_the_paper_are_there_in_both_modes(runs)
    the_first_regret_is_that_of_the_start_whoever_asks(runs)
    no_run_contradicts_the_theory(tmp_path)
    the_report_is_one_file_that_needs_no_network(tmp_path)
    every_claim_has_a_verdict(json.loads(first.stdout)["claims"])
    a_second_time_nothing_is_run_again(tmp_path)


def all_settings_of_the_paper_are_there_in_both_modes(runs: Runs) -> None:
    for mode in ("paper", "keep"):
        chosen = runs.select(mode=mode)
        grid = {(run.settings["algorithm"], run.settings["select"]) for run in chosen.select(problem="grid")}
        assert {("pcl", "random"), ("pcl", "smallest"), ("pcl", "ucb1"), ("cl", "random")} == grid
        for problem in ("training", "hotel"):
            assert {run.settings.alpha for run in chosen.select(problem=problem)} == {0.1, 0.3, 0.5}
    assert all(run.users == tuple(range(USERS)) for run in runs)


def the_first_regret_is_that_of_the_start_whoever_asks(runs: Runs) -> None:
    for problem in ("grid", "training", "hotel"):
        first = {tuple(run.curve("regret", 1)[:, 0].tolist()) for run in runs.select(problem=problem)}
        assert len(first) == 1


def no_run_contradicts_the_theory(folder: Path) -> None:
    said = json.loads((folder / "run.json").read_text())
    assert said["theory"]["checked"] == said["cells"]["done"] == said["cells"]["all"] == 20 * USERS
    assert said["theory"]["contradicted"] == {}
    assert said["failures"] == []


def the_report_is_one_file_that_needs_no_network(folder: Path) -> None:
    page = (folder / "report.html").read_text()
    assert page.count("<svg") == 3
    assert not re.search(r"(src|href)=\"(?!#|data:)", page)
    for mode in ("paper", "keep"):
        for ending in ("svg", "png"):
            assert (folder / "figures" / f"results-{mode}.{ending}").stat().st_size > 5_000
    assert "| claim" in (folder / "report.md").read_text()


def every_claim_has_a_verdict(claims: dict[str, list[dict[str, object]]]) -> None:
    verdicts = {claim["verdict"] for found in claims.values() for claim in found}
    assert set(claims) == {"paper", "keep"}
    assert verdicts <= {"holds", "holds in part", "does not hold", "not tested"}
    assert len(claims["paper"]) == 11


def a_second_time_nothing_is_run_again(folder: Path) -> None:
    before = (folder / "traces.parquet").read_bytes()
    again = reproduce(folder)
    assert json.loads(again.stdout)["cells"]["kept"] == 20 * USERS
    assert (folder / "traces.parquet").read_bytes() == before
