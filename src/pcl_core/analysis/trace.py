"""What happened in a simulated elicitation, query by query, measured with the true weights."""

from dataclasses import dataclass

from pcl_core.analysis.certificate import Certificate
from pcl_core.analysis.regret import Optimum
from pcl_core.learn.perceptron import Update
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Vector
from pcl_core.wording import html_table


@dataclass(frozen=True)
class Step:
    """One query t. Field names are those of `traces.parquet`, where `user` comes before them."""

    query: int
    part: str
    conditional_regret: float
    """CREG of the proposal x^t in its context"""
    utility: float
    """u*(x^t)"""
    utility_improved: float
    """u*(x̂^t)"""
    regret: float
    """max u* − u*(x^t), with the best configuration known"""
    regret_bound: float
    """the same with the proven bound on max u*; equal where the optimum is proven"""
    satisfied: bool
    update: Update
    zeta: float
    """ζ^t: the gain on I \\ J that an update of J alone misses"""
    changed_variables: int
    """how many variables the person changed"""
    shown_variables: int
    """how many she saw: the part's and its local context's"""
    context_variables: int
    """how many of these were context"""
    seconds_infer: float
    seconds_update: float
    certified: bool
    """whether the elicitation ended here with a certificate"""
    values_typed: int = 0
    """how many values she gave"""
    values_undone: int = 0
    """how many values that she had given and seen there are now shown differently"""
    final: bool = False
    """whether she improved the part and said that nothing in it is better still"""
    parts: tuple[str, ...] = ()
    """all parts that she was shown, where they may be several; `part` is the one that she improved, or the first"""
    together: bool = False
    """whether they were two in question as one: what she says is about both"""

    @property
    def worse(self) -> bool:
        """Whether the answer was worse than the proposal; it was learned from all the same."""
        return self.utility_improved < self.utility


@dataclass(frozen=True)
class Trace:
    """A whole simulated elicitation."""

    steps: tuple[Step, ...]
    weights: Vector
    """w*; not numbers where she has no linear utility, as all that is measured with it"""
    start: Vector
    """w^1"""
    norms: tuple[float, ...]
    """‖w^{t+1}‖ after each step"""
    order: tuple[int, ...]
    optimum: Optimum
    configuration: Configuration
    """the last recommendation"""
    certificate: Certificate | None
    proven: bool = True
    """whether every proposal was proven to be the best for w^t; a time limit can prevent that"""
    settles: bool = True
    """whether proposals were made on J and weights stayed while a person was satisfied, as Proposition 3 needs"""
    led_away: bool = False
    """whether a pin, set before the person was asked, had changed the first proposal: she improved another than x^t"""

    def _repr_html_(self) -> str:
        ends = {"first": self.steps[0].regret, "last": self.steps[-1].regret} if self.steps else {}
        said = {"queries": len(self.steps), "regret": ends, "certified": self.certificate is not None}
        return html_table("Trace", {**said, "configuration": self.configuration})
