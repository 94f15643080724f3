"""Where work is done: this process, all cores, a Dask cluster or Ray. joblib does the rest."""

import contextlib
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import warnings
from asyncio import CancelledError
from collections.abc import Callable, Iterator, Sequence
from multiprocessing import resource_tracker
from types import FrameType
from typing import Any, TypeVar

from pcl_app.writing import need, need_working_folder
from pcl_core.errors import Code, Issue, PclError, RequestError, suggest

T = TypeVar("T")
R = TypeVar("R")

EXECUTORS = ("loky", "dask", "ray")
CONNECT_SECONDS = 30.0
"""For a library to be imported in a new process, and to connect to a cluster."""
CONNECTING = {
    "dask": "import sys; from distributed import Client; Client(sys.argv[1])",
    "ray": "import sys, ray; ray.init(address=sys.argv[1], log_to_driver=False)",
}
EXAMPLES = {"dask": "such as tcp://127.0.0.1:8786", "ray": "such as 127.0.0.1:6379"}
RAY_ROUND = 4
"""Tasks for each Ray worker before results are kept: more would lose more when interrupted, fewer wait more often."""


@contextlib.contextmanager
def executor(
    name: str, jobs: int | None, address: str | None, tasks: int | None = None
) -> Iterator[Callable[..., Iterator[Any]]]:
    """A function that maps another over tasks and gives results as they come, in any order.

    With a number of `tasks` there are at most as many workers: more would start for nothing.
    """
    if name not in EXECUTORS:
        raise RequestError(Issue(Code.UNKNOWN_OPTION, f"there is no executor '{name:.60}'", suggest(name, EXECUTORS)))
    if address is not None and name == "loky":
        raise RequestError(Issue(Code.BAD_VALUE, "an address goes with --executor dask or ray"))
    need("joblib", "experiments")
    from joblib import cpu_count

    count = jobs or cpu_count()
    if tasks is not None:
        count = max(1, min(count, tasks))
    if name != "loky" or count > 1:
        need_working_folder()
    if name == "loky":
        # joblib replaces workers that have grown, and says so in its own way; what they were given is done by the next.
        warnings.filterwarnings("ignore", "A worker stopped while some jobs", UserWarning)
        yield _mapper({"backend": "loky"} if count > 1 else {"backend": "sequential"}, count)
    elif name == "dask":
        need("distributed", "dask")
        with _dask(count, address) as client:
            yield _mapper({"backend": "dask", "client": client}, -1)
    else:
        need("ray", "ray")
        with _ray(count, address):
            yield _mapper({"backend": "ray"}, count)


def _mapper(backend: dict[str, Any], jobs: int) -> Callable[..., Iterator[Any]]:
    from joblib import Parallel, delayed, parallel_config

    def run(function: Callable[[T], R], tasks: Sequence[T]) -> Iterator[R]:
        with parallel_config(**backend, n_jobs=jobs), _workers_alive():
            if backend["backend"] != "ray":
                with _ctrl_c_is_ours() if backend["backend"] == "loky" else contextlib.nullcontext():
                    results = Parallel(return_as="generator_unordered")(delayed(function)(task) for task in tasks)
                yield from results
                return
            # Ray gives results only when all are there, so it gets a few at a time, all by the same workers.
            with Parallel() as parallel:
                for at in range(0, len(tasks), RAY_ROUND * jobs):
                    yield from parallel(delayed(function)(task) for task in tasks[at : at + RAY_ROUND * jobs])

    return run


@contextlib.contextmanager
def _ctrl_c_is_ours() -> Iterator[None]:
    """Processes that are started meanwhile never hear ctrl-C, which a terminal sends to all: we end them ourselves.

    Nothing is lost: a signal that comes meanwhile waits for us.
    """
    resource_tracker.ensure_running()  # whoever starts it first would let the signal through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextlib.contextmanager
def _quiet_when_interrupted() -> Iterator[None]:
    """What is cut off in the middle by ctrl-C logs so, with stack traces; from that moment on nobody wants to hear it."""
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or threading.current_thread() is not threading.main_thread():
        yield
        return

    def quietly(number: int, frame: FrameType | None) -> None:
        logging.disable(logging.CRITICAL)
        before(number, frame)

    signal.signal(signal.SIGINT, quietly)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def _workers_alive() -> Iterator[None]:
    """Tasks do not raise, so what does is about those who run them."""
    try:
        yield
    except (PclError, GeneratorExit):
        raise
    except (Exception, CancelledError) as error:
        said = (str(error).strip().splitlines() or [""])[0][:160]
        message = f"the workers were lost: {type(error).__name__}{': ' if said else ''}{said}"
        hint = "finished work is kept; run the same command again, with fewer --jobs if memory ran out"
        raise RequestError(Issue(Code.LIMIT_REACHED, message, hint)) from None


@contextlib.contextmanager
def _dask(jobs: int, address: str | None) -> Iterator[Any]:
    from distributed import Client, LocalCluster

    if address is None:
        # Processes of one thread: solvers keep to themselves, and nothing listens beyond this machine.
        with _ctrl_c_is_ours():
            local = LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=None, host="127.0.0.1")
        with _quiet_when_interrupted(), local as cluster, Client(cluster) as client:
            yield client
        return
    _reachable(address, "dask")
    try:
        client = Client(address, timeout=CONNECT_SECONDS)
    except (OSError, TimeoutError, ValueError) as error:
        raise _dead(address, str(error)) from None
    with client:
        if not client.scheduler_info()["workers"]:
            raise RequestError(Issue(Code.BAD_VALUE, f"the cluster at '{address}' has no workers", "start some first"))
        yield client


@contextlib.contextmanager
def _ray(jobs: int, address: str | None) -> Iterator[None]:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing about an experiment is sent anywhere
    if address is not None:
        _reachable(address, "ray")
    if address is None:
        # Whoever reaches Ray's servers can run code. It takes 127.0.0.1 for the machine's public address unless it is
        # told that this will not become a cluster, and reads that while it is imported.
        os.environ["RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER"] = "0"
    import ray
    from ray.util.joblib import register_ray

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if address is None:
                ray.init(
                    address="local",
                    num_cpus=jobs,
                    include_dashboard=False,
                    log_to_driver=False,
                    logging_level=logging.ERROR,
                    _node_ip_address="127.0.0.1",
                )
            else:
                ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError, OSError) as error:
        raise _dead(address or "this machine", str(error)) from None
    try:
        register_ray()
        yield
    finally:
        ray.shutdown()


def _reachable(address: str, kind: str) -> None:
    """Let the library connect in a process that can be ended: to what is no cluster, it would try for ever."""
    host, _, port = address.rpartition("://")[2].rpartition(":")
    if not host or not port.isdigit():
        message = f"'{address:.80}' is not the address of a cluster"
        raise RequestError(Issue(Code.BAD_VALUE, message, EXAMPLES[kind]))
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=CONNECT_SECONDS).close()
        tried = subprocess.run(
            [sys.executable, "-c", CONNECTING[kind], address],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=CONNECT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _dead(address, "timed out") from None
    except (OSError, OverflowError) as error:
        raise _dead(address, str(error)) from None
    if tried.returncode:
        raise _dead(address, (tried.stderr.strip().splitlines() or ["this is something else"])[-1])


def _dead(address: str, said: str) -> RequestError:
    message = f"no cluster answers at '{address:.80}': {(said.splitlines() or [''])[0]:.120}"
    return RequestError(Issue(Code.BAD_VALUE, message, "is it running? finished work is kept"))
