"""What a backend is asked and what it answers.

Outcomes are values; exceptions mean misuse or a bug. A backend works on whole numbers only: the oracle turns
weights into integers before, and checks every answer against the problem's own meaning afterwards.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from pcl_core.compile.pipeline import Scope
from pcl_core.errors import Code, Issue, PclError
from pcl_core.ir.domains import Value

Sense: TypeAlias = Literal["max", "min"]


class Status(StrEnum):
    """What was proven."""

    OPTIMAL = "optimal"
    """The values are the best there are, and this is proven."""
    FEASIBLE = "feasible"
    """The values are allowed; better ones may exist."""
    INFEASIBLE = "infeasible"
    """It is proven that no values are allowed."""
    UNKNOWN = "unknown"
    """Nothing was found and nothing was proven."""


class StopReason(StrEnum):
    """Why a backend stopped."""

    PROVED = "proved"
    """There was nothing left to do."""
    TIME_LIMIT = "time limit"
    OTHER_LIMIT = "other limit"
    INTERRUPTED = "interrupted"
    DIED = "the solver died"
    """Its process ended before it had answered. Another try, or another backend, may do better."""


class Capability(StrEnum):
    """What a backend can honour. An option that it cannot honour is refused, never ignored."""

    TIME_LIMIT = "time limit"
    SEED = "seed"
    THREADS = "threads"
    HINT = "hint"
    """It makes use of a hint. A hint is advice: others may ignore it."""
    BOUND = "bound"
    """It reports a proven bound when it stops early."""
    CONFLICT = "conflict"
    """It can name constraints in conflict by itself."""
    SHARED = "shared"
    """Several threads may call it, and what it compiled, at once. Others are asked by one thread at a time."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to solve; None leaves the choice to the backend."""

    time_limit: float | None = None
    seed: int | None = None
    threads: int | None = None


@dataclass(frozen=True, slots=True)
class Request:
    """Optimise Σ weights·features over the scope, in whole units.

    `weights` has an integer for each of the scope's features. `context` gives a value for each of `scope.context`, by
    name; its numbers count units of 10^-places. `fixed` and `hint` give values for own variables. `floor` asks for
    Σ weights·features >= floor as a hard constraint. `pcl_core.ir.coding` turns values into numbers.
    """

    weights: tuple[int, ...]
    sense: Sense = "max"
    context: Mapping[str, Value] = field(default_factory=dict)
    fixed: Mapping[str, Value] = field(default_factory=dict)
    floor: int | None = None
    hint: Mapping[str, Value] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a backend says. It is checked before anyone relies on it."""

    status: Status
    reason: StopReason = StopReason.PROVED
    values: Mapping[str, Value] | None = None
    """Values of all own variables, unless infeasible or unknown."""
    objective: int | None = None
    """Σ weights·features of these values, as the backend computed it."""
    bound: float | None = None
    """No allowed values are better than this."""


@dataclass(frozen=True, slots=True)
class Availability:
    """Whether a backend can run here; if not, why, and what to do."""

    available: bool
    version: str = ""
    solvers: tuple[str, ...] = ()
    """Names that may follow the backend's name after a colon."""
    reason: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a backend does not take a scope, known before anything is compiled for its solver.

    The code says what would help: a smaller scope (`scope-too-large`), smaller numbers (`numbers-out-of-range`), other
    options (`unsupported`), or something to be installed (`missing-dependency`).
    """

    code: Code
    message: str
    hint: str | None = None


COMMON_REACH = 10**12
"""Objectives up to this size are the same integers for all backends. Doubles hold them with room to tell neighbours apart."""


ANY_SIZE = 10**1000
"""More than floating-point weights and features can make together."""


class Prepared(Protocol):
    """A scope compiled for one solver, to be solved again and again; by several threads at once if it is `SHARED`."""

    def solve(self, request: Request, options: Options) -> Reply: ...


class Backend(Protocol):
    """A solver behind pcl."""

    @property
    def name(self) -> str: ...

    @property
    def capabilities(self) -> frozenset[Capability]: ...

    def availability(self) -> Availability:
        """Whether it can run, found out without importing the solver."""
        ...

    def compile(self, scope: Scope) -> Prepared: ...


class BackendContractError(PclError):
    """A backend said something that is not true. This is a bug in the backend or in its solver."""

    exit_code = 1

    def __init__(self, backend: str, message: str) -> None:
        self.backend, self.said = backend, message
        hint = "try another backend, and report this"
        super().__init__(Issue(Code.BACKEND_CONTRACT, f"backend '{backend}' {message}", hint))


@runtime_checkable
class KnowsItsRange(Protocol):
    """A backend that says what it takes. One that does not say takes every scope, and objectives of the common size.

    Whoever wants to know asks `refusal_of` and `reach_of`, which answer for all backends.
    """

    @property
    def reach(self) -> int:
        """It tells objectives of up to this size apart, to the last unit, in whatever scope it takes."""
        ...

    def accepts(self, scope: Scope) -> Refusal | None:
        """Why it does not take a scope (too large, numbers out of its range, a solver missing), or None: it does."""
        ...


@runtime_checkable
class KnowsItsReach(KnowsItsRange, Protocol):
    """A backend whose reach is not the same in all scopes."""

    def reach_in(self, scope: Scope) -> int:
        """In a scope that it takes, it tells objectives of up to this size apart; `reach` or more."""
        ...
