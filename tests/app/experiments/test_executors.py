"""Whoever works, the traces are the same; a worker that dies, a cluster that is not there: a sentence, nothing lost."""

import importlib.util
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.app.commands import (
    PATIENCE,
    Commands,
    finish,
    install_stubborn_users,
    kept,
    start,
    traces,
    until,
)

from pcl_app.experiments.run import executors
from pcl_app.experiments.run.executors import executor
from pcl_core.errors import MissingDependencyError

STUDY = """\
pcl: 1
experiment: small
defaults: {queries: 6, users: 3}
runs:
  - {problem: grid, algorithm: [pcl, cl], user_model: [informative, noisy]}
  - {problem: training, mode: keep, select: ucb1}
"""
LOOPBACK = {"127.0.0.1", "::1", "::ffff:127.0.0.1"}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    file = tmp_path / "study.yaml"
    file.write_text(STUDY)
    return file


@pytest.fixture
def expected(study: Path, tmp_path: Path, pcl: Commands) -> list[dict[str, Any]]:
    """What one process finds."""
    pcl("experiment", study, "--jobs", "1", "--out", tmp_path / "one")
    found = traces(tmp_path / "one")
    assert len({row["cell"] for row in found}) == 15
    return found


CLUSTER = """
import sys
from distributed import LocalCluster

if __name__ == "__main__":
    with LocalCluster(
        n_workers=int(sys.argv[1]), threads_per_worker=1, dashboard_address=None, host="127.0.0.1"
    ) as cluster:
        print(cluster.scheduler_address, *(worker.pid for worker in cluster.workers.values()), flush=True)
        sys.stdin.read()
"""


@contextmanager
def dask_cluster(folder: Path, workers: int) -> Iterator[tuple[str, list[int]]]:
    """A Dask cluster on this machine: its address, and the processes of its workers."""
    script = folder / "cluster.py"
    script.write_text(CLUSTER)
    with start(script, str(workers), program=sys.executable) as process:
        assert process.stdout is not None
        address, *pids = process.stdout.readline().split()
        yield address, [int(pid) for pid in pids]


def test_two_processes_find_what_one_finds(study: Path, expected: list[dict[str, Any]], tmp_path: Path) -> None:
    assert finish("experiment", study, "--jobs", "2", "--out", tmp_path / "two") == ""
    assert traces(tmp_path / "two") == expected


def test_a_local_dask_cluster_finds_the_same(study: Path, expected: list[dict[str, Any]], tmp_path: Path) -> None:
    finish("experiment", study, "--executor", "dask", "--jobs", "2", "--out", tmp_path / "dask")
    assert traces(tmp_path / "dask") == expected


def test_a_local_ray_instance_finds_the_same_and_listens_to_this_machine_alone(
    study: Path, expected: list[dict[str, Any]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAY_ADDRESS", "127.0.0.1:1")  # somebody else's cluster is not asked for
    wait = install_stubborn_users(tmp_path, monkeypatch)
    study.write_text(STUDY.replace("[informative, noisy]", "[informative, noisy, waiting]"))
    wait.touch()
    out = tmp_path / "ray"
    with start("experiment", study, "--executor", "ray", "--jobs", "2", "--out", out) as process:
        until(lambda: len(kept(out)) >= 6 or process.poll() is not None)  # optima are done, and users are waiting
        listening = addresses_of(process.pid)
        wait.unlink()
        _, said = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, said
    assert listening
    assert listening <= LOOPBACK
    found = [row for row in traces(out) if row["user_model"] != "waiting"]
    assert found == expected


def addresses_of(leader: int) -> set[str]:
    """Where the processes of a session listen."""
    import psutil

    found = set()
    for process in psutil.process_iter():
        try:
            if os.getsid(process.pid) == leader or leader in (parent.pid for parent in process.parents()):
                found |= {c.laddr.ip for c in process.net_connections("inet") if c.status == psutil.CONN_LISTEN}
        except (psutil.Error, ProcessLookupError):
            continue
    return found


def test_a_dask_worker_that_is_killed_in_the_middle_loses_nothing(
    tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    wait, out = install_stubborn_users(tmp_path, monkeypatch), tmp_path / "dask"
    options = ("simulate", "grid", "--users", "8", "--queries", "5", "--user", "waiting")
    pcl(*options, "--jobs", "1", "--out", tmp_path / "one")
    wait.touch()
    with (
        dask_cluster(tmp_path, 2) as (address, workers),
        start(*options, "--executor", "dask", "--address", address, "--out", out) as process,
    ):
        until(lambda: len(kept(out)) > 8 or process.poll() is not None)  # all optima, and a user who does not wait
        before = kept(out)
        os.kill(workers[0], signal.SIGKILL)
        wait.unlink()
        _, said = process.communicate(timeout=PATIENCE)
    assert 8 < len(before) < 16
    assert process.returncode == 0, said
    assert kept(out).items() >= before.items()
    assert traces(out) == traces(tmp_path / "one")


def test_a_worker_process_that_dies_is_a_sentence_and_finished_work_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_stubborn_users(tmp_path, monkeypatch)
    out = tmp_path / "out"
    said = finish(
        "simulate", "grid", "--users", "6", "--queries", "3", "--user", "dying", "--jobs", "2", "--out", out, code=2
    )
    assert "limit-reached: the workers were lost: TerminatedWorkerError" in said
    assert "finished work is kept" in said
    assert len(kept(out)) >= 6


ADDRESSES: dict[tuple[str, ...], str] = {
    ("--executor", "lokey"): "there is no executor 'lokey' (did you mean 'loky'?)",
    ("--address", "127.0.0.1:1"): "an address goes with --executor dask or ray",
    ("--executor", "dask", "--address", "somewhere"): "is not the address of a cluster (such as tcp://127.0.0.1:8786)",
    ("--executor", "ray", "--address", "127.0.0.1:x"): "is not the address of a cluster (such as 127.0.0.1:6379)",
    ("--executor", "dask", "--address", "tcp://127.0.0.1:99999"): "no cluster answers at",
    ("--executor", "dask", "--address", "FREE"): "no cluster answers at",
    ("--executor", "ray", "--address", "FREE"): "no cluster answers at",
    ("--executor", "dask", "--address", "MUTE"): "timed out",
    ("--executor", "ray", "--address", "MUTE"): "timed out",
}


@pytest.mark.parametrize("options", ADDRESSES, ids=lambda options: "-".join(options))
def test_a_cluster_that_is_not_there_is_a_sentence(
    options: tuple[str, ...], tmp_path: Path, pcl: Commands, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executors, "CONNECT_SECONDS", 0.5)
    with socket.socket() as free, socket.socket() as mute:
        free.bind(("127.0.0.1", 0))
        mute.bind(("127.0.0.1", 0))
        mute.listen()
        ports = {"FREE": free, "MUTE": mute}
        given = [f"127.0.0.1:{ports[word].getsockname()[1]}" if word in ports else word for word in options]
        said = pcl("simulate", "grid", "--out", tmp_path, *given, code=2)
    assert ADDRESSES[options] in said
    assert len(said.splitlines()) == 1


def test_a_dask_cluster_without_workers_is_a_sentence(tmp_path: Path) -> None:
    with dask_cluster(tmp_path, 0) as (address, _):
        said = finish("simulate", "grid", "--out", tmp_path, "--executor", "dask", "--address", address, code=2)
    assert "has no workers (start some first)" in said


@pytest.mark.parametrize(("name", "extra"), [("loky", "experiments"), ("dask", "dask"), ("ray", "ray")])
def test_what_is_not_installed_is_said_with_how_to_get_it(
    name: str, extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"loky": "joblib", "dask": "distributed", "ray": "ray"}[name]
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda module: None if module == wanted else found(module))
    with (
        pytest.raises(MissingDependencyError, match=rf"needs {wanted} \(pip install 'pcl-elicit\[{extra}\]'\)"),
        executor(name, 1, None),
    ):
        pass
