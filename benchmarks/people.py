"""How people fare who answer for themselves: today's elicitation beside a plain form that never changes anything.

python -m benchmarks.people [--people N] [--queries T] [--linear]
"""

import argparse
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from statistics import mean

import numpy as np

from pcl_core import Configuration, Elicitation, Oracle, Problem, Value, load
from pcl_core.alternatives import Alternatives, Listing
from pcl_core.learn.facts import KnownFacts
from pcl_core.users import DEFINITE, Informative, Liking, Reply, Shown, SimulatedPerson, definite, sample_weights
from pcl_core.users.drawing import random_exact, random_neighbour, random_rules

QUERIES = 100


@dataclass
class Service:
    """What it took to serve a person."""

    queries: int = 0
    corrections: int = 0
    typed: int = 0
    undone: int = 0
    finished: bool = False
    satisfied: bool = False
    first_pass: int = 0
    """Queries until every part was asked about once."""
    _hers: dict[str, Value] = field(default_factory=dict, repr=False)

    def look(self, before: Configuration, now: Configuration) -> None:
        """Count values that she typed and that are proposed differently."""
        self.undone += sum(before[name] == value != now[name] for name, value in self._hers.items())

    def hear(self, reply: Reply) -> None:
        self.queries += 1
        self.corrections += reply.kind == "improved"
        self.typed += len(reply.values)
        self._hers |= reply.values


def elicited(problem: Problem, person: SimulatedPerson, queries: int, oracle: Oracle | None = None) -> Service:
    """With `Elicitation` as it is, by its defaults."""
    service, elicitation = Service(), Elicitation(problem, oracle=oracle)
    asked: set[str] = set()
    before = elicitation.configuration
    while service.queries < queries and (query := elicitation.ask()) is not None:
        service.look(before, query.configuration)
        reply = person.reply(Shown(query.part_position, query.configuration, query.pins, query.number))
        service.hear(reply)
        if reply.kind == "improved":
            elicitation.tell(query.improve(reply.values))
        else:
            elicitation.tell(query.accept() if reply.kind == "accepted" else query.skip())
        before = elicitation.configuration
        asked.add(query.part)
        service.first_pass = service.first_pass or (service.queries if len(asked) == len(problem.parts) else 0)
    service.finished = elicitation.certificate is not None
    service.satisfied = person.satisfied(elicitation.configuration)
    return service


def by_form(problem: Problem, person: SimulatedPerson, queries: int, last_look: bool = True) -> Service:
    """A form: what stands stays, open parts are asked in the file's order, and what she types is final if she says so.

    In the last look she sees the whole: it is right, or she opens the first part that she would change. It is one query,
    and there is none if she confirmed every part by word as the rest now stands.
    """
    service, listing, facts = Service(), Listing(problem), KnownFacts()
    x = problem.initial_configuration
    assert x is not None
    by_word: set[int] = set()
    while service.queries < queries:
        part = next(_open(problem, listing, facts, x), None)
        if part is None:
            looks = last_look and len(by_word) < len(problem.parts)
            service.queries += looks
            part = next((p for p in range(len(problem.parts)) if not person.satisfied_with(Shown(p, x))), None)
            if part is None or not looks:
                service.finished = True
                break
        reply = person.reply(Shown(part, x, query=service.queries + 1))
        service.hear(reply)
        facts, x = _told(listing, facts, part, x, reply)
        by_word = ({part} if reply.values else by_word | {part}) if reply.final or not reply.values else set()
        service.first_pass = service.first_pass or (service.queries if len(facts.parts) == len(problem.parts) else 0)
    service.satisfied = person.satisfied(x)
    return service


def _open(problem: Problem, listing: Listing, facts: KnownFacts, x: Configuration) -> Iterator[int]:
    """Parts to ask about: those never asked about first, then those that are not closed."""
    parts = range(len(problem.parts))
    yield from (part for part in parts if part not in facts.parts)
    yield from (part for part in parts if not facts.closed(part, x, _beside(listing, part, x).differences))


def _told(
    listing: Listing, facts: KnownFacts, part: int, x: Configuration, reply: Reply
) -> tuple[KnownFacts, Configuration]:
    now = x | reply.values
    after = _beside(listing, part, now)
    if reply.kind == "improved":
        before = _beside(listing, part, x)
        assert before.standing is not None
        assert after.standing is not None
        facts = facts.improving(part, before.units[before.standing], after.units[after.standing]).facts
    if reply.kind == "accepted" or reply.final:
        facts = facts.accepting(part, {v.name: now[v.name] for v in after.variables}, after.differences).facts
    return facts, now


def _beside(listing: Listing, part: int, x: Configuration) -> Alternatives:
    found = listing.of(part, x)
    assert found is not None, "parts of these problems can be listed"
    return found


def definite_people(queries: int) -> None:
    print(f"{'':26}{'':12}  queries  first pass  corrections  typed  undone  finished  satisfied")
    for name, (problem_name, wishes) in DEFINITE.items():
        problem = load(problem_name)
        person = definite(problem, wishes)
        print_row(name, "today", [elicited(problem, person, queries)])
        print_row(name, "form, facts", [by_form(problem, person, queries, last_look=False)])
        print_row(name, "plain form", [by_form(problem, person, queries)])


def print_row(name: str, way: str, found: list[Service]) -> None:
    figures = [
        mean(getattr(each, key) for each in found)
        for key in ("queries", "first_pass", "corrections", "typed", "undone")
    ]
    widths = (9, 12, 13, 7, 8)
    shown = "".join(f"{figure:>{width}.1f}" for figure, width in zip(figures, widths, strict=True))
    finished, satisfied = (sum(getattr(each, key) for each in found) for key in ("finished", "satisfied"))
    print(f"{name:26}{way:12}{shown}{finished:>7}/{len(found)}{satisfied:>8}/{len(found)}", flush=True)


RANDOM: dict[str, Callable[[Listing, np.random.Generator], SimulatedPerson]] = {
    "exact": random_exact,
    "rules": random_rules,
    "neighbours": random_neighbour,
}


def random_people(people: int, queries: int, names: tuple[str, ...]) -> None:
    for name in names:
        problem = load(name)
        listing, oracle = Listing(problem), Oracle.of(problem)
        for kind, draw in RANDOM.items():
            drawn = [draw(listing, np.random.default_rng((seed, 12))) for seed in range(people)]
            print_row(f"{name}: {kind}", "today", [elicited(problem, each, queries, oracle) for each in drawn])
            print_row(
                f"{name}: {kind}", "form, facts", [by_form(problem, each, queries, last_look=False) for each in drawn]
            )
            print_row(f"{name}: {kind}", "plain form", [by_form(problem, each, queries) for each in drawn])


def linear_people(people: int, queries: int) -> None:
    for name in ("grid", "training", "hotel"):
        problem = load(name)
        oracle = Oracle.of(problem)
        for kind in ("independent", "alike"):
            drawn = []
            for seed in range(people):
                generator = np.random.default_rng((seed, 34))
                weights = sample_weights(problem, "alike" if kind == "alike" else "normal", generator)
                drawn.append(Liking(oracle, weights, Informative(alpha=0.3), (seed,)))
            print_row(f"{name}: {kind}", "today", [elicited(problem, each, queries, oracle) for each in drawn])
            print_row(
                f"{name}: {kind}", "form, facts", [by_form(problem, each, queries, last_look=False) for each in drawn]
            )
            print_row(f"{name}: {kind}", "plain form", [by_form(problem, each, queries) for each in drawn])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--people", type=int, default=20, help="random people of each kind; 0 for the definite four alone"
    )
    parser.add_argument("--queries", type=int, default=QUERIES)
    parser.add_argument("--linear", action="store_true", help="people with linear utilities as well")
    given = parser.parse_args()
    definite_people(given.queries)
    if given.people:
        random_people(given.people, given.queries, ("training", "meals", "pc"))
        if given.linear:
            linear_people(given.people, given.queries)


if __name__ == "__main__":
    main()
