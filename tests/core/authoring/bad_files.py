"""Wrong problem files as a table: what is changed in a valid file, and what must be found where.

A `▸` in the changed text marks where a finding must point; it is taken out before the file is read.
"""

from dataclasses import dataclass

from pcl_core.errors import Code

MARK = "▸"

AUTHORED = """\
pcl: 1
name: week
parameters: {most: 20}
sets:
  day: [mon, tue]
tables:
  price: {index: [day], values: {mon: 3, tue: 4}}
variables:
  n: {index: [day], domain: 0..5}
  on: {domain: bool}
  color: {domain: [red, green]}
definitions:
  cost: {value: "sum(price[d] * n[d] for d in day)"}
constraints:
  - {name: few, require: cost <= most}
features:
  - {name: "n[{d}]", foreach: {d: day}, value: "n[d]"}
  - name: style
    value: on + (color == 'red')
parts:
  - {name: "{d}", foreach: {d: day}, variables: "n[d]"}
  - {name: rest, variables: [on, color]}
"""

GROUND = """\
{
  "pcl": 1,
  "name": "week",
  "variables": [
    {"domain": "int", "name": "n", "lower": 0, "upper": 5},
    {"domain": "categorical", "name": "color", "labels": ["red", "green"]}
  ],
  "tables": [{"name": "price", "axes": [["red", "green"]], "values": [3, "4.5"]}],
  "definitions": [{"name": "double", "value": {"op": "sum", "coefs": [2], "args": [{"op": "var", "name": "n"}]}}],
  "constraints": [{"name": "few", "require": {"op": "in", "arg": {"op": "ref", "name": "double"}, "values": [0, 2]}}],
  "features": [
    {"name": "n", "value": {"op": "var", "name": "n"}},
    {"name": "price", "value": {"op": "lookup", "table": "price", "keys": [{"op": "var", "name": "color"}]}}
  ],
  "parts": [{"name": "left", "variables": ["n"]}, {"name": "right", "variables": ["color"]}]
}
"""


@dataclass(frozen=True)
class Finding:
    code: Code
    hint: str = ""
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True)
class Case:
    name: str
    text: str
    findings: tuple[Finding, ...]

    @property
    def codes(self) -> set[Code]:
        return {finding.code for finding in self.findings}


def case(name: str, marked: str, *expected: Code | tuple[Code, str]) -> Case:
    """Findings stand in the order of the marks; those beyond the last mark have no line."""
    findings = []
    for wanted in expected:
        code, hint = wanted if isinstance(wanted, tuple) else (wanted, "")
        before, mark, rest = marked.partition(MARK)
        marked = before + rest
        line, column = (before.count("\n") + 1, len(before) - before.rfind("\n")) if mark else (None, None)
        findings.append(Finding(code, hint, line, column))
    assert MARK not in marked, f"{name}: more marks than findings"
    return Case(name, marked, tuple(findings))


def authored(name: str, old: str, new: str, *expected: Code | tuple[Code, str]) -> Case:
    assert AUTHORED.count(old) == 1, f"{name}: '{old}' is not once in the file"
    return case(name, AUTHORED.replace(old, new), *expected)


def ground(name: str, old: str, new: str, *expected: Code | tuple[Code, str]) -> Case:
    assert GROUND.count(old) == 1, f"{name}: '{old}' is not once in the file"
    return case(name, GROUND.replace(old, new), *expected)


def value(name: str, new: str, *expected: Code | tuple[Code, str]) -> Case:
    """An expression as the value of the feature 'style'."""
    return authored(name, "on + (color == 'red')", new, *expected)
