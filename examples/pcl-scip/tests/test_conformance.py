"""The backend passes the kit of pcl."""

import pytest
from pcl_scip import ScipBackend

from pcl_core.solve import Backend, Capability
from pcl_core.testing.conformance import BackendConformance


class TestScip(BackendConformance):
    lacks = frozenset({Capability.THREADS, Capability.HINT})

    @pytest.fixture
    def backend(self) -> Backend:
        return ScipBackend()
