"""Solvers behind one protocol, one small file each."""

import importlib.metadata
from functools import cache


@cache
def version_of(package: str) -> str:
    """Which version of a solver's package is installed. It is read once: every scope asks whether its backend is there."""
    return importlib.metadata.version(package)
