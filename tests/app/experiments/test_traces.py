"""Traces: what is written is read back, curves are carried on, and wrong files are sentences."""

import contextlib
import json
import stat
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet
from tests.app.experiments.synthetic import GRID, PAPER, Made, runs_of

from pcl_app.experiments.record import traces
from pcl_app.experiments.record.runs import RecordedSettings, Runs
from pcl_app.experiments.record.traces import COLUMNS, MEASURED, read_traces, write_traces
from pcl_core.errors import Code, RequestError


def test_the_schema_is_as_agreed() -> None:
    wanted = traces.schema()
    assert wanted.names == list(COLUMNS)
    agreed = "user query part conditional_regret utility utility_improved regret regret_bound satisfied update zeta"
    agreed += " changed_variables shown_variables seconds_infer seconds_update certified"
    assert wanted.names[:16] == agreed.split() == list(MEASURED)[:16]
    assert str(wanted.field("user").type) == "int32"
    assert str(wanted.field("seed").type) == "int64"
    assert str(wanted.field("certified").type) == "bool"


def test_rows_and_columns_make_the_same_file(tmp_path: Path) -> None:
    rows = GRID.but(users=2, queries=3).rows()
    columns = {name: [row[name] for row in rows] for name in COLUMNS}
    first = write_traces(tmp_path / "a", rows, csv=True)
    second = write_traces(tmp_path / "b.parquet", columns)
    assert first == tmp_path / "a" / "traces.parquet"
    assert first.read_bytes() == second.read_bytes()
    assert (tmp_path / "a" / "traces.csv").read_text().startswith('"user","query","part"')
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["traces.csv", "traces.parquet"]
    assert parquet.read_schema(first).names == list(COLUMNS)


def test_the_last_regret_is_carried_on_and_stopped_users_cost_nothing(tmp_path: Path) -> None:
    run = runs_of(tmp_path, GRID.but(users=3, queries=20, stop_at=4)).one()
    assert run.users == (0, 1, 2)
    assert run.lengths.tolist() == [4, 5, 6]
    regret, seconds = run.curve("regret", 10), run.curve("seconds", 10)
    assert regret.shape == seconds.shape == (3, 10)
    for row, length in enumerate((4, 5, 6)):
        assert (regret[row, length:] == regret[row, length - 1]).all()
        assert (seconds[row, length:] == seconds[row, length - 1]).all()
        assert (np.diff(seconds[row, :length]) > 0).all()
    parts = run.curve("seconds_infer", 10) + run.curve("seconds_update", 10)
    assert seconds == pytest.approx(parts)
    assert run.curve("shown_variables", 10)[:, -1].tolist() == [16, 20, 24]
    assert run.curve("certified", 10)[:, -1].tolist() == [1, 1, 1]
    assert run.curve("regret", 2).shape == (3, 2)
    assert not run.cut
    assert runs_of(tmp_path, GRID.but(users=2, queries=5)).one().cut


def test_rows_may_come_in_any_order_and_users_stay_aligned(tmp_path: Path) -> None:
    rows = GRID.but(users=5, queries=4).rows()
    shuffled = [rows[position] for position in np.random.default_rng(0).permutation(len(rows))]
    for name, content in (("straight", rows), ("shuffled", shuffled)):
        write_traces(tmp_path / name, content)
    straight, mixed = (read_traces(tmp_path / name) for name in ("straight", "shuffled"))
    assert (straight.curve("regret") == mixed.curve("regret")).all()
    assert (straight.one().curve("regret", users=[3, 1]) == straight.curve("regret")[[3, 1]]).all()


def test_runs_are_told_apart_and_named_by_what_differs(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, *PAPER)
    assert len(runs) == len(runs.all_settings) == 10
    assert runs.select(problem="grid").labels() == ("PCL, random", "PCL, smallest", "PCL, ucb1", "CL")
    assert runs.select(problem="training").labels() == ("α = 0.1", "α = 0.3", "α = 0.5")
    assert runs.select(problem="hotel", alpha=0.3).labels() == ("PCL",)
    assert len(runs.select(problem="hotel", alpha=0.3).one().users) == 20
    assert runs.select(algorithm="cl").all_settings[0].alpha is None


def test_runs_that_do_not_differ_are_named_by_their_folders(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_traces(tmp_path / name, GRID.but(users=2, queries=2).rows())
    runs = read_traces(tmp_path / "one") + read_traces(tmp_path / "two")
    assert runs.labels() == ("one", "two")
    assert (runs + read_traces(tmp_path / "two")).labels()[1:] != ("two", "two")
    assert len(set((runs + read_traces(tmp_path / "two")).labels())) == 3


def test_mode_says_how_runs_stop(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, GRID, GRID.but(mode="keep", stop="certificate"))
    assert runs.labels() == ("paper", "keep")
    more = runs_of(tmp_path, GRID, GRID.but(mode="keep", stop="certificate"), GRID.but(mode="keep", stop="never"))
    assert more.labels() == ("paper, two-pass", "keep, certificate", "keep, never")


def test_a_file_of_one_cell_takes_its_setting_from_the_run_file(tmp_path: Path) -> None:
    rows = [{name: row[name] for name in MEASURED} for row in GRID.but(users=2, queries=2).rows()]
    write_traces(tmp_path, rows)
    assert read_traces(tmp_path).all_settings == (RecordedSettings.of({}),)
    known = {"problem": "grid", "settings": {"alpha": 0.3, "seed": 5, "algorithm": "pcl"}}
    (tmp_path / "run.json").write_text(json.dumps(known))
    expected = {"problem": "grid", "algorithm": "pcl", "alpha": 0.3, "seed": 5}
    assert read_traces(tmp_path).all_settings == (RecordedSettings.of(expected),)
    (tmp_path / "run.json").write_text("{")
    with pytest.raises(RequestError, match=r"run\.json:1:2: bad-traces: not valid JSON"):
        read_traces(tmp_path)


def small() -> list[dict[str, object]]:
    return Made(users=2, queries=3).rows()


def wrong_files() -> dict[str, tuple[dict[str, list[object]], str]]:
    columns = {name: [row[name] for row in small()] for name in COLUMNS}
    renamed = {("regrett" if name == "regret" else name): values for name, values in columns.items()}
    return {
        "missing": ({name: values for name, values in columns.items() if name != "zeta"}, "'zeta' is missing"),
        "extra": ({**columns, "mood": [0] * 6}, "'mood' is not one of traces"),
        "misspelt": (renamed, "did you mean 'regret'"),
        "empty": ({name: [] for name in columns}, "no rows"),
        "text": ({**columns, "regret": ["low"] * 6}, "another type"),
        "null": ({**columns, "regret": [None, 1, 1, 1, 1, 1]}, "column 'regret' has empty values"),
        "infinite": ({**columns, "seconds_infer": [float("inf")] * 6}, "not finite"),
        "bound": ({**columns, "regret_bound": [-1.0] * 6}, "regret_bound is below regret"),
        "twice": ({**columns, "query": [1, 2, 2, 1, 2, 3]}, "user 0 has query 2 twice"),
        "hole": ({**columns, "query": [1, 2, 3, 1, 2, 4]}, "user 1 has query 4 but not all before it"),
        "zero": ({**columns, "query": [0, 1, 2, 1, 2, 3]}, "user 0 has query 0"),
        "negative": ({**columns, "user": [-1, -1, -1, 1, 1, 1]}, "users count from 0"),
        "nameless": ({**columns, "problem": [None] * 6}, "column 'problem' has empty values"),
    }


@pytest.mark.parametrize("name", wrong_files())
def test_wrong_files_are_sentences(name: str, tmp_path: Path) -> None:
    columns, sentence = wrong_files()[name]
    parquet.write_table(pa.table(columns), tmp_path / "traces.parquet")
    with pytest.raises(RequestError) as caught:
        read_traces(tmp_path)
    assert caught.value.code is Code.BAD_TRACES
    assert sentence in str(caught.value)
    assert str(tmp_path / "traces.parquet") in str(caught.value)


def test_damaged_files_are_sentences(tmp_path: Path) -> None:
    path = write_traces(tmp_path, GRID.rows())
    whole = path.read_bytes()
    middle = len(whole) // 2
    for damaged in (b"", b"PAR1", b"not parquet at all", whole[:-100], whole[:100], whole[middle:]):
        path.write_bytes(damaged)
        with pytest.raises(RequestError) as caught:
            read_traces(tmp_path)
        assert caught.value.code is Code.BAD_TRACES
        assert "damaged" in str(caught.value)
    for at in range(0, len(whole), max(1, len(whole) // 60)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0x5A]) + whole[at + 1 :])
        with contextlib.suppress(RequestError):  # a changed value may go unnoticed; nothing else may come out
            read_traces(tmp_path)


def test_missing_folders_and_files_are_sentences(tmp_path: Path) -> None:
    with pytest.raises(RequestError, match="there is no such folder"):
        read_traces(tmp_path / "nowhere")
    with pytest.raises(RequestError, match=r"the folder has no traces\.parquet"):
        read_traces(tmp_path)


def test_what_cannot_be_written_is_a_sentence_and_leaves_nothing_behind(tmp_path: Path) -> None:
    rows = small()
    with pytest.raises(RequestError, match="do not fit the columns"):
        write_traces(tmp_path, [{**row, "user": "Ada"} for row in rows])
    with pytest.raises(RequestError, match="row 2 has other columns than the first row: zeta"):
        write_traces(tmp_path, [rows[0], {name: rows[1][name] for name in COLUMNS if name != "zeta"}])
    with pytest.raises(RequestError, match="'cell' is missing"):
        write_traces(tmp_path, [{name: row[name] for name in COLUMNS if name != "cell"} for row in rows])
    assert list(tmp_path.iterdir()) == []
    (tmp_path / "file").write_text("")
    with pytest.raises(RequestError) as caught:
        write_traces(tmp_path / "file" / "below", rows)
    assert caught.value.code is Code.CANNOT_WRITE


def test_a_file_has_usual_permissions(tmp_path: Path) -> None:
    path = write_traces(tmp_path, small())
    plain = tmp_path / "plain"
    plain.write_text("")
    assert stat.S_IMODE(path.stat().st_mode) == stat.S_IMODE(plain.stat().st_mode)


def test_wrong_requests_are_sentences(tmp_path: Path) -> None:
    runs = runs_of(tmp_path, GRID.but(users=1, queries=2))
    with pytest.raises(RequestError, match="did you mean 'regret'"):
        runs.curve("regrets")
    with pytest.raises(RequestError, match="did you mean 'problem'"):
        runs.select(problm="grid")
    with pytest.raises(RequestError, match="there are 0"):
        Runs(()).one()
