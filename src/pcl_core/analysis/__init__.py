"""Analysis: regret, the theory's quantities and bounds, certificates of local optima."""

from pcl_core.analysis.certificate import Certificate, Verification, verify
from pcl_core.analysis.record import Statement
from pcl_core.analysis.regret import Optimum, Regret, optimum
from pcl_core.analysis.theory import TheoryReport, average_conditional_regret, check_trace, regret_bound
from pcl_core.analysis.trace import Step, Trace

__all__ = [
    "Certificate",
    "Optimum",
    "Regret",
    "Statement",
    "Step",
    "TheoryReport",
    "Trace",
    "Verification",
    "average_conditional_regret",
    "check_trace",
    "optimum",
    "regret_bound",
    "verify",
]
