"""The person who changes as few variables as possible, in parts too large to try every set of them."""

from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from pcl_core import Configuration, Oracle, Problem, ProblemBuilder, assess, parse_authored
from pcl_core.ir.domains import BoolVariable, IntVariable
from pcl_core.ir.make import compare
from pcl_core.ir.nodes import Var
from pcl_core.model.elements import Constraint, Feature, Part
from pcl_core.users.simulated import SmallestEdit
from pcl_core.users.utility import PartView

MIXED = parse_authored("""
pcl: 1
name: mixed
sets: {place: 0..5}
variables:
  on: {index: [place], domain: bool}
  depth: {domain: 0..6}
  kind: {domain: [small, large, odd]}
  other: {domain: 0..3}
constraints:
  - {name: budget, require: "count(on[*]) + depth + other <= 8"}
  - {name: kinds, require: "kind != 'odd' or depth >= 2"}
features:
  - {name: "f[{p}]", foreach: {p: place}, value: "on[p]"}
  - {name: depth, value: depth}
  - {name: large, value: kind == 'large'}
  - {name: odd, value: kind == 'odd'}
  - {name: both, value: depth + other}
  - {name: other, value: other}
parts:
  - {name: one, variables: ["on[*]", depth, kind]}
  - {name: two, variables: [other]}
""")


def switches(count: int) -> Problem:
    build = ProblemBuilder("switches")
    all_of_them = [build.boolean(f"x{number}") for number in range(count)]
    for number, switch in enumerate(all_of_them):
        build.feature(f"f{number}", switch)
    build.part("all", all_of_them)
    build.initial(all_of_them, False)
    return build.problem()


def changes(view: PartView, answer: Configuration | None) -> int:
    assert answer is not None
    assert list(answer) == list(view.configuration)
    return sum(answer[name] != view.configuration[name] for name in answer)


def answered(view: PartView, alpha: float) -> Configuration | None:
    return SmallestEdit(alpha=alpha).improve(view, np.random.default_rng(0))


@pytest.mark.parametrize("backend", ["auto", "cpsat", "pulp"])
@pytest.mark.parametrize(
    ("weights", "alpha", "fewest", "gain"),
    [([9.0] + [1.0] * 19, 0.5, 6, 14.0), ([float(number + 1) for number in range(20)], 0.3, 4, 63.0)],
    ids=["one large", "steps"],
)
def test_twenty_switches_take_no_more_than_they_must(
    weights: list[float], alpha: float, fewest: int, gain: float, backend: str
) -> None:
    problem = switches(20)
    assert problem.initial_configuration is not None
    view = PartView(Oracle.of(problem, backend), np.array(weights), 0, problem.initial_configuration, {})
    answer = answered(view, alpha)
    assert changes(view, answer) == fewest
    assert answer is not None
    assert view.utility_of(answer) == gain, "and no better than she must"


def allowed(x: Configuration, pins: Configuration) -> list[Configuration]:
    own = MIXED.parts[0].variables
    domains = [(pins[name],) if name in pins else MIXED.symbols.variables[name].values() for name in own]
    options = ({**x, **dict(zip(own, values, strict=True))} for values in product(*domains))
    return [option for option in options if assess(MIXED, option).feasible]


@pytest.mark.parametrize("backend", ["table", "cpsat"])
def test_it_is_that_of_enumeration_with_constraints_across_parts_and_pins(backend: str) -> None:
    oracle, seen = Oracle.of(MIXED, backend), set()
    for seed in range(6):
        random = Random(seed)
        weights = [random.randint(-90, 90) for _ in MIXED.features]
        x: Configuration = {f"on[{place}]": random.random() < 0.4 for place in range(6)}
        x |= {"depth": 2, "kind": random.choice(["small", "odd"]), "other": random.randint(0, 2)}
        pins = {"on[0]": x["on[0]"]} if seed % 2 else {}
        view = PartView(oracle, np.array(weights, dtype=float), 0, x, pins)
        options = [(changes(view, option), gain(weights, x, option)) for option in allowed(x, pins)]
        best = max(more for _, more in options)
        for alpha in (0.25, 0.75, 1.0) if best else ():
            answer = answered(view, alpha)
            assert answer in allowed(x, pins)
            found = (changes(view, answer), gain(weights, x, answer))
            assert found == min(option for option in options if option[1] >= Fraction(alpha) * best)
            seen.add(found[0])
    assert len(seen) > 2


def gain(weights: list[int], x: Configuration, other: Configuration | None) -> Fraction:
    assert other is not None
    before, after = assess(MIXED, x).features, assess(MIXED, other).features
    own = MIXED.structure.feature_subsets[0]
    return sum((weights[at] * (Fraction(after[at]) - Fraction(before[at])) for at in own), Fraction(0))


def test_names_that_a_problem_has_already_are_no_trouble() -> None:
    x, y = IntVariable(name="@before 0", lower=0, upper=9), BoolVariable(name="@most")
    problem = Problem.create(
        name="taken",
        variables=(x, y),
        constraints=(Constraint(name="@changes 0", require=compare(Var(name=x.name), "<=", 8)),),
        features=tuple(Feature(name=each.name, value=Var(name=each.name)) for each in (x, y)),
        parts=(Part(name="@before", variables=(x.name, y.name)),),
    )
    view = PartView(Oracle.of(problem, "table"), np.array([1.0, 4.0]), 0, {x.name: 0, y.name: False}, {})
    assert answered(view, 0.5) == {x.name: 6, y.name: False}


def test_the_derived_problem_is_compiled_once() -> None:
    problem = switches(3)
    oracle = Oracle.of(problem, "table")
    assert problem.initial_configuration is not None
    view = PartView(oracle, np.ones(3), 0, problem.initial_configuration, {})
    assert changes(view, answered(view, 0.5)) == 2
    (derived,) = oracle.compiled._beside.values()
    compiled = derived.compilations
    assert changes(view, answered(view, 0.5)) == 2
    assert [*oracle.compiled._beside.values()] == [derived]
    assert derived.compilations == compiled == 1
