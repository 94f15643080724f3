"""`pcl simulate --recipe` and recipes in experiment files; people with definite wishes, and what is recorded of them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.app.commands import Commands, traces
from tests.app.experiments.synthetic import GRID as MADE

from pcl_app.experiments.plan.files import parse_plan
from pcl_app.experiments.record.traces import MEASURED, read_traces, write_traces
from pcl_core import RequestError, Settings
from pcl_core.users import Wishing

GRID = ("simulate", "grid:side=3,part=1", "--queries", "30", "--users", "3", "--jobs", "1", "--alpha", "0.3")
BY_UTILITY = ("conditional_regret", "utility", "utility_improved", "regret", "regret_bound", "zeta", "alpha")


def described(out: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((out / "run.json").read_text())
    return found


def repeatable(out: Path) -> list[dict[str, object]]:
    return [{name: value for name, value in row.items() if "seconds" not in name} for row in traces(out)]


def test_a_recipe_is_expanded_and_what_is_said_beside_it_overrides_it(tmp_path: Path, pcl: Commands) -> None:
    pcl(*GRID, "--recipe", "people", "--select", "random", "--learner", "perceptron", "--out", tmp_path)
    said = described(tmp_path)["settings"][0]
    expected = Settings.of("people", select="random", learner="perceptron")
    assert {name: said[name] for name in Settings.model_fields} == expected.model_dump()
    assert "recipe" not in said


def test_a_default_that_is_typed_counts_as_said(tmp_path: Path, pcl: Commands) -> None:
    pcl(*GRID, "--recipe", "people", "--mode", "paper", "--out", tmp_path)
    assert described(tmp_path)["settings"][0]["mode"] == "paper"


def test_the_papers_recipe_gives_what_its_settings_give(tmp_path: Path, pcl: Commands) -> None:
    pcl(*GRID, "--recipe", "paper", "--out", tmp_path / "recipe")
    spelled_out = ("--mode", "paper", "--stop", "two-pass", "--learner", "perceptron", "--select", "random")
    pcl(*GRID, *spelled_out, "--order", "degree", "--out", tmp_path / "spelled")
    assert repeatable(tmp_path / "recipe") == repeatable(tmp_path / "spelled")


def test_a_recipe_that_there_is_not_is_a_sentence(tmp_path: Path, pcl: Commands) -> None:
    assert "there is no recipe 'peple' (did you mean 'people'?)" in pcl(
        *GRID, "--recipe", "peple", "--out", tmp_path, code=2
    )
    with pytest.raises(RequestError) as caught:
        parse_plan("pcl: 1\nexperiment: e\nruns:\n  - {problem: grid, recipe: [keep, peple]}", "e.yaml")
    where = caught.value.issues[0].location
    assert (where.line, where.column) == (4, 36)


@pytest.mark.parametrize("recipe", ["people", "form"])
def test_the_same_seed_gives_the_same_file_and_certificates_that_hold(
    recipe: str, tmp_path: Path, pcl: Commands
) -> None:
    for place in ("first", "second"):
        pcl(*GRID, "--recipe", recipe, "--seed", "4", "--out", tmp_path / place)
    assert repeatable(tmp_path / "first") == repeatable(tmp_path / "second")
    found = described(tmp_path / "first")
    assert found["theory"] == {"checked": 3, "contradicted": {}}
    assert [(end["user"], end["certified"], end["satisfied"]) for end in found["users"]] == [
        (user, True, True) for user in range(3)
    ]
    assert found["unsatisfied_certificates"] == 0


def test_recipes_stand_in_experiment_files_and_single_fields_override_them() -> None:
    text = "pcl: 1\nexperiment: e\ndefaults: {stop: never}\nruns:\n  - {problem: grid, recipe: [people, paper, form]}"
    found = [entry.settings.elicitation() for entry in parse_plan(text, "e.yaml").entries]
    assert found == [Settings.of(recipe, stop="never") for recipe in ("people", "paper", "form")]


@pytest.mark.parametrize("user", ["exact", "rules", "neighbours"])
def test_people_with_wishes_have_no_regret_and_say_whether_they_are_satisfied(
    user: str, tmp_path: Path, pcl: Commands
) -> None:
    pcl("simulate", "pc", "--recipe", "people", "--user", user, "--users", "3", "--jobs", "1", "--out", tmp_path)
    rows = traces(tmp_path)
    assert all(row[name] is None for row in rows for name in BY_UTILITY)
    assert sum(row["values_typed"] for row in rows) > 0
    assert sum(row["values_undone"] for row in rows) == 0
    assert all(row["final"] is (row["values_typed"] > 0) for row in rows)
    found = described(tmp_path)
    assert found["optima"] == {"all": 0, "unproven": 0}
    assert all(isinstance(end["satisfied"], bool) for end in found["users"])
    assert any(end["certified"] for end in found["users"])
    assert [end["certified"] for end in found["users"]] == [end["satisfied"] for end in found["users"]]
    run = read_traces(tmp_path).one()
    assert np.isnan(run.curve("regret")).all()
    assert run.curve("values_typed")[:, -1].sum() == sum(row["values_typed"] for row in rows)
    assert "nan" not in pcl.out


def test_certificates_for_what_nobody_is_satisfied_with_are_counted_and_said(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Wishing, "satisfied", lambda self, configuration: len(configuration) < 5)
    monkeypatch.setattr(
        "pcl_core.users.drawing.left_alone", lambda person, start: {}
    )  # she is drawn as somebody who can be served
    pcl("simulate", "pc", "--recipe", "form", "--user", "exact", "--users", "2", "--jobs", "1", "--out", tmp_path)
    found = described(tmp_path)
    certified = sum(end["certified"] for end in found["users"])
    assert found["unsatisfied_certificates"] == certified > 0
    assert f"{certified} certificates are for what the user is not satisfied with" in pcl.out


def test_people_with_wishes_have_no_alpha_and_no_matched_gains(tmp_path: Path, pcl: Commands) -> None:
    said = pcl("simulate", "pc", "--user", "exact", "--alpha", "0.3", "--out", tmp_path, code=2)
    assert "user 'exact' has definite wishes, and no alpha" in said
    said = pcl("simulate", "pc", "--user", "exact", "--algorithm", "cl", "--out", tmp_path, code=2)
    assert "user 'exact' has no utility" in said


def test_people_with_wishes_are_compared_by_what_they_type(tmp_path: Path, pcl: Commands) -> None:
    places = [tmp_path / recipe for recipe in ("people", "form")]
    for place in places:
        pcl("simulate", "pc", "--recipe", place.name, "--user", "exact", "--users", "3", "--jobs", "1", "--out", place)
    assert "'regret' is not known of everybody in these runs" in pcl("compare", *places, code=2)
    pcl("compare", *places, "--column", "values_typed")
    assert "values typed, in all" in pcl.out
    other = tmp_path / "other"
    pcl("simulate", "pc", "--recipe", "form", "--user", "rules", "--users", "3", "--jobs", "1", "--out", other)
    assert "different users" in pcl("compare", places[0], other, "--column", "values_typed", code=2)


def test_traces_from_before_values_were_counted_can_be_read(tmp_path: Path) -> None:
    later = {"values_typed", "values_undone", "final"}
    rows = [{name: row[name] for name in MEASURED} for row in MADE.but(users=2, queries=3).rows()]
    write_traces(tmp_path, rows)
    table = parquet.read_table(tmp_path / "traces.parquet")
    parquet.write_table(table.drop_columns(sorted(later)), tmp_path / "traces.parquet")
    run = read_traces(tmp_path).one()
    assert np.isnan(run.curve("values_typed")).all()
    assert not run.columns["final"].any()
    assert run.curve("regret").tolist() == [[row["regret"] for row in rows if row["user"] == user] for user in (0, 1)]
    assert pa.types.is_int32(table.schema.field("values_typed").type)


def test_people_who_look_further_are_recorded_as_such_and_end_no_worse(tmp_path: Path, pcl: Commands) -> None:
    said = ("simulate", "grid:side=4,part=2", "--recipe", "people", "--users", "4", "--jobs", "1", "--out")
    pcl(*said, tmp_path / "short")
    pcl(*said, tmp_path / "long", "--look-further", "6")
    short, long = (read_traces(tmp_path / name).one() for name in ("short", "long"))
    assert (short.settings["look_further"], long.settings["look_further"]) == (0, 6)
    assert [row["look_further"] for row in traces(tmp_path / "long")] == [6] * long.answers
    assert described(tmp_path / "long")["settings"][0]["look_further"] == 6
    assert (long.lengths >= short.lengths).all()
    assert long.answers > short.answers
    assert (long.curve("regret")[:, -1] <= short.curve("regret")[:, -1] + 1e-9).all()


def test_traces_from_before_anybody_looked_further_can_be_read(tmp_path: Path) -> None:
    write_traces(tmp_path, MADE.but(users=2, queries=3).rows())
    table = parquet.read_table(tmp_path / "traces.parquet")
    parquet.write_table(table.drop_columns(["look_further"]), tmp_path / "traces.parquet")
    assert {run.settings["look_further"] for run in read_traces(tmp_path)} == {0}
