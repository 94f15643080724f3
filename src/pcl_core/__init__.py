"""pcl: constructive preference elicitation, one part at a time.

The core knows problems as data, what follows from them, and how preferences are learned. It knows no solver.
"""

from pcl_core.authoring.builder import (
    Expression,
    ProblemBuilder,
    all_different,
    all_of,
    any_of,
    choose,
    count,
    largest,
    smallest,
    total,
)
from pcl_core.authoring.load import Limits, catalogue, load, parse_authored, parse_ground
from pcl_core.errors import Code, Issue, Location, MissingDependencyError, PclError, ProblemError, RequestError
from pcl_core.ir.domains import BoolVariable, CategoricalVariable, IntVariable, Value
from pcl_core.ir.tables import Table
from pcl_core.ir.text import render
from pcl_core.model.configuration import Configuration, combine, complement, read_configuration, restrict
from pcl_core.model.elements import Constraint, Definition, Feature, Part
from pcl_core.model.evaluation import Assessment, FeatureMap, assess
from pcl_core.model.gai import gai_network
from pcl_core.model.problem import Problem

__all__ = [
    "Assessment",
    "BoolVariable",
    "CategoricalVariable",
    "Code",
    "Configuration",
    "Constraint",
    "Definition",
    "Expression",
    "Feature",
    "FeatureMap",
    "IntVariable",
    "Issue",
    "Limits",
    "Location",
    "MissingDependencyError",
    "Part",
    "PclError",
    "Problem",
    "ProblemBuilder",
    "ProblemError",
    "RequestError",
    "Table",
    "Value",
    "all_different",
    "all_of",
    "any_of",
    "assess",
    "catalogue",
    "choose",
    "combine",
    "complement",
    "count",
    "gai_network",
    "largest",
    "load",
    "parse_authored",
    "parse_ground",
    "read_configuration",
    "render",
    "restrict",
    "smallest",
    "total",
]
