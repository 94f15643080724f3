"""How people fare who know what they want, by the defaults and by a plain form that never changes anything.

python -m benchmarks.people [--people N] [--queries T] [--problems training,meals,pc] [--taste] [--misfit] [--written SEEDS]

Means have 95 % intervals by the bootstrap over people; for values typed the share of the form's has one, too. `unsatisfied`
counts certificates for what is not what she wants.
"""

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from benchmarks.written.people import BY_RULES, EXACT

from pcl_core import Elicitation, Oracle, Problem, Settings, Simulation, Taste, load
from pcl_core.alternatives import Listing
from pcl_core.users import DEFINITE, WISHES, Informative, Liking, SimulatedPerson, definite, sample_weights

QUERIES = 100
RESAMPLES = 2000
HEAD = f"{'':38}{'queries':>20}{'values typed':>20}{'undone':>8}{'certified':>11}{'unsatisfied':>13}"


@dataclass(frozen=True)
class Service:
    """What it took to serve a person."""

    queries: int
    typed: int
    undone: int
    certified: bool
    satisfied: bool
    misfit: bool
    taste: Taste


def served(
    oracle: Oracle,
    person: SimulatedPerson,
    queries: int,
    recipe: str = "people",
    taste: Taste | None = None,
    random_start: int | None = None,
    seed: int = 0,
) -> Service:
    settings = Settings.of(recipe, seed=random_start or seed)
    start = None if random_start is None else "random"
    elicitation = Elicitation(oracle.problem, oracle=oracle, settings=settings, taste=taste, start=start)
    trace = Simulation(elicitation, person).run(queries)
    return Service(
        len(trace.steps),
        sum(step.values_typed for step in trace.steps),
        sum(step.values_undone for step in trace.steps),
        trace.certificate is not None,
        person.satisfied(elicitation.configuration),
        elicitation.misfit is not None,
        elicitation.taste(),
    )


def alike(oracle: Oracle, generator: np.random.Generator, seed: int) -> SimulatedPerson:
    """Somebody with a linear utility whose weights are alike across parts."""
    return Liking(oracle, sample_weights(oracle.problem, "alike", generator), Informative(alpha=0.3), (seed,))


def drawn(oracle: Oracle, kind: str, people: int) -> list[SimulatedPerson]:
    listing = Listing.shared(oracle.problem)
    generators = [np.random.default_rng((seed, 12)) for seed in range(people)]
    if kind == "alike":
        return [alike(oracle, generator, seed) for seed, generator in enumerate(generators)]
    return [WISHES[kind](listing, generator) for generator in generators]


def interval(found: Sequence[float], of: Callable[[np.ndarray], np.ndarray], *beside: Sequence[float]) -> str:
    """A statistic of people and its 95 % interval; nothing can be said of the interval of one."""
    rows = np.array([found, *beside], dtype=float)
    value = float(of(rows[:, None, :])[0])
    if len(found) < 2 or math.isnan(value):
        return f"{value:.1f}" if beside == () else f"{value:.2f}"
    drawn_at = np.random.default_rng(0).integers(rows.shape[1], size=(RESAMPLES, rows.shape[1]))
    low, high = np.nanpercentile(of(rows[:, drawn_at]), [2.5, 97.5])
    digits = 1 if beside == () else 2
    return f"{value:.{digits}f} [{low:.{digits}f}, {high:.{digits}f}]"


def mean(rows: np.ndarray) -> np.ndarray:
    return np.asarray(rows[0].mean(axis=-1))


def share(rows: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(rows[0].sum(axis=-1) / rows[1].sum(axis=-1))


def print_row(name: str, way: str, found: Sequence[Service]) -> None:
    queries, typed = (interval([getattr(each, key) for each in found], mean) for key in ("queries", "typed"))
    undone, certified = sum(each.undone for each in found), sum(each.certified for each in found)
    against = sum(each.certified and not each.satisfied for each in found)
    counted = f"{certified}/{len(found)}"
    print(f"{name:28}{way:10}{queries:>20}{typed:>20}{undone:>8}{counted:>11}{against:>13}", flush=True)


def print_beside(name: str, people: Sequence[Service], form: Sequence[Service]) -> None:
    print_row(name, "people", people)
    print_row(name, "form", form)
    of_form = interval([each.typed for each in people], share, [each.typed for each in form])
    more = interval([one.queries - other.queries for one, other in zip(people, form, strict=True)], mean)
    print(f"{'':28}values typed: {of_form} of the form's; queries: {more} more", flush=True)


def definite_people(queries: int) -> None:
    for name, (problem_name, wishes) in DEFINITE.items():
        oracle = Oracle.of(load(problem_name))
        person = definite(oracle.problem, wishes)
        print_row(name, "people", [served(oracle, person, queries)])
        print_row(name, "form", [served(oracle, person, queries, "form")])


def random_people(problem: Problem, people: int, queries: int) -> None:
    oracle = Oracle.of(problem)
    for kind in (*WISHES, "alike"):
        somebody = drawn(oracle, kind, people)
        found = [served(oracle, each, queries) for each in somebody]
        print_beside(f"{problem.name}: {kind}", found, [served(oracle, each, queries, "form") for each in somebody])


def written_people(queries: int, seeds: int) -> None:
    """The people that are written down, some seeds each."""
    for kind, written in (("exact", EXACT), ("rules", BY_RULES)):
        for problem_name, people in written.items():
            oracle = Oracle.of(load(problem_name))
            somebody = [definite(oracle.problem, wishes) for wishes in people.values()] * seeds
            found = [served(oracle, each, queries, seed=at // len(people)) for at, each in enumerate(somebody)]
            form = [served(oracle, each, queries, "form") for each in somebody]
            print_beside(f"{problem_name}: {kind}, written", found, form)


def second_weeks(problem: Problem, people: int, queries: int) -> None:
    """The same people again with their own taste, and with that of the person before; the control has a random start instead."""
    oracle = Oracle.of(problem)
    for kind in (*WISHES, "alike"):
        somebody = drawn(oracle, kind, people)
        first = [served(oracle, each, queries) for each in somebody]
        second = [served(oracle, each, queries, taste=one.taste) for each, one in zip(somebody, first, strict=True)]
        other = [served(oracle, each, queries, taste=first[at - 1].taste) for at, each in enumerate(somebody)]
        control = [served(oracle, each, queries, random_start=at) for at, each in enumerate(somebody)]
        for way, found in (("first", first), ("second", second), ("another's", other), ("no taste", control)):
            print_row(f"{problem.name}: {kind}", way, found)
        for way, found in (("another's taste", other), ("a random start without one", control)):
            more = [one.queries - before.queries for one, before in zip(found, first, strict=True)]
            costly, cheap = sum(cost > 3 for cost in more), sum(cost < -3 for cost in more)
            told = (
                f"{way}: {interval(more, mean)} more queries, {costly} of {people} more than three more, {cheap} fewer"
            )
            print(f"{'':28}{told}", flush=True)


def misfits(problem: Problem, people: int, queries: int) -> None:
    oracle = Oracle.of(problem)
    for kind in (*WISHES, "alike"):
        shown = sum(served(oracle, each, queries).misfit for each in drawn(oracle, kind, people))
        print(f"{problem.name}: {kind:18} a sign of misfit for {shown} of {people}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--people", type=int, default=20, help="random people of each kind; 0 for the definite four alone"
    )
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--problems", default="training,meals,pc")
    parser.add_argument("--taste", action="store_true", help="second weeks instead, with her own taste and another's")
    parser.add_argument("--misfit", action="store_true", help="how often a misfit is said instead")
    parser.add_argument("--written", type=int, metavar="SEEDS", help="people that are written down, by so many seeds")
    given = parser.parse_args()
    if given.written:
        print(HEAD)
        written_people(given.queries, given.written)
        return
    problems = [load(name) for name in given.problems.split(",")] if given.people else []
    measure = second_weeks if given.taste else misfits if given.misfit else random_people
    print(HEAD)
    if measure is random_people:
        definite_people(given.queries)
    for problem in problems:
        measure(problem, given.people, given.queries)


if __name__ == "__main__":
    main()
