"""Users: the feedback interface, and simulated people with weights of their own."""

from pcl_core.users.simulated import (
    USERS,
    BestResponse,
    InExpectation,
    Informative,
    Noisy,
    Satisficing,
    SmallestEdit,
    UserModel,
    least_improvement,
    matched_improvement,
)
from pcl_core.users.utility import WEIGHT_LAWS, PartView, sample_weights

__all__ = [
    "USERS",
    "WEIGHT_LAWS",
    "BestResponse",
    "InExpectation",
    "Informative",
    "Noisy",
    "PartView",
    "Satisficing",
    "SmallestEdit",
    "UserModel",
    "least_improvement",
    "matched_improvement",
    "sample_weights",
]
