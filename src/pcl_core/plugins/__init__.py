"""What other packages add to pcl: one mechanism for backends, problems and strategies."""

from pcl_core.plugins.discovery import GROUPS, BrokenPluginError, Plugin, broken, discover, find, names
from pcl_core.plugins.loading import Examined, blamed, examine, guarded, load, takes, told

__all__ = [
    "GROUPS",
    "BrokenPluginError",
    "Examined",
    "Plugin",
    "blamed",
    "broken",
    "discover",
    "examine",
    "find",
    "guarded",
    "load",
    "names",
    "takes",
    "told",
]
