"""Asking a solver again: in other ways while what it says contradicts itself, and in the end by enumeration."""

import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from pcl_backends.table import PreparedTable, size_of
from pcl_core.errors import PclError
from pcl_core.solve import BackendContractError, Options, Reply, Request, Scope, Status, StopReason

ENUMERATED = 2**17
"""Scopes of up to so many combinations of values are decided by enumeration when a solver cannot."""


@contextmanager
def told(backend: str) -> Iterator[None]:
    """What a solver's library raises is told in a sentence."""
    try:
        yield
    except PclError:
        raise
    except Exception as error:
        message = f"failed: {type(error).__name__}: {error!s:.200}"
        raise BackendContractError(backend, message) from error


@dataclass(frozen=True)
class Clock:
    """How much of a time limit is left."""

    limit: float | None
    started: float = field(default_factory=time.perf_counter)

    @property
    def left(self) -> float | None:
        return None if self.limit is None else max(0.0, self.limit - (time.perf_counter() - self.started))

    @property
    def over(self) -> bool:
        return self.limit is not None and time.perf_counter() - self.started >= self.limit


def decided(scope: Scope, request: Request, clock: Clock, attempts: Iterable[Reply | None]) -> Reply:
    """The first attempt that says something; None stands for an answer that cannot be true."""
    for answer in attempts:
        if answer is not None:
            return answer
        if clock.over:
            return Reply(Status.UNKNOWN, StopReason.TIME_LIMIT)
    if size_of(scope) <= ENUMERATED:
        return PreparedTable(scope).solve(request, Options())
    return Reply(Status.UNKNOWN, StopReason.OTHER_LIMIT)
