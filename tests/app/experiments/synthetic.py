"""Made-up traces with known behaviour: regret falls from a start towards an end, by a rate, with seeded noise."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from pcl_app.experiments.record.runs import Runs
from pcl_app.experiments.record.traces import read_traces, write_traces

Row = dict[str, object]


@dataclass(frozen=True)
class Made:
    """How the regret of a made-up cell goes: first + noise at query 1, then a geometric way down to `last`."""

    first: float = 20.0
    last: float = 1.0
    half_life: float = 10.0
    noise: float = 0.5
    users: int = 20
    queries: int = 100
    seconds: float = 0.01
    gap: float = 0.0
    """How far regret_bound is above regret."""
    stop_at: int | None = None
    """Users end between this query and twice this query, with a certificate."""
    problem: str = "grid"
    algorithm: str = "pcl"
    select: str = "random"
    mode: str = "paper"
    stop: str = "two-pass"
    alpha: float | None = 0.1
    seed: int = 7

    def but(self, **changes: object) -> "Made":
        return replace(self, **changes)  # type: ignore[arg-type]

    def rows(self) -> list[Row]:
        generator = np.random.default_rng([self.seed, len(self.select), len(self.algorithm), self.users])
        found: list[Row] = []
        for user in range(self.users):
            taste = float(np.random.default_rng(self.seed + user).normal())
            length = self.queries if self.stop_at is None else min(self.queries, self.stop_at + user % self.stop_at)
            for query in range(1, length + 1):
                way = 0.5 ** ((query - 1) / self.half_life)
                mean = self.last + (self.first - self.last) * way
                regret = max(0.0, mean * (1 + 0.1 * taste) + self.noise * float(generator.normal()) * way)
                ended = self.stop_at is not None and query == length
                found.append(
                    {
                        "user": user,
                        "query": query,
                        "part": f"block[{query % 4}]",
                        "conditional_regret": 0.0 if ended else 0.3 * regret,
                        "utility": 30.0 - regret,
                        "utility_improved": 30.0 - 0.7 * regret,
                        "regret": regret,
                        "regret_bound": regret + self.gap,
                        "satisfied": ended,
                        "update": "none" if ended else "J",
                        "zeta": 0.1,
                        "changed_variables": 0 if ended else 2,
                        "shown_variables": 4,
                        "context_variables": 1,
                        "seconds_infer": self.seconds * (1 + 0.2 * float(generator.random())),
                        "seconds_update": self.seconds * 0.01,
                        "certified": ended,
                        "values_typed": 0 if ended else 2,
                        "values_undone": 0,
                        "final": False,
                        "problem": self.problem,
                        "algorithm": self.algorithm,
                        "learner": "perceptron",
                        "select": "" if self.algorithm == "cl" else self.select,
                        "order": "" if self.algorithm == "cl" else "degree",
                        "mode": self.mode,
                        "stop": self.stop,
                        "user_model": "conditional",
                        "weights": "normal",
                        "start": "",
                        "backend": "auto",
                        "time_limit": None,
                        "alpha": self.alpha,
                        "look_further": 0,
                        "seed": self.seed,
                        "cell": f"{self.problem}-{self.algorithm}-{self.select}-{self.alpha}",
                    }
                )
        return found


def runs_of(folder: Path, *made: Made) -> Runs:
    """Written to a file and read back, as experiments are."""
    return read_traces(write_traces(folder / "made", [row for cell in made for row in cell.rows()]).parent)


GRID = Made(half_life=12, last=0.4)
PAPER = (
    GRID,
    GRID.but(select="smallest", last=0.5),
    GRID.but(select="ucb1", last=0.5),
    GRID.but(algorithm="cl", seconds=0.03, alpha=None, half_life=10),
    *(
        Made(
            problem="training",
            first=90,
            last=2 / alpha**0.4,
            half_life=5 / alpha**0.5,
            alpha=alpha,
            noise=4,
            stop_at=60,
        )
        for alpha in (0.1, 0.3, 0.5)
    ),
    *(
        Made(problem="hotel", first=60, last=5, half_life=12 / alpha**0.5, alpha=alpha, noise=3, seconds=0.03, gap=1.5)
        for alpha in (0.1, 0.3, 0.5)
    ),
)
