"""While a belief is worked out, numpy computes with one thread; before and after it computes as it did."""

import os
import subprocess
import sys

import pytest

from pcl_app.threads import VARIABLES

COUNTED = """
import numpy
from threadpoolctl import ThreadpoolController

from pcl_core.learn.belief.alone import one_thread

libraries = ThreadpoolController().select(user_api="blas")


def threads():
    return max(library["num_threads"] for library in libraries.info())


before = threads()
with one_thread():
    inside = threads()
print(inside, threads() == before > 1)
"""
FITTED = """
import hashlib

import numpy as np

from pcl_core import Elicitation, load

week = Elicitation(load("hotel"))
for _ in range(6):
    week.tell(week.ask().accept())
belief = week._state.learner.belief
drawn = belief.samples(8, np.random.default_rng(0))
print(hashlib.sha256(belief.weights.tobytes() + drawn.tobytes()).hexdigest())
"""


def printed(program: str, threads: int) -> str:
    environment = os.environ | dict.fromkeys(VARIABLES, str(threads))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="numpy has one thread where there is one core")
def test_there_is_one_thread_inside_and_as_many_as_before_after_it() -> None:
    assert printed(COUNTED, 2) == "1 True"


def test_a_belief_is_the_same_to_the_bit_however_many_threads_numpy_has() -> None:
    assert printed(FITTED, 1) == printed(FITTED, 2)
