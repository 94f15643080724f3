"""Settings and measures are defined once: whoever uses them follows the tables, and adding one orphans nothing."""

import json
import re
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.app.commands import Commands, kept
from tests.app.experiments.synthetic import GRID
from tests.docs.pages import DOCS

from pcl_app.application import loaded
from pcl_app.experiments import measures
from pcl_app.experiments.measures import CURVES, MEASURES, RECORDED_MEASURES, Measure
from pcl_app.experiments.plan.files import FIELDS
from pcl_app.experiments.plan.settings import RECORDED, SETTINGS, RunSettings, option_of, read_settings
from pcl_app.experiments.record import outputs, traces
from pcl_app.experiments.record.traces import MEASURED, read_traces, write_traces
from pcl_app.experiments.run.cells import Cell
from pcl_app.experiments.run.tasks import cells_of
from pcl_core import load
from pcl_core.elicitation.settings import Settings

TRACES = (DOCS / "reference" / "traces.md").read_text(encoding="utf-8")
SOME = read_settings({"problem": "grid", "mode": "keep", "alpha": 0.3, "queries": 5})


def test_the_page_on_traces_says_of_each_measure_what_the_table_says() -> None:
    lines = re.findall(r"^\| `(\w+)` \| (\w+) \| (.*) \|$", TRACES, re.MULTILINE)
    said = {name: (kind, meaning) for name, kind, meaning in lines}
    assert {name: said.get(name) for name in RECORDED_MEASURES} == {
        name: (measure.type, measure.meaning) for name, measure in RECORDED_MEASURES.items()
    }


def test_the_page_on_traces_has_the_type_of_each_recorded_setting() -> None:
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (\w+) \|", TRACES, re.MULTILINE)
    said = {name: kind for names, kind in rows for name in re.findall(r"\w+", names)}
    assert {name: said.get(name) for name in RECORDED} == RECORDED


def test_every_setting_is_an_option_and_a_field_of_experiment_files() -> None:
    options = {option: item for item in loaded("simulate").params for option in item.opts}
    for name, about in SETTINGS.items():
        assert name in FIELDS
        if name != "problem":
            assert getattr(options[option_of(name)], "help") == about.help  # noqa: B009 - click has no stubs here


def test_an_elicitation_is_set_up_with_the_settings_that_it_has() -> None:
    chosen = RunSettings(problem="grid", order="declared", select="ucb1", learner="averaged", mode="keep", stop="never")
    assert chosen.elicitation(seed=7) == Settings(
        order="declared", select="ucb1", learner="averaged", mode="keep", stop="never", seed=7
    )
    assert Settings.model_fields.keys() <= SETTINGS.keys()


class Later(RunSettings):
    """Settings as a later version may have them."""

    recipe: str = "paper"


def test_a_setting_at_its_default_is_no_part_of_a_key() -> None:
    cell = Cell(settings=SOME, user=3, problem_hash="abc")
    later = cell.model_copy(update={"settings": Later(**SOME.model_dump())})
    assert later.key == cell.key
    assert later.former_key == cell.former_key
    other = cell.model_copy(update={"settings": Later(**SOME.model_dump(), recipe="people")})
    assert other.key != cell.key
    assert other.former_key is None
    assert Cell(settings=SOME.model_copy(update={"seed": 1}), user=3, problem_hash="abc").key != cell.key


def test_what_was_kept_under_all_settings_is_found(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert Cell(settings=SOME, user=3, problem_hash="abc").former_key == "88c8f2b24bbf40bfe4cdacf2571e5f0e"
    options = ("simulate", "grid", "--queries", "3", "--users", "2", "--jobs", "1", "--format", "json")
    with monkeypatch.context() as formerly:
        formerly.setattr(Cell, "key", Cell.former_key)
        pcl(*options, "--out", tmp_path)
    before = kept(tmp_path)
    assert len(before) == 4
    pcl(*options, "--out", tmp_path)
    assert json.loads(pcl.out)["cells"] == {"all": 2, "done": 2, "kept": 2, "damaged": []}
    problems = {"grid": load("grid")}
    present = {
        f"{cell.key}.cell" for cell in cells_of([(read_settings({"problem": "grid", "queries": 3}), [0, 1])], problems)
    }
    assert kept(tmp_path).keys() - before.keys() == present


def test_bounds_and_sums_of_measures() -> None:
    assert {name for name in CURVES if MEASURES[name].least is None} == {"utility", "utility_improved", "zeta"}
    assert {name for name in CURVES if MEASURES[name].most is not None} == {"satisfied", "certified"}
    assert {name for name in MEASURES if not MEASURES[name].repeats} == {"seconds", "seconds_infer", "seconds_update"}
    assert MEASURES["seconds"].parts == ("seconds_infer", "seconds_update")
    assert "seconds" not in MEASURED
    assert {"query", "part", "update", "final"} == MEASURES.keys() - set(CURVES)


def test_a_new_measure_is_one_entry_and_what_was_recorded_before_can_be_read(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ("simulate", "grid", "--queries", "3", "--users", "2", "--jobs", "1", "--out", tmp_path)
    pcl(*options)
    write_traces(
        tmp_path / "old", [{name: row[name] for name in MEASURED} for row in GRID.but(users=2, queries=3).rows()]
    )
    new = Measure("doubled", "float64", "twice the regret", "two regrets", of=lambda step: 2 * step.regret, before=-1.0)
    monkeypatch.setitem(measures.RECORDED_MEASURES, "doubled", new)
    monkeypatch.setitem(MEASURES, "doubled", new)
    monkeypatch.setitem(outputs.EARLIER, "doubled", -1.0)
    for columns in (traces.MEASURED, traces.COLUMNS):
        monkeypatch.setitem(columns, "doubled", "float64")
    monkeypatch.setattr("pcl_app.experiments.record.runs.CURVES", (*CURVES, "doubled"))
    pcl(*options)
    assert read_traces(tmp_path).curve("doubled").tolist() == [[-1.0] * 3] * 2
    assert read_traces(tmp_path / "old").curve("doubled").tolist() == [[-1.0] * 3] * 2
    pcl(*options[:-1], tmp_path / "new")
    runs = read_traces(tmp_path / "new")
    assert runs.curve("doubled").tolist() == (2 * runs.curve("regret")).tolist()
    assert pa.types.is_float64(parquet.read_schema(tmp_path / "new" / "traces.parquet").field("doubled").type)
