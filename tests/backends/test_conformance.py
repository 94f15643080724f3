"""Our own backends pass the kit that third parties use."""

import pytest

from pcl_core.solve.protocol import Backend, Capability
from pcl_core.solve.registry import get_backend
from pcl_core.testing.conformance import BackendConformance

NO_LIMITS = frozenset({Capability.TIME_LIMIT, Capability.THREADS, Capability.HINT})


class TestTable(BackendConformance):
    lacks = NO_LIMITS

    @pytest.fixture
    def backend(self) -> Backend:
        return get_backend("table")


class TestCpSat(BackendConformance):
    @pytest.fixture
    def backend(self) -> Backend:
        return get_backend("cpsat")


class TestAuto(BackendConformance):
    @pytest.fixture
    def backend(self) -> Backend:
        return get_backend("auto")


class TestPulp(BackendConformance):
    lacks = frozenset({Capability.BOUND, Capability.HINT})

    @pytest.fixture(scope="class")
    def backend(self) -> Backend:
        return get_backend("pulp")


class TestApart(BackendConformance):
    lacks = frozenset({Capability.THREADS, Capability.HINT})

    @pytest.fixture(scope="class")
    def backend(self) -> Backend:
        """Kept, for it starts a process."""
        return get_backend("apart:table")


class TestPulpWithHighs(BackendConformance):
    lacks = frozenset({Capability.BOUND, Capability.HINT, Capability.THREADS})

    @pytest.fixture(scope="class")
    def backend(self) -> Backend:
        return get_backend("pulp:highs")


class TestCvxpy(BackendConformance):
    lacks = frozenset({Capability.BOUND, Capability.SEED, Capability.THREADS, Capability.HINT})

    @pytest.fixture(scope="class", params=["cvxpy", "cvxpy:scip", "cvxpy:scipy"])
    def backend(self, request: pytest.FixtureRequest) -> Backend:
        return get_backend(request.param)
