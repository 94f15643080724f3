"""One coding: what is coded comes back, in every form that numbers take."""

import ast
from pathlib import Path
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

import pcl_core
from pcl_core.compile.pipeline import ContextEvaluator, scope_of
from pcl_core.ir.coding import (
    Coding,
    VariableColumns,
    column_specs,
    from_columns,
    place_of,
    range_of,
    to_columns,
    value_at,
)
from pcl_core.ir.domains import BoolVariable, CategoricalVariable, IntVariable, Value
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.numbers import unscaled
from pcl_core.testing import ProblemGenerator, random_configuration

FLAG = BoolVariable(name="flag")
COUNT = IntVariable(name="count", lower=-2, upper=3)
COLOUR = CategoricalVariable(name="colour", labels=("red", "blue", "grey"))
SHADE = CategoricalVariable(name="shade", labels=("grey", "red"))
VARIABLES = (FLAG, COUNT, COLOUR, SHADE)


def test_codes_of_all_kinds_lead_back_to_the_value() -> None:
    coding = Coding()
    for variable in VARIABLES:
        codes = list(coding.domain(variable))
        assert [coding.value(variable, code) for code in codes] == list(variable.values())
        assert codes == [coding.code(value) for value in variable.values()]
        assert coding.codes(variable.values()) == codes
    assert type(coding.value(FLAG, 1)) is bool


def test_a_label_has_one_code_whoever_has_it() -> None:
    coding = Coding()
    colours, shades = coding.domain(COLOUR), coding.domain(SHADE)
    assert (shades[0], shades[1]) == (colours[2], colours[0])


def test_a_copy_keeps_codes_and_learns_alone() -> None:
    coding = Coding(COLOUR.labels)
    copied = coding.copied()
    assert copied.code("new") == 3
    assert coding.code("other") == 3
    assert copied.domain(COLOUR) == coding.domain(COLOUR) == [0, 1, 2]


def test_places_count_the_values_of_a_domain() -> None:
    for variable in VARIABLES:
        assert [place_of(variable, value) for value in variable.values()] == list(range(variable.size))
        assert [value_at(variable, place) for place in range(variable.size)] == list(variable.values())


def test_columns_of_all_values_lead_back() -> None:
    held: list[VariableColumns] = []
    for variable in VARIABLES:
        start = held[-1].columns[-1] + 1 if held else 0
        held.append(VariableColumns(variable, tuple(range(start, start + len(column_specs(variable))))))
    random = Random(1)
    for _ in range(50):
        x: dict[str, Value] = {variable.name: random.choice(variable.values()) for variable in VARIABLES}
        numbers = to_columns(held, x)
        assert sorted(numbers) == list(range(7))
        assert from_columns(held, [numbers[at] for at in range(7)]) == x
        for variable, columns in held:
            specs = column_specs(variable)
            assert all(s.lower <= numbers[at] <= s.upper for s, at in zip(specs, columns, strict=True))


def test_what_a_solver_gets_wrong_is_not_made_right() -> None:
    held = [VariableColumns(FLAG, (0,)), VariableColumns(SHADE, (1, 2))]
    found = from_columns(held, [2, 0, 0])
    assert found == {"flag": 2, "shade": ""}
    assert not FLAG.holds(found["flag"])
    assert not SHADE.holds(found["shade"])


def test_numbers_and_truth_values_are_a_range() -> None:
    assert (range_of(FLAG), range_of(COUNT)) == (range(2), range(-2, 4))


@settings(max_examples=100, deadline=None)
@given(st.randoms(use_true_random=False))
def test_a_context_is_a_mapping_of_values_that_mean_what_the_problem_says(random: Random) -> None:
    """By name; labels and truth values as they are, numbers in units of 10^-places."""
    problem = ProblemGenerator(random).problem()
    scope = scope_of(problem, problem.parts[0].variables)
    configuration = random_configuration(problem, random)
    found = ContextEvaluator(problem, scope)(configuration)
    evaluation = Evaluation(problem.symbols, configuration)
    assert list(found) == [value.variable.name for value in scope.context]
    for value in scope.context:
        coded = found[value.variable.name]
        assert value.variable.holds(coded)
        meant = unscaled(coded, value.places) if isinstance(value.variable, IntVariable) else coded  # type: ignore[arg-type]
        assert meant == evaluation.value(value.node)


def test_the_number_of_a_label_is_written_in_one_module_only() -> None:
    """Whoever looks for a label's position, or numbers labels, does what `pcl_core.ir.coding` is for."""
    source = Path(pcl_core.__file__).parent.parent
    found = set()
    for place in [*source.glob("pcl_core/*/*.py"), *source.glob("pcl_backends/**/*.py")]:
        for node in ast.walk(ast.parse(place.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(attr="index", value=ast.Attribute(attr="labels"))):
                    found.add(place.name)
                case ast.Call(func=ast.Attribute(attr="index", value=ast.Call(func=ast.Attribute(attr="values")))):
                    found.add(place.name)
                case ast.Call(func=ast.Name(id="enumerate"), args=[ast.Attribute(attr="labels"), *_]):
                    found.add(place.name)
    assert found == {"coding.py"}
