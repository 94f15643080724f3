"""From authored YAML and typed Python to ground problems. The Python side is in `builder` and `symbolic`."""

from pcl_core.authoring.document import authored_schema
from pcl_core.authoring.lint import lint
from pcl_core.authoring.load import (
    SUFFIXES,
    Limits,
    catalogue,
    examine_problems,
    load,
    load_with_warnings,
    parse_authored,
    parse_ground,
)

__all__ = [
    "SUFFIXES",
    "Limits",
    "authored_schema",
    "catalogue",
    "examine_problems",
    "lint",
    "load",
    "load_with_warnings",
    "parse_authored",
    "parse_ground",
]
