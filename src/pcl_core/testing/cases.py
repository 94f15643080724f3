"""One tiny model for each node kind, with its optimum and all optimal configurations listed.

The lists were worked out by hand and are checked against the reference evaluator in the core's own tests.
"""

from dataclasses import dataclass
from functools import cached_property

from pcl_core.authoring.load import parse_authored
from pcl_core.ir.domains import Value
from pcl_core.model.problem import Problem

_FILE = """
pcl: 1
name: {name}
shared_only: allow
tables: {{price: {{index: [colour], values: {{red: 3, green: -1.5, blue: 3}}}}, step: {{index: [number], values: [4, 0, 4]}}}}
sets: {{colour: [red, green, blue], number: 0..2}}
variables:
  a: {{domain: bool}}
  b: {{domain: bool}}
  x: {{domain: 0..2}}
  y: {{domain: -1..1}}
  c: {{domain: colour}}
  d: {{domain: [green, blue]}}
definitions: {{twice: {{value: 2 * x}}}}
constraints: [{{name: only, require: "{require}"}}]
features:
  - {{name: f, value: "{feature}"}}
  - {{name: rest, value: "sum(a + b + x + y for i in 1..1) + price[c] + (d == 'blue')"}}
parts: [{{name: all, variables: [a, b, x, y, c, d]}}]
"""
_FREE = "0 * (a + b + x + y + price[c]) + 0 * (d == 'blue')"


@dataclass(frozen=True)
class Case:
    """Maximise or minimise one feature; `optima` gives the values of the variables that matter in each optimum."""

    kind: str
    feature: str
    best: int
    optima: tuple[dict[str, Value], ...]
    sense: str = "max"
    require: str = "true"

    @cached_property
    def problem(self) -> Problem:
        return parse_authored(_FILE.format(name=self.kind, feature=f"({self.feature}) + {_FREE}", require=self.require))


CASES: tuple[Case, ...] = (
    Case("const", "7 * a", 7, ({"a": True},)),
    Case("label", "c == 'green'", 1, ({"c": "green"},)),
    Case("var", "x", 0, ({"x": 0},), "min"),
    Case("ref", "twice", 4, ({"x": 2},)),
    Case("sum", "2 * x - 3 * y + 1", 8, ({"x": 2, "y": -1},)),
    Case("product", "a * y", -1, ({"a": True, "y": -1},), "min"),
    Case("lookup", "price[c]", 3, ({"c": "red"}, {"c": "blue"})),
    Case("lookup-number", "step[x]", 0, ({"x": 1},), "min"),
    Case("min", "min(x, y)", 1, ({"x": 1, "y": 1}, {"x": 2, "y": 1})),
    Case("max", "max(x, y)", 0, ({"x": 0, "y": -1}, {"x": 0, "y": 0}), "min"),
    Case("abs", "abs(y)", 1, ({"y": -1}, {"y": 1})),
    Case("count", "count(a, b, x == 2)", 3, ({"a": True, "b": True, "x": 2},)),
    Case("cmp", "(x <= y) - (x != y)", 1, ({"x": 0, "y": 0}, {"x": 1, "y": 1})),
    Case("cmp-labels", "c == d", 1, ({"c": "green", "d": "green"}, {"c": "blue", "d": "blue"})),
    Case("in", "x in [0, 2]", 0, ({"x": 1},), "min"),
    Case("in-labels", "c in ['red', 'blue']", 1, ({"c": "red"}, {"c": "blue"})),
    Case("and", "(a and b) - x", 1, ({"a": True, "b": True, "x": 0},)),
    Case("or", "(a or b) + 0 * x", 0, ({"a": False, "b": False},), "min"),
    Case("not", "1 * (not (a and b))", 0, ({"a": True, "b": True},), "min"),
    Case("implies", "1 * implies(a, b)", 0, ({"a": True, "b": False},), "min"),
    Case("iff", "1 * iff(a, b)", 1, ({"a": True, "b": True}, {"a": False, "b": False})),
    Case("all_different", "1 * all_different(x, y, 1)", 1, ({"x": 0, "y": -1}, {"x": 2, "y": -1}, {"x": 2, "y": 0})),
    Case("constraint", "x + y", 2, ({"x": 1, "y": 1}, {"x": 2, "y": 0}), "max", "x + y != 3"),
    Case("clause", "x", 1, ({"x": 1},), "max", "x < 2 and (a or not a)"),
)
