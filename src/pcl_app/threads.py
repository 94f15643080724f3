"""How many threads numpy computes with. It reads this when it is imported, so it is said before.

Matrices are small here: several threads wait for each other for longer than they compute, the more so beside other work,
and they round otherwise on a machine with more cores.
"""

import os

VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


def one_thread() -> None:
    """One, unless whoever started the program says otherwise."""
    for name in VARIABLES:
        os.environ.setdefault(name, "1")
