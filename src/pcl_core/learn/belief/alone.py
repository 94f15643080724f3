"""Numpy computes with one thread while a belief is worked out.

Its matrices are small. Several threads wait for each other for longer than they compute, ten times longer on a busy
machine, and they round otherwise where there are more cores: the same seed would ask something else there.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any


@cache
def _several() -> Any:
    """What says so to numpy's libraries; None where they have one thread anyway, as in `pcl` itself."""
    from threadpoolctl import ThreadpoolController  # here, because only a belief needs it

    libraries = ThreadpoolController().select(user_api="blas")
    return libraries if any(library["num_threads"] > 1 for library in libraries.info()) else None


@contextmanager
def one_thread() -> Iterator[None]:
    """How many there are holds for the whole process. Of several who come here at once the first decides."""
    libraries = _several()
    if libraries is None:
        yield
    else:
        with libraries.limit(limits=1):
            yield
