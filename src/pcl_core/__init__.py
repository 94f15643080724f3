"""pcl: constructive preference elicitation, one part at a time.

The core knows problems as data, what follows from them, and how preferences are learned. It knows no solver.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pcl_core.analysis.certificate import Certificate as Certificate, Verification as Verification, verify as verify
    from pcl_core.analysis.regret import Optimum as Optimum, Regret as Regret, optimum as optimum, regret as regret
    from pcl_core.analysis.theory import TheoryReport as TheoryReport, check_trace as check_trace
    from pcl_core.analysis.trace import Step as Step, Trace as Trace
    from pcl_core.authoring.builder import ProblemBuilder as ProblemBuilder
    from pcl_core.authoring.load import catalogue as catalogue
    from pcl_core.authoring.load import (
        Limits as Limits,
        load as load,
        parse_authored as parse_authored,
        parse_ground as parse_ground,
    )
    from pcl_core.authoring.symbolic import (
        Expression as Expression,
        all_different as all_different,
        all_of as all_of,
        any_of as any_of,
        choose as choose,
        constant as constant,
        count as count,
        largest as largest,
        smallest as smallest,
        total as total,
    )
    from pcl_core.elicitation.elicitation import Elicitation as Elicitation
    from pcl_core.elicitation.settings import Settings as Settings
    from pcl_core.elicitation.preview import Preview as Preview
    from pcl_core.elicitation.query import Answer as Answer, Query as Query
    from pcl_core.elicitation.schema import data_schema as data_schema
    from pcl_core.elicitation.setup import Strategies as Strategies
    from pcl_core.elicitation.simulate import (
        Simulation as Simulation,
        as_one_part as as_one_part,
        matched_person as matched_person,
        person as person,
    )
    from pcl_core.elicitation.taste import Taste as Taste
    from pcl_core.errors import (
        Code as Code,
        InfeasibleError as InfeasibleError,
        Issue as Issue,
        Location as Location,
        MissingDependencyError as MissingDependencyError,
        MisuseError as MisuseError,
        PclError as PclError,
        ProblemError as ProblemError,
        RequestError as RequestError,
        UndecidedError as UndecidedError,
    )
    from pcl_core.ir.domains import (
        BoolVariable as BoolVariable,
        CategoricalVariable as CategoricalVariable,
        IntVariable as IntVariable,
        Value as Value,
    )
    from pcl_core.ir.symbols import Table as Table
    from pcl_core.ir.text import render as render
    from pcl_core.model.configuration import (
        Configuration as Configuration,
        combine as combine,
        complement as complement,
        read_configuration as read_configuration,
        restrict as restrict,
    )
    from pcl_core.model.elements import (
        Constraint as Constraint,
        Definition as Definition,
        Feature as Feature,
        Part as Part,
    )
    from pcl_core.model.evaluation import Assessment as Assessment, FeatureMap as FeatureMap, assess as assess
    from pcl_core.model.gai import gai_network as gai_network
    from pcl_core.model.problem import Problem as Problem
    from pcl_core.solve.judge import Solution as Solution
    from pcl_core.solve.oracle import Oracle as Oracle
    from pcl_core.solve.protocol import Options as Options, Status as Status

_HOMES = {
    "pcl_core.analysis.certificate": "Certificate Verification verify",
    "pcl_core.analysis.regret": "Optimum Regret optimum regret",
    "pcl_core.analysis.theory": "TheoryReport check_trace",
    "pcl_core.analysis.trace": "Step Trace",
    "pcl_core.authoring.builder": "ProblemBuilder",
    "pcl_core.authoring.load": "Limits catalogue load parse_authored parse_ground",
    "pcl_core.authoring.symbolic": "Expression all_different all_of any_of choose constant count largest smallest total",
    "pcl_core.elicitation.elicitation": "Elicitation",
    "pcl_core.elicitation.preview": "Preview",
    "pcl_core.elicitation.query": "Answer Query",
    "pcl_core.elicitation.schema": "data_schema",
    "pcl_core.elicitation.settings": "Settings",
    "pcl_core.elicitation.setup": "Strategies",
    "pcl_core.elicitation.simulate": "Simulation as_one_part matched_person person",
    "pcl_core.elicitation.taste": "Taste",
    "pcl_core.errors": "Code InfeasibleError Issue Location MissingDependencyError MisuseError PclError ProblemError "
    "RequestError UndecidedError",
    "pcl_core.ir.domains": "BoolVariable CategoricalVariable IntVariable Value",
    "pcl_core.ir.symbols": "Table",
    "pcl_core.ir.text": "render",
    "pcl_core.model.configuration": "Configuration combine complement read_configuration restrict",
    "pcl_core.model.elements": "Constraint Definition Feature Part",
    "pcl_core.model.evaluation": "Assessment FeatureMap assess",
    "pcl_core.model.gai": "gai_network",
    "pcl_core.model.problem": "Problem",
    "pcl_core.solve.judge": "Solution",
    "pcl_core.solve.oracle": "Oracle",
    "pcl_core.solve.protocol": "Options Status",
}
"""Where each name comes from. It is imported when it is first used; checkers of types read the same above."""
_HOME = {name: module for module, names in _HOMES.items() for name in names.split()}

__all__ = sorted(_HOME)

if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _HOME:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        found = globals()[name] = getattr(import_module(_HOME[name]), name)
        return found

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
