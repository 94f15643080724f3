"""What `pcl conformance NAME` runs: the kit on a backend chosen by name."""

import os

import pytest

from pcl_core.solve.protocol import Backend, Capability
from pcl_core.solve.registry import get_backend
from pcl_core.testing.conformance import OPTIONAL, BackendConformance

NAME_VARIABLE = "PCL_CONFORMANCE_BACKEND"


class TestChosenBackend(BackendConformance):
    """The command line lists what is lacking, so it counts as said."""

    @pytest.fixture(autouse=True)
    def _lacks(self, backend: Backend) -> None:
        type(self).lacks = frozenset(Capability) - backend.capabilities - OPTIONAL

    @pytest.fixture
    def backend(self) -> Backend:
        return get_backend(os.environ[NAME_VARIABLE])
