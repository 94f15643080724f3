"""Simulated people. Each says how she improves one part of a configuration, in its context.

All know their own utility u* and nothing of the learner. α-informativeness is Eq. 5 of the paper: an improvement
gains at least α of the conditional regret.
"""

from fractions import Fraction
from typing import Annotated, ClassVar, Protocol

import numpy as np
from pydantic import Field

from pcl_core.learn.plugins import Registry, Strategy
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import read_exactly
from pcl_core.plugins import Group
from pcl_core.users.smallest_edit import smallest_edit
from pcl_core.users.utility import PartView

Share = Annotated[float, Field(gt=0, le=1)]
Probability = Annotated[float, Field(ge=0, le=1)]

MAX_DRAWS = 10


class UserModel(Protocol):
    """A plug-in point: entry-point group `pcl.users`."""

    @property
    def alpha(self) -> float:
        """α: the fraction of the conditional regret that improvements gain."""
        ...

    @property
    def informative(self) -> bool:
        """Whether every improvement gains at least α."""
        ...

    @property
    def truthful(self) -> bool:
        """Whether being satisfied means that nothing is better."""
        ...

    def improve(self, view: PartView, generator: np.random.Generator) -> Configuration | None:
        """The improved configuration x̂_p ∘ x_p̄, or None: satisfied."""
        ...


class Informative(Strategy):
    """the paper's conditionally α-informative user: the least improvement that gains α of the conditional regret"""

    informative: ClassVar[bool] = True
    truthful: ClassVar[bool] = True
    alpha: Share = 0.1

    def improve(self, view: PartView, generator: np.random.Generator) -> Configuration | None:
        return None if view.is_best else least_improvement(view, read_exactly(self.alpha) * view.exact_regret)


class BestResponse(Strategy):
    """the best-response user: α = 1, the best there is in this context"""

    informative: ClassVar[bool] = True
    truthful: ClassVar[bool] = True
    alpha: ClassVar[float] = 1.0

    def improve(self, view: PartView, generator: np.random.Generator) -> Configuration | None:
        return None if view.is_best else view.best.configuration


class SmallestEdit(Strategy):
    """the lazy user: changes as few variables as gain α of the conditional regret"""

    informative: ClassVar[bool] = True
    truthful: ClassVar[bool] = True
    alpha: Share = 0.1

    def improve(self, view: PartView, generator: np.random.Generator) -> Configuration | None:
        return None if view.is_best else smallest_edit(view, read_exactly(self.alpha) * view.exact_regret)


class Satisficing(Strategy):
    """content when the conditional regret is below a fraction of what is at stake in this part, else as α-informative"""

    informative: ClassVar[bool] = False
    truthful: ClassVar[bool] = False
    alpha: Share = 0.1
    fraction: Share = 0.1

    def improve(self, view: PartView, generator: np.random.Generator) -> Configuration | None:
        if view.is_best:
            return None
        if view.exact_regret < read_exactly(self.fraction) * view.at_stake:
            return None
        return least_improvement(view, read_exactly(self.alpha) * view.exact_regret)


class Noisy(Strategy):
    """α-informative, but with probability p the answer is worse than the proposal, or useless"""

    informative: ClassVar[bool] = False
    truthful: ClassVar[bool] = False
    alpha: Share = 0.1
    p: Probability = 0.1

    def improve(self, view: PartView, generator: np.random.Generator) -> Configuration | None:
        if generator.random() >= self.p:
            return None if view.is_best else least_improvement(view, read_exactly(self.alpha) * view.exact_regret)
        for _ in range(MAX_DRAWS):
            answer = view.best_for(generator.normal(size=len(view.weights)))
            if _changes(view, answer) and view.exact_gain(answer) <= 0:
                return answer
        return None


class InExpectation(Strategy):
    """α-informative only in expectation: each answer aims at a fraction drawn anew, whose mean is α"""

    informative: ClassVar[bool] = False
    truthful: ClassVar[bool] = True
    alpha: Share = 0.1

    def improve(self, view: PartView, generator: np.random.Generator) -> Configuration | None:
        reach = min(self.alpha, 1.0 - self.alpha)
        aim = generator.uniform(self.alpha - reach, self.alpha + reach) if reach > 0 else self.alpha
        return None if view.is_best else least_improvement(view, read_exactly(aim) * view.exact_regret)


USERS: Registry[UserModel] = Registry(
    "user",
    Group.USERS,
    {
        "informative": Informative,
        "best": BestResponse,
        "smallest-edit": SmallestEdit,
        "satisficing": Satisficing,
        "noisy": Noisy,
        "expected": InExpectation,
    },
    {"improve": 2, "alpha": 0, "informative": 0, "truthful": 0},
)


def least_improvement(view: PartView, wanted: Fraction) -> Configuration:
    """argmin u*[I](x̂) subject to u*[I](x̂) − u*[I](x) >= wanted, at most the best: the user simulation of the paper."""
    best = view.best.configuration
    assert best is not None
    return best if wanted >= view.exact_regret else view.least_with(wanted)


def matched_improvement(view: PartView, gain: float) -> Configuration | None:
    """The least improvement that gains as much, or the best where nothing does: what plain coactive learning is fed.

    No gain to match says nothing: neither an improvement nor that there is none.
    """
    if view.is_best:
        return None
    return view.configuration if gain <= 0 else least_improvement(view, read_exactly(gain))


def _changes(view: PartView, other: Configuration) -> int:
    return sum(other[name] != view.configuration[name] for name in view.variables)
