"""What is built from constants alone is a constant, and the one that the reference evaluator gives."""

from decimal import Decimal
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.core.constants import REBUILT, SYMBOLS, VARIABLES, Trees, kinds, known, spelled

from pcl_core.errors import Code
from pcl_core.ir import make
from pcl_core.ir.domains import Kind
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.infer import Inference
from pcl_core.ir.nodes import NODE_TYPES, AllDifferent, Cmp, Const, In, Label, Node
from pcl_core.ir.numbers import to_exact

generators = st.randoms(use_true_random=False)


def drawn(random: Random, free: float = 0.5) -> Node:
    trees = Trees(random, free)
    return trees.truth(3) if random.random() < 0.6 else trees.number(3)


def values(random: Random) -> dict[str, bool | int | str]:
    return {variable.name: random.choice(variable.values()) for variable in VARIABLES}


def never_wrong(code: Code, message: str, hint: str | None) -> None:
    """Two labels that are known and differ are a mistake in a problem, but have a meaning."""
    assert code is Code.LABEL_OUTSIDE_DOMAIN, message


@settings(max_examples=500, deadline=None)
@given(generators)
def test_constants_fold_to_what_the_reference_evaluator_says(random: Random) -> None:
    node, configuration = drawn(random), values(random)
    expected = Evaluation(SYMBOLS, configuration).value(node)
    folded = known(node, configuration)
    assert isinstance(folded, (Const, Label)), folded
    found = folded.value if isinstance(folded.value, (bool, str)) else to_exact(folded.value)
    assert found == expected


@settings(max_examples=200, deadline=None)
@given(generators)
def test_bounds_of_an_expression_without_variables_hold_its_value(random: Random) -> None:
    node = spelled(drawn(random), values(random))
    facts = Inference(SYMBOLS, never_wrong).facts(node)
    low, high = facts.bounds
    value = Evaluation(SYMBOLS, {}).value(node)
    assert facts.kind is not Kind.UNKNOWN
    assert not isinstance(value, str)
    assert low <= value <= high


def test_the_drawn_expressions_use_every_kind_of_node() -> None:
    random = Random(1)
    assert set().union(*(kinds(drawn(random)) for _ in range(400))) == set(NODE_TYPES)
    assert set(REBUILT) == set(NODE_TYPES)


@pytest.mark.parametrize(
    ("operands", "different"),
    [
        ([1, 2, 3], True),
        ([1, 2, 1], False),
        ([1, True], False),
        ([0, True], True),
        ([Decimal("0.5"), Decimal("0.50")], False),
        ([1, Decimal("1.0")], False),
        (["red", "green"], True),
        (["red", "green", "red"], False),
        (["1", "2"], True),
        ([False, False], False),
        ([5], True),
        ([], True),
    ],
)
def test_all_different_of_known_values(operands: list[make.NodeLike], different: bool) -> None:
    assert make.all_different(operands) == Const(value=different)


def test_labels_that_are_known_are_compared() -> None:
    assert make.compare("red", "==", "red") == make.compare("red", "!=", "green") == Const(value=True)
    assert make.compare("red", "==", "green") == make.compare("red", "!=", "red") == Const(value=False)


@pytest.mark.parametrize(
    ("node", "kind"),
    [
        (make.compare("red", "<", "green"), Cmp),
        (make.compare("red", "==", 1), Cmp),
        (make.all_different(["red", 1]), AllDifferent),
        (make.member("red", [1]), In),
        (make.member(1, ["red"]), In),
    ],
)
def test_what_has_no_meaning_is_left_for_the_checks_to_report(node: Node, kind: type[Node]) -> None:
    reported: list[str] = []
    assert isinstance(node, kind)
    Inference(SYMBOLS, lambda code, message, hint: reported.append(message)).facts(node)
    assert reported
