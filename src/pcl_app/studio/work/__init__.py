"""Where everything is worked out: processes beside the server, each with compiled problems and live elicitations."""

from pcl_app.studio.work.crew import Crew
from pcl_app.studio.work.live import Lives
from pcl_app.studio.work.process import Errand

__all__ = ["Crew", "Errand", "Lives"]
