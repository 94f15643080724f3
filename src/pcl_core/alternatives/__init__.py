"""Alternatives: what else could stand in a part, in its context, and whether that is what it was before."""

from pcl_core.alternatives.listing import Alternatives, Listing
from pcl_core.alternatives.residual import Residual, Residuals

__all__ = ["Alternatives", "Listing", "Residual", "Residuals"]
