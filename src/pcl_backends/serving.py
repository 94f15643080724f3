"""What runs in the child of `child`: a backend that compiles and solves what it is sent."""

import fcntl
import os
import pickle
import select
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BufferedReader
from typing import Any

from pcl_backends.child import LENGTH
from pcl_core.errors import PclError
from pcl_core.solve import BackendContractError, Options, Prepared, RecentItems, Request, Scope, find_backend, size_of

Message = tuple[Any, ...]
"""("answer", reply), ("refused", issues), ("broken", backend, message), or ("missing",): the scope is to be sent again."""
SHORTEST = 1e-3
"""Seconds; solvers do not all take a limit of nothing."""


def serve(name: str) -> None:
    """Reply messages until there are no more."""
    requests, answers = os.fdopen(os.dup(0), "rb"), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):  # solvers print what they like
        os.dup2(nothing, number)
    signal.signal(signal.SIGTERM, lambda *_: os.killpg(0, signal.SIGKILL))
    server = _Server(name)
    while True:
        message = _next(requests)
        if message is None:
            os._exit(0)
        with _ending_with(requests.fileno()):
            content = pickle.dumps(server.reply(message), protocol=pickle.HIGHEST_PROTOCOL)
        _send(answers, len(content).to_bytes(LENGTH) + content)


class _Server:
    def __init__(self, name: str) -> None:
        self._backend = find_backend(name)
        self._scopes = RecentItems[int, Prepared]()

    def reply(self, message: tuple[Any, ...]) -> Message:
        kind, *rest = message
        try:
            if kind == "solve":
                return self._solve(*rest)
            return ("answer", self._backend.conflict(*rest))  # type: ignore[attr-defined]
        except BackendContractError as error:
            return ("broken", error.backend, error.said)
        except PclError as error:
            return ("refused", error.issues)
        except Exception as error:  # of a library: it must not end as a stack trace that nobody sees
            return ("broken", self._backend.name, f"failed: {type(error).__name__}: {error!s:.200}")

    def _solve(self, key: int, scope: Scope | None, request: Request, options: Options, until: float | None) -> Message:
        if scope is not None:
            made: Prepared = getattr(self._backend, "compile_here", self._backend.compile)(scope)
            self._scopes.put(key, made, size_of(scope))
        prepared = self._scopes.get(key)
        if prepared is None:
            return ("missing",)
        if until is not None and options.time_limit is not None:
            left = min(options.time_limit, until - time.monotonic())
            options = replace(options, time_limit=max(SHORTEST, left))
        return ("answer", prepared.solve(request, options))


@contextmanager
def _ending_with(pipe: int) -> Iterator[None]:
    """Meanwhile the end of the pipe ends this process and all that it started, whoever holds the interpreter.

    The kernel sends SIGIO when something happens to the pipe. Nothing is sent before our reply, so it is the end.
    """
    flags = fcntl.fcntl(pipe, fcntl.F_GETFL)
    fcntl.fcntl(pipe, fcntl.F_SETOWN, -os.getpgrp())
    fcntl.fcntl(pipe, fcntl.F_SETFL, flags | os.O_ASYNC)
    waiting = select.poll()
    waiting.register(pipe, select.POLLIN)
    if any(event & select.POLLHUP for _, event in waiting.poll(0)):
        os.killpg(0, signal.SIGKILL)
    try:
        yield
    finally:
        fcntl.fcntl(pipe, fcntl.F_SETFL, flags)


def _next(requests: BufferedReader) -> tuple[Any, ...] | None:
    start = requests.read(LENGTH)
    if len(start) < LENGTH:
        return None
    content = requests.read(int.from_bytes(start))
    message: tuple[Any, ...] = pickle.loads(content)
    return message


def _send(pipe: int, content: bytes) -> None:
    while content:
        content = content[os.write(pipe, content) :]
