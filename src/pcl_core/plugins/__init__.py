"""What other packages add to pcl: one mechanism for backends, problems and strategies."""

from pcl_core.plugins.discovery import (
    BrokenPluginError,
    Group,
    Plugin,
    broken,
    discover,
    find,
    guarded,
    load,
    names,
    split_parameters,
    takes,
    told,
    version_of,
)
from pcl_core.plugins.examining import Examined, blamed, examine
from pcl_core.plugins.own_file import OwnFile, is_own_file

__all__ = [
    "BrokenPluginError",
    "Examined",
    "Group",
    "OwnFile",
    "Plugin",
    "blamed",
    "broken",
    "discover",
    "examine",
    "find",
    "guarded",
    "is_own_file",
    "load",
    "names",
    "split_parameters",
    "takes",
    "told",
    "version_of",
]
