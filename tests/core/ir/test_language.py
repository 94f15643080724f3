"""The table of nodes: complete, true to the reference evaluator, and all that most kinds need."""

import ast
from itertools import product
from pathlib import Path
from random import Random
from typing import Literal, cast

import pytest
from tests.core.constants import SYMBOLS, Trees

import pcl_core
from pcl_core.compile.context import split
from pcl_core.compile.pipeline import Scope
from pcl_core.ir.domains import AnyVariable, BoolVariable, Facts, IntVariable, Kind, Value
from pcl_core.ir.evaluate import Evaluation
from pcl_core.ir.infer import Inference
from pcl_core.ir.language import TABLE, Entry, children, decomposed, with_children
from pcl_core.ir.long_sums import LongSums
from pcl_core.ir.nodes import NODE_TYPES, Cmp, Const, Count, Frozen, Node, Sum, Var
from pcl_core.ir.registers import Registers
from pcl_core.ir.symbols import Symbols
from pcl_core.ir.text import render
from pcl_core.ir.vector import VectorEvaluator
from pcl_core.solve.protocol import Options, Request
from pcl_core.solve.registry import get_backend

SOURCE = Path(pcl_core.__file__).parent.parent
TOUCHED = (
    "pcl_core/ir/nodes.py",  # the class, and its place in the union
    "pcl_core/ir/language.py",  # its entry in the table
    "pcl_core/ir/evaluate.py",  # its meaning
    "pcl_core/authoring/functions.py",  # its name in files
    "pcl_core/authoring/symbolic.py",  # its name in Python
)
"""What a new kind of node needs. Its function is in `pcl_core.authoring.symbolic`; one that is to be had from `pcl_core` itself
is named there as well."""
KNOWS_BETTER = {
    "Implies": {"pcl_core/ir/make.py"},
    "Iff": {"pcl_core/ir/make.py"},
    "Abs": {"pcl_core/ir/make.py"},
    "Count": {"pcl_core/ir/make.py", "pcl_core/compile/context.py"},
    "AllDifferent": {"pcl_core/ir/make.py", "pcl_core/compile/flatten.py", "pcl_core/authoring/lint.py"},
}
"""Where something is done for a kind beyond what its decomposition gives."""


def drawn(random: Random) -> Node:
    trees = Trees(random)
    return trees.truth(3) if random.random() < 0.6 else trees.number(3)


def below(node: Node) -> list[Node]:
    return [node, *(inner for child in children(node) for inner in below(child))]


def test_every_kind_has_an_entry() -> None:
    assert set(TABLE) == set(NODE_TYPES)


def test_children_are_all_expressions_in_the_fields() -> None:
    random = Random(1)
    for node in [inner for _ in range(200) for inner in below(drawn(random))]:
        held = [value for name in type(node).model_fields for value in _listed(getattr(node, name))]
        assert [value for value in held if isinstance(value, NODE_TYPES)] == list(children(node))
        assert with_children(node, children(node)) == node


def _listed(value: object) -> list[object]:
    return list(value) if isinstance(value, tuple) else [value]


def test_decompositions_mean_what_the_reference_evaluator_says() -> None:
    random, seen = Random(2), set()
    for node in [inner for _ in range(400) for inner in below(drawn(random))]:
        if TABLE[type(node)].decompose is None:
            continue
        seen.add(type(node))
        for _ in range(5):
            x = {name: random.choice(variable.values()) for name, variable in SYMBOLS.variables.items()}
            evaluation = Evaluation(SYMBOLS, x)
            assert evaluation.value(node) == evaluation.value(decomposed(node)), render(node)
    assert seen == {kind for kind, entry in TABLE.items() if entry.decompose is not None}


def test_who_names_a_kind_that_decomposes_is_one_of_five_files_or_knows_better() -> None:
    """A new place that asks for such a kind would be a place to change for the next one."""
    for kind, entry in TABLE.items():
        if entry.decompose is None:
            continue
        naming = set()
        for path in SOURCE.glob("pcl_*/**/*.py"):
            names = {node.id for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Name)}
            imports_nodes = "ir.nodes import" in path.read_text() or path.name == "nodes.py"
            if kind.__name__ in names and imports_nodes:
                naming.add(path.relative_to(SOURCE).as_posix())
        assert naming <= {*TOUCHED, *KNOWS_BETTER.get(kind.__name__, ())}, kind
        assert len(TOUCHED) <= 5


class AtLeastTwo(Frozen):
    """A kind that the language does not have: whether two or more are true."""

    op: Literal["at_least_two"] = "at_least_two"
    args: tuple[Node, ...]


FLAGS: tuple[AnyVariable, ...] = tuple(BoolVariable(name=name) for name in "abc")
NUMBER = IntVariable(name="n", lower=0, upper=2)
OUTSIDE = BoolVariable(name="outside")


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> Node:
    """The whole of what is needed beside its class, its meaning and its names."""
    entry = Entry(
        Kind.TRUTH,
        "args",
        Kind.TRUTH,
        lambda args: (int(sum(low for low, _ in args) >= 2), int(sum(high for _, high in args) >= 2)),
        lambda node: Cmp(rel=">=", left=Count(args=node.args), right=Const(value=2)),
    )
    monkeypatch.setitem(TABLE, cast("type[Frozen]", AtLeastTwo), entry)
    names = (*FLAGS, OUTSIDE)
    return AtLeastTwo(args=tuple(Var(name=variable.name) for variable in names))  # type: ignore[return-value]


@pytest.mark.parametrize("backend", ["table", "cpsat", "pulp", "cvxpy"])
def test_a_kind_that_is_in_the_table_alone_reaches_every_solver(toy: Node, backend: str) -> None:
    symbols = Symbols({variable.name: variable for variable in (*FLAGS, NUMBER, OUTSIDE)})
    inference = Inference(symbols, lambda *finding: pytest.fail(str(finding)))
    assert render(toy) == "at_least_two(a, b, c, outside)"
    assert symbols.free_variables(toy) == {"a", "b", "c", "outside"}
    assert inference.facts(toy) == Facts(Kind.TRUTH, 0, 1, 0, depth=2)
    own = (*FLAGS, NUMBER)
    counted = Count(args=tuple(Var(name=v.name) for v in FLAGS))
    worth = Sum.model_construct(coefs=(3, -1), args=(toy, counted), constant=0)  # the union of nodes knows no toy
    parts = split(symbols, inference, LongSums(symbols, inference, Registers(symbols), []), own, [worth], [toy])
    assert [render(value.node) for value in parts.context] == ["outside"]
    scope = Scope(own, (0,), (0,), (inference.facts(worth),), parts)
    vector = VectorEvaluator.of(symbols, [toy])
    for outside in (False, True):
        allowed = []
        for flags in product((False, True), repeat=3):
            x: dict[str, Value] = {"a": flags[0], "b": flags[1], "c": flags[2], "n": 0, "outside": outside}
            meant = sum((*flags, outside)) >= 2
            assert bool(vector.one(x)[0]) is meant
            allowed += [3 - sum(flags)] if meant else []
        answer = get_backend(backend).compile(scope).solve(Request((1,), "max", {"@0": outside}), Options())
        assert answer.objective == max(allowed)
