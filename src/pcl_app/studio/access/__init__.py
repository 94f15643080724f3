"""Who may come in, and as whom; how often and how much."""

from pcl_app.studio.access.entering import router
from pcl_app.studio.access.guard import Guard
from pcl_app.studio.access.limits import too_often
from pcl_app.studio.access.passwords import add_user
from pcl_app.studio.access.people import Doorkeeper, person_of

__all__ = ["Doorkeeper", "Guard", "add_user", "person_of", "router", "too_often"]
