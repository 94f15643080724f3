"""Random people without a linear utility: one exact configuration, random rules, wishes about neighbours.

What they want is taken from a configuration that is feasible, so it can be had; and it can be had by changing one part
after the other from where the problem starts. A person for whom that is not so is drawn anew.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from pcl_core.alternatives.listing import Listing
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.model.configuration import Configuration
from pcl_core.model.problem import Problem
from pcl_core.users.people import Shown, Wishing
from pcl_core.users.wishes import CountWish, PairWish, Wish, at_least, at_most, exactly, never

SWEEPS = 4
MAX_DRAWS = 50
EVERYWHERE = 3
"""So many rules are about all parts together."""

Generator = np.random.Generator


def random_configuration(listing: Listing, generator: Generator) -> Configuration:
    """Where a walk from the start ends that puts something allowed into each part, several times over."""
    x = listing.problem.initial_configuration
    if x is None:
        raise RequestError(Issue(Code.BAD_VALUE, f"problem '{listing.problem.name}' declares nothing to start from"))
    for _ in range(SWEEPS):
        for part in generator.permutation(len(listing.problem.parts)).tolist():
            found = listing.of(part, x)
            assert found is not None, "parts of these problems can be listed"
            x |= found.values(int(generator.integers(len(found))))
    return x


def random_exact(listing: Listing, generator: Generator) -> Wishing:
    """Somebody who wants exactly one configuration."""
    return _reachable(listing, lambda: [exactly(random_configuration(listing, generator))])


def random_rules(listing: Listing, generator: Generator) -> Wishing:
    """Somebody with rules: never, at most or at least so much of some values; a few everywhere, and one for each part."""

    def draw() -> list[Wish]:
        problem, target = listing.problem, random_configuration(listing, generator)
        everywhere = _by_domain(problem, [variable.name for variable in problem.variables])
        anywhere = [names for part in problem.parts for names in _by_domain(problem, part.variables)]
        about = [everywhere[at] for at in generator.integers(len(everywhere), size=EVERYWHERE).tolist()] + anywhere
        return [_rule(problem, names, target, generator) for names in about]

    return _reachable(listing, draw)


def random_neighbour(listing: Listing, generator: Generator) -> Wishing:
    """Somebody whose wishes depend on the neighbouring part: the same as there, or something else; and one or two rules."""

    def draw() -> list[Wish]:
        problem, target = listing.problem, random_configuration(listing, generator)
        everywhere = _by_domain(problem, [variable.name for variable in problem.variables])
        chosen = generator.integers(len(everywhere), size=EVERYWHERE).tolist()
        wishes: list[Wish] = [_rule(problem, everywhere[at], target, generator) for at in chosen]
        for before, after in pairwise(problem.parts):
            pairs = list(_comparable(problem, before.variables, after.variables))
            if pairs:
                first, second = pairs[int(generator.integers(len(pairs)))]
                wishes.append(PairWish(first, second, target[first] == target[second]))
        return wishes

    return _reachable(listing, draw)


def _rule(problem: Problem, names: Sequence[str], target: Configuration, generator: Generator) -> CountWish:
    """A rule about variables of one domain that the target obeys; every other one is about something that is there now."""
    domain, start = problem.symbols.variables[names[0]].values(), problem.initial_configuration or {}
    values = [domain[at] for at in generator.permutation(len(domain)).tolist()[: int(generator.integers(1, 3))]]
    if generator.random() < 0.5:
        values[0] = start[names[int(generator.integers(len(names)))]]
    held = sum(target[name] in values for name in names)
    if held == 0:
        return never(names, *values)
    if generator.random() < 0.5:
        return at_most(held, names, *values)
    return at_least(held, names, *values)


def _by_domain(problem: Problem, names: Sequence[str]) -> list[list[str]]:
    """Variables that have a choice, those of the same domain together: what a rule can be about."""
    groups: dict[Sequence[Value], list[str]] = {}
    for name in names:
        domain = problem.symbols.variables[name].values()
        if len(domain) > 1:
            groups.setdefault(tuple(domain), []).append(name)
    return list(groups.values())


def _comparable(problem: Problem, before: Sequence[str], after: Sequence[str]) -> Iterator[tuple[str, str]]:
    domain = {name: problem.symbols.variables[name].values() for name in (*before, *after)}
    return ((a, b) for a in before for b in after if domain[a] == domain[b] and len(domain[a]) > 1)


def _reachable(listing: Listing, draw: Callable[[], list[Wish]]) -> Wishing:
    """Somebody whose wishes are not fulfilled at the start, and can be by one part after the other."""
    for _ in range(MAX_DRAWS):
        person = Wishing(listing, tuple(draw()))
        start = listing.problem.initial_configuration
        assert start is not None
        if not person.satisfied(start) and person.satisfied(left_alone(person, start)):
            return person
    message = f"nobody was found in {MAX_DRAWS} draws whom problem '{listing.problem.name}' can serve"
    raise RequestError(Issue(Code.BAD_VALUE, message))


def left_alone(person: Wishing, configuration: Configuration) -> Configuration:
    """Where she ends when she changes one part after the other until there is nothing left to change."""
    x, quiet = dict(configuration), 0
    parts = len(person.listing.problem.parts)
    for turn in range(parts * parts * 2):
        typed = person.reply(Shown(turn % parts, x)).values
        x |= typed
        quiet = 0 if typed else quiet + 1
        if quiet == parts:
            break
    return x


WISHES: Mapping[str, Callable[[Listing, Generator], Wishing]] = {
    "exact": random_exact,
    "rules": random_rules,
    "neighbours": random_neighbour,
}
"""By name, for simulations."""
