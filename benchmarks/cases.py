"""What is solved: parts of the paper's problems, each with a list of weights and contexts drawn beforehand.

All competitors get the same list. Weights are normal; the context is a random feasible configuration.
"""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import numpy as np
import numpy.typing as npt
from benchmarks.handwritten import data
from benchmarks.handwritten.data import Outcome, Weights

from pcl_core import Configuration, Problem, assess, load
from pcl_core.solve.asking import quantise

Sampler = Callable[[Random], Configuration]


@dataclass(frozen=True)
class Query:
    """One inference: real weights for all features, and what is the same as whole numbers for those that count."""

    weights: npt.NDArray[np.float64]
    integers: Weights
    context: Configuration


@dataclass(frozen=True)
class Case:
    """A part (or, without a part, everything) of a problem, and the queries."""

    name: str
    problem: Problem
    part: int | None
    queries: tuple[Query, ...]

    @property
    def features(self) -> tuple[int, ...]:
        """I_p: the features that depend on the part."""
        return everything(self.problem) if self.part is None else self.problem.structure.feature_subsets[self.part]

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(self.problem.symbols.variables) if self.part is None else self.problem.parts[self.part].variables

    def objective(self, query: Query, outcome: Outcome) -> int:
        """The objective of an outcome by the reference evaluator; the outcome must be feasible and say the same."""
        found = assess(self.problem, {**query.context, **outcome.values})
        assert not found.violated, f"{self.name}: {found.violated} violated"
        names = [feature.name for feature in self.problem.features]
        value = sum(query.integers[names[index]] * int(found.features[index]) for index in self.features)
        assert value == outcome.objective, f"{self.name}: claims {outcome.objective}, has {value}"
        return value


def everything(problem: Problem) -> tuple[int, ...]:
    return tuple(range(len(problem.features)))


def make_case(name: str, problem: Problem, part: str | None, sample: Sampler, count: int, seed: int = 0) -> Case:
    position = None if part is None else problem.part_position(part)
    features = everything(problem) if position is None else problem.structure.feature_subsets[position]
    drawn, random = np.random.RandomState(seed), Random(seed)
    queries = []
    for _ in range(count):
        weights = drawn.normal(size=len(problem.features))
        integers = quantise(weights[list(features)], [problem.feature_facts[index] for index in features]).integers
        names = [problem.features[index].name for index in features]
        queries.append(Query(weights, dict(zip(names, integers, strict=True)), sample(random)))
    for query in queries[:20]:
        assert assess(problem, query.context).feasible, f"{name}: the context is not feasible"
    return Case(name, problem, position, tuple(queries))


def part_cases(count: int) -> list[Case]:
    """The parts that are measured."""
    grid, training, hotel = load("grid"), load("training"), load("hotel")
    return [
        make_case("grid block[0,0]", grid, "block[0,0]", grid_sampler(grid), count),
        make_case("training thu", training, "thu", random_week, count),
        make_case("training tue", training, "tue", random_week, count),
        make_case("hotel r7", hotel, "r7", hotel_sampler({n: r.capacity for n, r in data.rooms().items()}), count),
    ]


def grid_sampler(problem: Problem) -> Sampler:
    return lambda random: {variable.name: random.random() < 0.5 for variable in problem.variables}


def random_week(random: Random) -> Configuration:
    """Days drawn until none tires too much."""
    week: dict[str, bool | int | str] = {}
    for day in data.DAYS:
        while True:
            plan = [random.choice(data.ACTIVITIES) if slot in data.FREE[day] else "rest" for slot in data.SLOTS]
            windows = [[data.FATIGUE[a] for a in plan[start : start + 3]] for start in range(3)]
            if all(sum(muscle) <= data.MAX_FATIGUE for window in windows for muscle in zip(*window, strict=True)):
                break
        week.update((f"plan[{day},{slot}]", activity) for slot, activity in zip(data.SLOTS, plan, strict=True))
    return week


def hotel_sampler(capacities: dict[str, int], budget: int = data.BUDGET) -> Sampler:
    """Rooms with a bed and some more pieces, from nearly empty to full hotels, drawn until the money is enough."""

    def sample(random: Random) -> Configuration:
        while True:
            fullness, found, cost = random.random(), dict[str, bool | int | str](), 0
            for room, capacity in capacities.items():
                more = sum(random.random() < fullness for _ in range(capacity - 1))
                picked = [random.randrange(3), *(random.randrange(5) for _ in range(more))]
                found.update((f"{kind}[{room}]", picked.count(at)) for at, kind in enumerate(data.KINDS))
                cost += sum(data.COSTS[at] for at in picked)
            if cost <= budget:
                return found

    return sample
