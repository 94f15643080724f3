"""Asking a solver again: in other ways while what it says contradicts itself, and in the end by enumeration."""

import time
from collections.abc import Iterable
from dataclasses import dataclass, field

from pcl_backends.table import TableBackend, combinations
from pcl_core.solve import Options, Reply, Request, Scope, Status, StopReason

ENUMERATED = 2**17
"""Scopes of up to so many combinations of values are decided by enumeration when a solver cannot."""


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
    if combinations(scope) <= ENUMERATED:
        return TableBackend().compile(scope).solve(request, Options())
    return Reply(Status.UNKNOWN, StopReason.OTHER_LIMIT)
