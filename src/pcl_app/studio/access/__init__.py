"""Who may come in, and as whom."""

from pcl_app.studio.access.people import Doorkeeper, person_of

__all__ = ["Doorkeeper", "person_of"]
