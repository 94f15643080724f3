"""Where everything is worked out: processes beside the server, each with compiled problems and live elicitations.

The server knows the crew, and what goes between. What workers do is imported by them alone.
"""

from pcl_app.studio.work.crew import Crew
from pcl_app.studio.work.errands import Errand

__all__ = ["Crew", "Errand"]
