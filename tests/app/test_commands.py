"""The command line as others script against it: one real process a test."""

import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from tests.problems import independent

from pcl_core import load
from pcl_core.testing import random_configuration

PCL = Path(sys.executable).parent / "pcl"


def pcl(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([PCL, *map(str, arguments)], capture_output=True, text=True, timeout=120, check=False)


def answer(*arguments: str | Path) -> dict[str, object]:
    done = pcl(*arguments, "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_problems_lists_the_catalogue() -> None:
    rows = json.loads(pcl("problems", "--format", "json").stdout)
    sizes = {row["name"]: (row["parts"], row["variables"], row["features"], row["constraints"]) for row in rows}
    assert sizes["grid"] == (4, 16, 24, 0)
    assert sizes["training"] == (7, 35, 82, 120)
    assert sizes["hotel"] == (15, 75, 140, 31)
    assert sizes["hotel-published"] == (15, 75, 125, 0)
    assert "hotel-published" in pcl("problems").stdout


def test_validate_and_show_warn_of_what_is_probably_not_meant_and_end_well(tmp_path: Path) -> None:
    file = tmp_path / "lunch.yaml"
    file.write_text(
        "pcl: 1\nname: lunch\nvariables:\n  dish: {domain: [soup, stew, salad]}\n"
        "features: [{name: soup, value: \"dish == 'soup'\"}]\nparts: [{name: all, variables: dish}]\n"
    )
    for command in ("validate", "show"):
        done = pcl(command, file)
        assert done.returncode == 0
        assert done.stderr.startswith(
            f"{file}:4:9: warning: alike-values: variable 'dish': no feature tells 'stew' and"
        )
        warnings = answer(command, file)["warnings"]
        assert [(it["code"], it["line"]) for it in warnings] == [("alike-values", 4)]  # type: ignore[attr-defined]


def test_show_gives_parts_in_order_with_their_features() -> None:
    shown = answer("show", "training", "--order", "reversed")
    assert shown["order"] == list(reversed(independent.DAYS))
    parts = {part["name"]: part for part in shown["parts"]}  # type: ignore[attr-defined]
    assert len(parts["mon"]["features"]) == 12
    assert len(parts["mon"]["owned"]) == 12
    assert len(parts["sun"]["owned"]) == 10
    assert {"parts": ["mon", "tue"], "features": ["morning[tue]", "afternoon[tue]"]} in shown["shared"]  # type: ignore[operator]


def test_show_prints_a_table_for_people() -> None:
    done = pcl("show", "hotel")
    assert done.returncode == 0
    assert "15 parts, 75 variables, 31 constraints, 140 features (120 local, 20 global)" in done.stdout
    assert "same_type[r7]" in done.stdout


def test_one_of_a_thing_is_not_several(tmp_path: Path) -> None:
    file, other = tmp_path / "one.yaml", tmp_path / "x.json"
    file.write_text(
        "pcl: 1\nname: one\nvariables: {x: {domain: 0..3}}\nconstraints: [{name: low, require: x <= 2}]\n"
        "features: [{name: x, value: x}]\nparts: [{name: all, variables: x}]\n"
    )
    assert "1 part, 1 variable, 1 constraint, 1 feature (1 local, 0 global)" in pcl("show", file).stdout
    assert "is valid: 1 part, 1 feature\n" in pcl("validate", file).stdout
    other.write_text('{"x": 3}')
    assert "infeasible: 1 constraint is violated" in pcl("evaluate", file, "--config", other).stdout
    other.write_text("{}")
    assert "1 variable has no value: x" in pcl("evaluate", file, "--config", other).stderr


def test_show_draws_the_network(tmp_path: Path) -> None:
    svg, png = tmp_path / "net.svg", tmp_path / "net.png"
    assert pcl("show", "training", "--graph", svg).returncode == 0
    assert pcl("show", "training", "--graph", png).returncode == 0
    text = "".join(ElementTree.parse(svg).getroot().itertext())
    assert "Training week: parts that share features" in text
    assert png.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "arguments", [("show", "training", "--graph", "net.gif"), ("show", "training", "--graph", "/nowhere/x.svg")]
)
def test_a_picture_that_cannot_be_made_is_a_sentence(arguments: tuple[str, ...]) -> None:
    done = pcl(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_ground_is_canonical_and_loads_again(tmp_path: Path) -> None:
    path = tmp_path / "grid.json"
    path.write_text(pcl("ground", "grid:side=6,part=3").stdout)
    assert answer("validate", path)["hash"] == load("grid:side=6,part=3").content_hash
    assert pcl("ground", path, "--format", "json").stdout == path.read_text()


def test_schema_is_json_schema() -> None:
    assert json.loads(pcl("schema").stdout)["title"] == "pcl problem file"
    assert "Problem" in json.loads(pcl("schema", "--ground").stdout)["title"]


def test_evaluate_gives_features_and_violated_constraints(tmp_path: Path) -> None:
    from random import Random

    week = load("training")
    x = random_configuration(week, Random(1))
    path = tmp_path / "week.json"
    path.write_text(json.dumps(x))
    found = answer("evaluate", "training", "--config", path)
    features, feasible = independent.training(x)
    assert found["features"] == features
    assert found["feasible"] is feasible is False
    assert found["feature_names"] == independent.training_names()
    assert "unavailable[mon,2]" in found["violated"]  # type: ignore[operator]
    assert "no training on mon in slot 2" in pcl("evaluate", "training", "--config", path).stdout


def test_booleans_may_be_written_as_numbers(tmp_path: Path) -> None:
    path = tmp_path / "grid.json"
    path.write_text(json.dumps({f"cell[{r},{c}]": (r + c) % 2 for r in range(4) for c in range(4)}))
    assert answer("evaluate", "grid", "--config", path)["features"] == [1] * 24


def test_the_demo_elicits_a_week_and_certifies_it(tmp_path: Path) -> None:
    done = pcl("demo", "--out", tmp_path)
    assert done.returncode == 0
    for said in ("The week to start from", "why: less pushups, because you took it out of", "that is how I want it"):
        assert said in done.stdout
    answers = re.search(
        r"(\d+) answers, (\d+) values typed, 0 of them changed afterwards: all that she wanted", done.stdout
    )
    assert answers is not None
    assert int(answers[1]) <= 12
    assert "This is certified: whichever one of the 7 were changed alone" in done.stdout
    assert len((tmp_path / "week.jsonl").read_text().splitlines()) >= 2 * int(answers[1])


def test_every_command_has_an_example() -> None:
    commands = [line.split()[0] for line in pcl("--help").stdout.partition("Commands:")[2].splitlines() if line.strip()]
    assert len(commands) >= 7
    for command in commands:
        assert f"Example: pcl {command}" in pcl(command, "--help").stdout


def test_a_full_disk_is_a_sentence() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([PCL, "ground", "grid"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "pcl: cannot write the output: No space left on device\n"
