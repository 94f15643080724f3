"""Random sessions: a person who does whatever the interface allows, and what can be seen of the state."""

from pathlib import Path
from random import Random
from typing import Any

from pcl_core import Elicitation, PclError, Problem, Settings, load, parse_authored
from pcl_core.solve.oracle import Oracle

TRIP = parse_authored("""
pcl: 1
name: trip
sets: {day: [one, two, three]}
variables:
  place: {index: [day], domain: [sea, town, hills], label: "where on day {day}"}
  nights: {index: [day], domain: 0..3}
  guide: {index: [day], domain: bool}
definitions:
  cost: {value: "sum(2 * nights[d] + (3 if guide[d] else 0) for d in day)", label: total cost}
constraints:
  - {name: budget, require: cost <= 14, label: the money is enough}
  - {name: "hills[{d}]", foreach: {d: day}, require: "guide[d] or place[d] != 'hills'", label: nobody walks alone}
features:
  - {name: "sea[{d}]", foreach: {d: day}, value: "place[d] == 'sea'", label: "sea on day {d}"}
  - {name: "nights[{d}]", foreach: {d: day}, value: "nights[d]", label: "nights of {d}", unit: nights}
  - {name: "guide[{d}]", foreach: {d: day}, value: "1 if guide[d] else -1", label: "a guide on {d}"}
  - {name: change, value: "place['one'] != place['two']", label: another place on the second day}
  - {name: cost, value: cost, label: cost}
parts:
  - {name: "{d}", foreach: {d: day}, variables: ["place[d]", "nights[d]", "guide[d]"]}
initial:
  - {set: "place[*]", to: town}
  - {set: "nights[*]", to: 1}
  - {set: "guide[*]", to: false}
""")
GRID = load("grid")
ACTIONS = ("ask", "improve", "improve", "improve", "accept", "accept", "skip", "pin", "unpin", "undo", "stop")


def start(
    problem: Problem = TRIP, log: Path | None = None, oracle: Oracle | None = None, **settings: Any
) -> Elicitation:
    return Elicitation(
        problem,
        backend="table",
        oracle=oracle,
        settings=Settings.model_validate(settings),
        log=log,
        clock=lambda: 0.0,
    )


def act(elicitation: Elicitation, random: Random, action: str) -> None:
    """One thing that a person can do; what is not allowed is refused and changes nothing."""
    if action in ("undo", "stop"):
        if action == "undo" or random.random() < 0.2:
            getattr(elicitation, action)()
        return
    if action == "unpin":
        elicitation.unpin(random.choice([*elicitation.pins, "nothing"]))
        return
    query = elicitation.ask()
    if query is None or action == "ask":
        return
    drawn = {
        name: random.choice(elicitation.problem.symbols.variables[name].values())
        for name in random.sample(list(query.proposal), random.randint(1, len(query.proposal)))
    }
    if action == "pin":
        elicitation.pin(*next(iter(drawn.items())))
        return
    elicitation.tell({"improve": query.improve(drawn), "accept": query.accept(), "skip": query.skip()}[action])


def attempt(elicitation: Elicitation, random: Random, action: str) -> bool:
    try:
        act(elicitation, random, action)
    except PclError:
        return False
    return True


def session(elicitation: Elicitation, random: Random, length: int) -> None:
    for _ in range(length):
        attempt(elicitation, random, random.choice(ACTIONS))


def seen(elicitation: Elicitation) -> dict[str, object]:
    """All that can be seen of an elicitation."""
    opened = elicitation._state.open
    certificate = elicitation.certificate
    return {
        "configuration": elicitation.configuration,
        "weights": elicitation.weights.tolist(),
        "queries": elicitation.queries,
        "confirmed": elicitation.confirmed,
        "passes": elicitation._state.progress.passes,
        "changed": elicitation._state.progress.changed_at,
        "pins": elicitation.pins,
        "open": opened
        and (opened.query, opened.part, opened.origin.configuration, opened.baseline_configuration, opened.proven),
        "asked": elicitation._state.asked,
        "gained": elicitation._state.gained,
        "finished": elicitation.finished,
        "certificate": certificate,
        "order": elicitation.order,
    }


def next_queries(elicitation: Elicitation, count: int) -> list[object]:
    """What is asked next, if everything is accepted."""
    found: list[object] = []
    for _ in range(count):
        query = elicitation.ask()
        if query is None:
            break
        found.append((query.number, query.part, query.configuration, query.why_text, query.changes))
        elicitation.tell(query.accept())
    return found
