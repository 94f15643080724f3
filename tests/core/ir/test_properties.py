"""Laws that hold for every expression, checked on random problems that use the whole language."""

import pickle
from fractions import Fraction
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.interrupting import interrupted

from pcl_core import FeatureMap, Problem, assess, parse_ground
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.registers import Registers
from pcl_core.ir.vector import VectorEvaluator
from pcl_core.testing import ProblemGenerator, random_configuration, random_problem

generators = st.randoms(use_true_random=False)


def exact_features(feature_map: FeatureMap, units: list[int]) -> list[Fraction]:
    return [Fraction(unit, 10 ** int(digits)) for unit, digits in zip(units, feature_map.places, strict=True)]


@settings(max_examples=150, deadline=None)
@given(generators)
def test_both_evaluators_agree_and_stay_within_the_bounds(random: Random) -> None:
    problem = ProblemGenerator(random).problem()
    configurations = [random_configuration(problem, random) for _ in range(6)]
    feature_map = FeatureMap(problem)
    for configuration, row in zip(configurations, feature_map.batch(configurations), strict=True):
        reference = assess(problem, configuration).features
        assert exact_features(feature_map, row.tolist()) == list(map(Fraction, reference))
        for facts, value in zip(problem.feature_facts, reference, strict=True):
            low, high = facts.bounds
            assert low <= value <= high


@settings(max_examples=100, deadline=None)
@given(generators)
def test_both_evaluators_agree_on_constraints(random: Random) -> None:
    problem = ProblemGenerator(random).problem()
    roots = [constraint.require for constraint in problem.constraints]
    configuration = random_configuration(problem, random)
    evaluation = Evaluation(problem.symbols, configuration)
    expected = [evaluation.truth(root) for root in roots]
    assert VectorEvaluator.of(problem.symbols, roots).one(configuration).tolist() == expected


SOON = 5


def soon_straight(evaluator: VectorEvaluator) -> VectorEvaluator:
    """As if straight-line Python paid for itself after a few evaluations."""
    vars(evaluator)["_often"] = SOON
    return evaluator


@settings(max_examples=60, deadline=None)
@given(generators)
def test_what_is_evaluated_often_means_the_same(random: Random) -> None:
    problem = ProblemGenerator(random).problem()
    roots = [feature.value for feature in problem.features] + [c.require for c in problem.constraints]
    often, once = soon_straight(VectorEvaluator.of(problem.symbols, roots)), VectorEvaluator.of(problem.symbols, roots)
    for _ in range(SOON + 5):
        configuration = random_configuration(problem, random)
        batch = once.evaluate(once.encode([configuration, configuration]))
        assert often.one(configuration).tolist() == batch[:, 0].tolist()


@settings(max_examples=60, deadline=None)
@given(generators)
def test_evaluators_that_share_registers_mean_the_same(random: Random) -> None:
    problem = ProblemGenerator(random).problem()
    roots = [feature.value for feature in problem.features] + [c.require for c in problem.constraints]
    shared = problem.registers.copied()
    apart = [VectorEvaluator.of(problem.symbols, [root]) for root in roots]
    together = [soon_straight(VectorEvaluator.of(problem.symbols, [root], shared)) for root in roots]
    sent = pickle.loads(pickle.dumps(shared))
    again = [VectorEvaluator.of(problem.symbols, [root.model_copy()], sent) for root in roots]
    for root, evaluator in zip(roots, together, strict=True):
        assert problem.symbols.free_variables(root) == {*evaluator.variables}
    for _ in range(SOON + 2):
        configuration = random_configuration(problem, random)
        expected = [evaluator.one(configuration).tolist() for evaluator in apart]
        assert [evaluator.one(configuration).tolist() for evaluator in together] == expected
        assert [evaluator.one(configuration).tolist() for evaluator in again] == expected


@settings(max_examples=100, deadline=None)
@given(generators)
def test_what_some_variables_decide_can_be_computed_first(random: Random) -> None:
    problem = ProblemGenerator(random).problem()
    nodes = [feature.value for feature in problem.features] + [c.require for c in problem.constraints]
    registers = problem.registers.copied()
    roots = [registers.add(node) for node in nodes]
    first = set(random.sample(sorted(problem.symbols.variables), random.randint(0, len(problem.variables))))
    late = {number for name, number in registers.variables.items() if name not in first}

    def early(number: int) -> bool:
        return late.isdisjoint(register.number for register in registers.reached([number]))

    mixed = [root for root in roots if not early(root)]
    separated, inputs = registers.separated(mixed, early)
    given = [*inputs, *sorted(late)]
    configuration = random_configuration(problem, random)
    whole, before = VectorEvaluator(registers, mixed), VectorEvaluator(registers, given)
    after = VectorEvaluator(registers, separated, given)
    assert all(map(early, inputs))
    assert after.evaluate(before.one(configuration)[:, None])[:, 0].tolist() == whole.one(configuration).tolist()


def test_registers_can_be_used_after_an_interrupt() -> None:
    problem = random_problem(3, max_configurations=50)
    nodes = [feature.value for feature in problem.features] + [c.require for c in problem.constraints]
    configuration = random_configuration(problem, Random(3))
    expected = VectorEvaluator.of(problem.symbols, nodes).one(configuration).tolist()
    late = {variable.name for variable in problem.variables[::2]}

    def lowered(registers: Registers) -> list[int]:
        """Everything, and once more with what does not depend on some variables computed first."""
        roots = [registers.add(node) for node in nodes]

        def early(number: int) -> bool:
            found = {register.number for register in registers.reached([number])}
            return not any(registers.variables.get(name) in found for name in late)

        return [
            roots[at] if early(roots[at]) else registers.separated([roots[at]], early)[0][0] for at in range(len(roots))
        ]

    for at in range(1, 600, 5):
        registers = Registers(problem.symbols)
        assert interrupted(lambda registers=registers: lowered(registers), at, ("pcl_core/ir/registers",))  # type: ignore[misc]
        assert VectorEvaluator(registers, lowered(registers)).one(configuration).tolist() == expected, at


@settings(max_examples=100, deadline=None)
@given(generators)
def test_updating_one_part_is_the_same_as_computing_all(random: Random) -> None:
    problem = ProblemGenerator(random).problem()
    feature_map = FeatureMap(problem)
    before, drawn = (random_configuration(problem, random) for _ in range(2))
    for position, part in enumerate(problem.parts):
        after = before | {name: drawn[name] for name in part.variables}
        updated = feature_map.updated(feature_map.units(before), after, position)
        assert updated.tolist() == feature_map.units(after).tolist()


@settings(max_examples=100, deadline=None)
@given(generators)
def test_features_depend_on_no_variable_outside_their_parts(random: Random) -> None:
    problem = ProblemGenerator(random).problem()
    before, drawn = (random_configuration(problem, random) for _ in range(2))
    for position, part in enumerate(problem.parts):
        after = before | {name: drawn[name] for name in part.variables}
        pairs = zip(assess(problem, before).features, assess(problem, after).features, strict=True)
        changed = {index for index, (old, new) in enumerate(pairs) if old != new}
        assert changed <= set(problem.structure.feature_subsets[position])


@settings(max_examples=100, deadline=None)
@given(generators)
def test_ground_json_round_trips(random: Random) -> None:
    problem = ProblemGenerator(random).problem()
    for again in (Problem.from_json(problem.to_json()), parse_ground(problem.to_json())):
        assert again == problem
        assert again.to_json() == problem.to_json()
        assert again.content_hash == problem.content_hash
