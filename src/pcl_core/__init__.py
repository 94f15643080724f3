"""pcl: constructive preference elicitation, one part at a time.

The core knows problems as data, what follows from them, and how preferences are learned. It knows no solver.
"""

from pcl_core.analysis.certificate import Certificate, Verification, verify
from pcl_core.analysis.regret import Optimum, Regret, optimum, regret
from pcl_core.analysis.theory import TheoryReport, check_trace
from pcl_core.analysis.trace import Step, Trace
from pcl_core.authoring.builder import ProblemBuilder
from pcl_core.authoring.catalogue import catalogue
from pcl_core.authoring.load import Limits, load, parse_authored, parse_ground
from pcl_core.authoring.symbolic import (
    Expression,
    all_different,
    all_of,
    any_of,
    choose,
    constant,
    count,
    largest,
    smallest,
    total,
)
from pcl_core.elicitation.elicitation import Elicitation
from pcl_core.elicitation.events import Settings
from pcl_core.elicitation.query import Answer, Query
from pcl_core.elicitation.setup import Strategies
from pcl_core.elicitation.simulate import Simulation, as_one_part, matched_person, person
from pcl_core.errors import (
    Code,
    InfeasibleError,
    Issue,
    Location,
    MissingDependencyError,
    MisuseError,
    PclError,
    ProblemError,
    RequestError,
    UndecidedError,
)
from pcl_core.ir.domains import BoolVariable, CategoricalVariable, IntVariable, Value
from pcl_core.ir.tables import Table
from pcl_core.ir.text import render
from pcl_core.model.configuration import Configuration, combine, complement, read_configuration, restrict
from pcl_core.model.elements import Constraint, Definition, Feature, Part
from pcl_core.model.evaluation import Assessment, FeatureMap, assess
from pcl_core.model.gai import gai_network
from pcl_core.model.problem import Problem
from pcl_core.solve.judge import Solution
from pcl_core.solve.oracle import Oracle
from pcl_core.solve.protocol import Options, Status

__all__ = [
    "Answer",
    "Assessment",
    "BoolVariable",
    "CategoricalVariable",
    "Certificate",
    "Code",
    "Configuration",
    "Constraint",
    "Definition",
    "Elicitation",
    "Expression",
    "Feature",
    "FeatureMap",
    "InfeasibleError",
    "IntVariable",
    "Issue",
    "Limits",
    "Location",
    "MissingDependencyError",
    "MisuseError",
    "Optimum",
    "Options",
    "Oracle",
    "Part",
    "PclError",
    "Problem",
    "ProblemBuilder",
    "ProblemError",
    "Query",
    "Regret",
    "RequestError",
    "Settings",
    "Simulation",
    "Solution",
    "Status",
    "Step",
    "Strategies",
    "Table",
    "TheoryReport",
    "Trace",
    "UndecidedError",
    "Value",
    "Verification",
    "all_different",
    "all_of",
    "any_of",
    "as_one_part",
    "assess",
    "catalogue",
    "check_trace",
    "choose",
    "combine",
    "complement",
    "constant",
    "count",
    "gai_network",
    "largest",
    "load",
    "matched_person",
    "optimum",
    "parse_authored",
    "parse_ground",
    "person",
    "read_configuration",
    "regret",
    "render",
    "restrict",
    "smallest",
    "total",
    "verify",
]
