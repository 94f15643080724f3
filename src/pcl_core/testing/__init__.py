"""Tools for testing pcl and what is built on it; they ship with the core so that third parties can use them."""

from pcl_core.testing.generate import (
    NUMBERS,
    Numbers,
    ProblemGenerator,
    all_configurations,
    random_configuration,
    random_problem,
)

__all__ = ["NUMBERS", "Numbers", "ProblemGenerator", "all_configurations", "random_configuration", "random_problem"]
