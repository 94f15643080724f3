"""Asking solvers and never believing them. What users of oracles and authors of backends need is here."""

from pcl_core.compile.pipeline import Scope
from pcl_core.solve.compiled import Compiled, RecentItems, size_of
from pcl_core.solve.conflict import Conflict, Explanation, FindsConflicts, explain
from pcl_core.solve.judge import Solution
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.program import Floor, Instance, LinearProgram
from pcl_core.solve.protocol import (
    ANY_SIZE,
    COMMON_REACH,
    Availability,
    Backend,
    BackendContractError,
    Capability,
    Options,
    Prepared,
    Refusal,
    Reply,
    Request,
    Sense,
    Status,
    StopReason,
)
from pcl_core.solve.registry import (
    Copies,
    Pool,
    backend_names,
    check_options,
    examine_backends,
    find_backend,
    first_taker,
    get_backend,
    reach_of,
    refusal_of,
)
from pcl_core.solve.verdict import LinearRange, Said, concluded, settled

__all__ = [
    "ANY_SIZE",
    "COMMON_REACH",
    "Availability",
    "Backend",
    "BackendContractError",
    "Capability",
    "Compiled",
    "Conflict",
    "Copies",
    "Explanation",
    "FindsConflicts",
    "Floor",
    "Instance",
    "LinearProgram",
    "LinearRange",
    "Options",
    "Oracle",
    "Pool",
    "Prepared",
    "RecentItems",
    "Refusal",
    "Reply",
    "Request",
    "Said",
    "Scope",
    "Sense",
    "Solution",
    "Status",
    "StopReason",
    "backend_names",
    "check_options",
    "concluded",
    "examine_backends",
    "explain",
    "find_backend",
    "first_taker",
    "get_backend",
    "reach_of",
    "refusal_of",
    "settled",
    "size_of",
]
