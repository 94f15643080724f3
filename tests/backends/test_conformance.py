"""Our own backends pass the kit that third parties use."""

from functools import cache

import pytest

from pcl_core.solve.protocol import Backend, Capability
from pcl_core.solve.registry import get_backend
from pcl_core.testing.conformance import BackendConformance

kept = cache(get_backend)
"""Some start a process, which all tests may share."""
NO_LIMITS = frozenset({Capability.TIME_LIMIT, Capability.THREADS, Capability.HINT})


class TestTable(BackendConformance):
    lacks = NO_LIMITS

    @pytest.fixture
    def backend(self) -> Backend:
        return kept("table")


class TestCpSat(BackendConformance):
    @pytest.fixture
    def backend(self) -> Backend:
        return kept("cpsat")


class TestAuto(BackendConformance):
    @pytest.fixture
    def backend(self) -> Backend:
        return kept("auto")


class TestPulp(BackendConformance):
    lacks = frozenset({Capability.BOUND, Capability.HINT})

    @pytest.fixture
    def backend(self) -> Backend:
        return kept("pulp")


class TestApart(BackendConformance):
    lacks = frozenset({Capability.THREADS, Capability.HINT})

    @pytest.fixture
    def backend(self) -> Backend:
        return kept("apart:table")


class TestPulpWithHighs(BackendConformance):
    lacks = frozenset({Capability.BOUND, Capability.HINT, Capability.THREADS})

    @pytest.fixture
    def backend(self) -> Backend:
        return kept("pulp:highs")


class TestCvxpy(BackendConformance):
    lacks = frozenset({Capability.BOUND, Capability.SEED, Capability.THREADS, Capability.HINT})

    @pytest.fixture(params=["cvxpy", "cvxpy:scip", "cvxpy:scipy"])
    def backend(self, request: pytest.FixtureRequest) -> Backend:
        return kept(request.param)
