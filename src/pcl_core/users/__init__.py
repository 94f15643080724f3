"""Users: the feedback interface, simulated people with weights of their own, and people who answer for themselves."""

from pcl_core.users.definite import DEFINITE, WISHERS, check_wisher, definite, wisher
from pcl_core.users.drawing import WISHES
from pcl_core.users.people import Liking, Reply, Shown, SimulatedPerson, Wishing
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
    "DEFINITE",
    "USERS",
    "WEIGHT_LAWS",
    "WISHERS",
    "WISHES",
    "BestResponse",
    "InExpectation",
    "Informative",
    "Liking",
    "Noisy",
    "PartView",
    "Reply",
    "Satisficing",
    "Shown",
    "SimulatedPerson",
    "SmallestEdit",
    "UserModel",
    "Wishing",
    "check_wisher",
    "definite",
    "least_improvement",
    "matched_improvement",
    "sample_weights",
    "wisher",
]
