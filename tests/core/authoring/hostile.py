"""Hostile files, each made small or as large as a limit lets it be: what they cost is measured in `test_hostile`."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeAlias

from pcl_core.authoring.load import Limits
from pcl_core.documents import MAX_DATA_BYTES

Maker: TypeAlias = Callable[[Path], Path]

AUTHORED = Limits().file_bytes
GROUND = Limits().ground_bytes

HEAD = "pcl: 1\nname: x\n"
SMALL = "variables:\n  x: {domain: bool}\nfeatures:\n- {name: f, value: x}\nparts:\n- {name: p, variables: x}\n"
VARIABLE = {"domain": "bool", "name": "x"}
FEATURE = {"name": "f", "value": {"op": "var", "name": "x"}}
PART = {"name": "p", "variables": ["x"]}
PROBLEM: dict[str, Any] = {"pcl": 1, "name": "x", "variables": [VARIABLE], "features": [FEATURE], "parts": [PART]}


def until(limit: int, *pieces: str) -> str:
    """The pieces, over and over, up to a size."""
    piece = "".join(pieces)
    return piece * (limit // len(piece.encode()))


def numbered(limit: int, pattern: str) -> str:
    """The pattern with one number after the other in it, up to a size."""
    found: list[str] = []
    size = 0
    while size < limit - 2 * len(pattern):
        found.append(pattern.replace("#", str(len(found))))
        size += len(found[-1])
    return "".join(found)


def file(text: str | bytes, suffix: str = ".yaml") -> Maker:
    def make(folder: Path) -> Path:
        path = folder / f"file{suffix}"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return make


def lazily(make: Callable[[], str | bytes], suffix: str = ".yaml") -> Maker:
    """A large text is made only when its file is."""
    return lambda folder: file(make(), suffix)(folder)


def sheet(authored: str, csv: Callable[[], str | bytes]) -> Maker:
    def make(folder: Path) -> Path:
        text = csv()
        (folder / "sheet.csv").write_bytes(text if isinstance(text, bytes) else text.encode())
        return file(authored)(folder)

    return make


def ground(**changes: Any) -> str:
    return json.dumps(PROBLEM | changes, separators=(",", ":"))


def ground_text(field: str, value: Callable[[], str]) -> Maker:
    """A ground problem with a field in any spelling."""
    return lazily(lambda: json.dumps(PROBLEM | {field: "@"}).replace('"@"', value()), ".json")


def nested(depth: int, before: str, middle: str, after: str) -> str:
    return before * depth + middle + after * depth


def choices(depth: int) -> str:
    """Each `else` is written out twice when a choice becomes a sum."""
    return "".join(f"({1 + at % 7} * y if x == {at % 2} else " for at in range(depth)) + "y" + ")" * depth


SETS = "sets: {s: 1..1000, t: 1..100000}\n"
XS = "variables:\n  x: {index: [s], domain: 0..9}\nfeatures:\n- {name: f, foreach: {i: s}, value: 'x[i]'}\nparts:\n- {name: 'p{i}', foreach: {i: s}, variables: 'x[i]'}\n"
SHEET = "sets: {s: {csv: sheet.csv, column: s}}\ntables: {t: {index: [s], csv: sheet.csv, column: b}}\n"

EXPANSION: dict[str, Maker] = {
    "foreach far beyond the limit": file(HEAD + SETS + SMALL + "constraints:\n- {name: c, foreach: {a: t, b: t}, require: x}\n"),
    "foreach a little beyond the limit": file(HEAD + SETS + SMALL + "constraints:\n- {name: c, foreach: {a: 1..210, b: s}, require: x}\n"),
    "foreach at the limit": file(HEAD + SETS + SMALL + "constraints:\n- {name: c, foreach: {a: 1..60, b: s}, require: x}\n"),
    "foreach with an if": file(HEAD + SETS + SMALL + "constraints:\n- {name: c, foreach: {a: t, b: t}, if: 'a == b', require: x}\n"),
    "foreach that depends": file(HEAD + SETS + SMALL + "constraints:\n- {name: c, foreach: {a: t, b: 1..a}, require: x}\n"),
    "foreach of twenty loops": file(HEAD + SMALL + "constraints:\n- {name: c, foreach: {" + ", ".join(f"a{i}: 1..9" for i in range(20)) + "}, require: x}\n"),
    "long labels": file(HEAD + "sets: {s: 1..60000}\nvariables:\n  x: {index: [s], domain: bool, label: '" + "a" * 3000 + "'}\nfeatures:\n- {name: f, value: 'x[1]'}\nparts:\n- {name: p, variables: 'x[*]'}\n"),
    "long labels from a parameter": file(HEAD + f"parameters: {{p: '{'🙂' * 2000}'}}\n" + SETS + SMALL + "constraints:\n- {name: c, foreach: {a: s}, require: x, label: '" + "{p}" * 60 + "'}\n"),
    "one giant label": lazily(lambda: HEAD + f"parameters: {{p: '{'a' * 400_000}'}}\nlabel: x\n" + SMALL.replace("{domain: bool}", "{domain: bool, label: '" + "{p}" * 100_000 + "'}")),
    "long names": file(HEAD + SETS + SMALL + "constraints:\n- {name: '" + "n" * 180 + "{a}', foreach: {a: 1..80000}, require: x}\n"),
    "a giant range as a set": file(HEAD + "sets: {s: 1..1000000000}\n" + SMALL),
    "a giant range in a check": file(HEAD + SMALL + "checks:\n- {that: 'sum(i for i in 1..1000000000) > 0', message: m}\n"),
    "nested loops in a check": file(HEAD + SETS + SMALL + "checks:\n- {that: 'sum(1 for i in s for j in s for k in s) > 0', message: m}\n"),
    "long expression in a loop": lazily(lambda: HEAD + SETS + SMALL + "checks:\n- {that: 'sum(" + "+".join(["i"] * 90) + " for i in t) > 0', message: m}\n"),
    "a large set searched in a loop": file(HEAD + SETS + SMALL + "checks:\n- {that: 'count(i in t for i in t) > 0', message: m}\n"),
    "a list of thousands in a loop": lazily(lambda: HEAD + SETS + SMALL + "checks:\n- {that: 'count(i in [" + ",".join(map(str, range(3000))) + "] for i in t) > 0', message: m}\n"),
    "a sum of sums": file(HEAD + SETS + XS + "definitions:\n  d: {value: '" + "+".join(["sum(x[*])"] * 1500) + "'}\n"),
    "nested sums of sums": file(HEAD + SETS + XS + "definitions:\n  d: {value: '" + nested(70, "(2*(", "sum(x[*])", ")+1)") + "'}\n"),
    "choices in choices": file(HEAD + "variables:\n  x: {domain: 0..1}\n  y: {domain: 0..9}\nfeatures:\n- {name: f, value: '" + choices(60) + "'}\nparts:\n- {name: p, variables: [x, y]}\n"),
    "logical choices in choices": file(HEAD + SMALL.replace("value: x", "value: '" + nested(60, "(x if x else ", "x", ")") + "'")),
    "indices repeated": file(HEAD + SETS + XS + "definitions:\n  d: {value: 'sum(x[[" + ",".join(["1"] * 5000) + "]])'}\n"),
    "a product of index lists": file(HEAD + "sets: {s: 1..50}\nvariables:\n  x: {index: {i: s, j: s, k: s}, domain: bool}\nfeatures:\n- {name: f, value: 'sum(x[[" + ",".join(["1"] * 2000) + "],[" + ",".join(["1"] * 2000) + "],[1]])'}\nparts:\n- {name: p, variables: 'x[*,*,*]'}\n"),
    "variables with many labels": file(HEAD + "sets: {s: 1..2000}\nvariables:\n  x: {index: [s], domain: [" + ",".join(f"label{i}" for i in range(2000)) + "]}\nfeatures:\n- {name: f, value: 'x[1] == \"label1\"'}\nparts:\n- {name: p, variables: 'x[*]'}\n"),
    "definitions written out": file(HEAD + "sets: {s: 1..20000}\nvariables:\n  x: {index: [s], domain: 0..9}\ndefinitions:\n  all: {value: 'sum(x[*])'}\nfeatures:\n- {name: f, foreach: {i: s}, value: 'all + x[i]'}\nparts:\n- {name: 'p{i}', foreach: {i: s}, variables: 'x[i]'}\n".replace("all", "total")),
    "wildcards selected over and over": file(HEAD + SETS + XS + "initial:\n- {foreach: {i: t}, set: 'x[*]', to: 1}\n"),
    "features matched over and over": file(HEAD + "sets: {s: 1..4000}\nvariables:\n  x: {index: [s], domain: 0..9}\nfeatures:\n- {name: 'f{i}', foreach: {i: s}, value: 'x[i]'}\nparts:\n- {name: 'p{i}', foreach: {i: s}, variables: 'x[i]', features: ['f{i}', " + ", ".join(["'*'"] * 50) + "]}\n"),
    "lookups with many bounds": file(HEAD + "sets: {s: 1..200}\ntables: {t: {index: [s], values: [" + ",".join(["1"] * 200) + "]}}\n" + "variables:\n  x: {index: [s], domain: '1..s'}\nfeatures:\n- {name: f, foreach: {i: s, j: s}, value: 't[x[i]] + t[x[j]]'}\nparts:\n- {name: p, variables: 'x[*]'}\n"),
}  # fmt: skip

SYNTAX: dict[str, Maker] = {
    "a flow list of one-letter words": lazily(lambda: "[" + until(AUTHORED - 9, "a,") + "]"),
    "empty lists": lazily(lambda: "a: [" + until(AUTHORED - 9, "[],") + "]"),
    "colons": lazily(lambda: until(AUTHORED, ": ")),
    "dashes": lazily(lambda: until(AUTHORED, "-\n")),
    "deep lists": lazily(lambda: until(AUTHORED, "[")),
    "deep mappings": lazily(lambda: until(AUTHORED, "{a: ")),
    "deep lines": lazily(lambda: "".join(" " * depth + "a:\n" for depth in range(1300))),
    "documents": lazily(lambda: until(AUTHORED, "---\n")),
    "directives": lazily(lambda: until(AUTHORED - 5, "%a b\n") + "--- a"),
    "comments": lazily(lambda: HEAD + until(AUTHORED - 200, "#\n") + SMALL),
    "words": lazily(lambda: HEAD + SMALL + "description: " + until(AUTHORED - 200, "a b ")),
    "folded lines": lazily(lambda: HEAD + SMALL + "description: >\n" + until(AUTHORED - 200, "  a\n")),
    "a quote that is never closed": lazily(lambda: "a: '" + until(AUTHORED - 9, "b ")),
    "anchors": lazily(lambda: "a: [" + until(AUTHORED - 9, "&a a,") + "]"),
    "aliases of aliases": file("".join(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]\n" for i in range(1, 30))),
    "tags": lazily(lambda: "a: [" + until(AUTHORED - 9, "!a a,") + "]"),
    "a giant number": lazily(lambda: "pcl: " + until(AUTHORED - 9, "9")),
    "giant numbers": file(HEAD + "tables: {t: {index: [s], values: [" + until(100_000, "9e99999999,") + "]}}\n" + SMALL),
    "too large by a byte": lazily(lambda: until(AUTHORED + 1, "#")),
    "NUL bytes": lazily(lambda: until(AUTHORED, "\0")),
    "a NUL byte at the end": lazily(lambda: HEAD + SMALL + until(AUTHORED - 300, "# \n") + "\0"),
    "UTF-16": lazily(lambda: (HEAD + SMALL).encode("utf-16")),
    "bytes that are no text": lazily(lambda: (HEAD + SMALL).encode() + b"# \xff\xfe\n"),
    "byte order marks": lazily(lambda: until(AUTHORED, "\ufeff")),
    "surrogates": lazily(lambda: HEAD + "label: " + '"' + until(AUTHORED // 2, "\\ud800") + '"\n' + SMALL),
}  # fmt: skip

FINDINGS: dict[str, Maker] = {
    "unknown names": lazily(lambda: HEAD + XS.replace("[s]", "{s: 1..2000}").replace(": s}", ": 1..2000}") + "constraints:\n" + numbered(200_000, "- {name: c#, require: 'unknown# > 0'}\n")),
    "long unknown names": lazily(lambda: HEAD + "variables:\n" + numbered(300_000, "  " + "a" * 50 + "#: {domain: bool}\n") + "constraints:\n" + numbered(400_000, "- {name: c#, require: '" + "a" * 48 + "b#'}\n") + "features: []\nparts: []\n"),
    "unknown keys": lazily(lambda: HEAD + SMALL + numbered(240_000, "key#: 1\n")),
    "keys that stand twice": lazily(lambda: HEAD + SMALL + until(AUTHORED - 300, "key: 1\n")),
    "wrong values": lazily(lambda: HEAD + "sets: {s: [" + until(290_000, "null, ") + "]}\n" + SMALL),
    "wrong entries": lazily(lambda: HEAD + SMALL + "constraints:\n" + until(190_000, "- 1\n")),
    "wrong cells": lazily(lambda: HEAD + SMALL + "tables: {t: {index: [s], values: {" + numbered(240_000, "a#: b, ") + "}}}\n"),
    "a set with doubles": lazily(lambda: HEAD + "sets: {s: [" + numbered(370_000, "a#, ") + "a7]}\n" + SMALL),
    "names that are taken": lazily(lambda: HEAD + "sets: {" + numbered(90_000, "a#: 1..2, ") + "}\n" + SMALL.replace("variables:\n", "variables:\n" + numbered(150_000, "  a#: {domain: bool}\n"))),
    "variables without a part": lazily(lambda: HEAD + SMALL.replace("variables:\n", "variables:\n  y: {index: {i: 1..60000}, domain: bool}\n", 1)),
    "circles": lazily(lambda: HEAD + SMALL + "definitions:\n" + numbered(250_000, "  a#: {value: a#}\n")),
    "labels that never fit": lazily(lambda: HEAD + "variables:\n  x: {domain: [a, b]}\nfeatures:\n- {name: f, value: \"x in [" + ",".join(f"'c{i}'" for i in range(2000)) + "]\"}\nparts:\n- {name: p, variables: x}\n"),
    "initial values of unknown variables": lazily(lambda: HEAD + SMALL + "initial:\n" + numbered(150_000, "- {set: a#, to: 1}\n")),
}  # fmt: skip

SHEETS: dict[str, Maker] = {
    "a million short rows": sheet(HEAD + SHEET + SMALL, lambda: "s,b\n" + until(MAX_DATA_BYTES - 9, "1,1\n")),
    "rows as many as fit": sheet(HEAD + SHEET + SMALL, lambda: "s,b\n" + numbered(1_000_000, "name#,1\n")),
    "empty rows": sheet(HEAD + SHEET + SMALL, lambda: "s,b\n" + until(MAX_DATA_BYTES - 9, "\n")),
    "a hundred thousand columns": sheet(HEAD + SHEET + SMALL, lambda: numbered(MAX_DATA_BYTES // 2 - 9, "a#,") + "\n" + numbered(MAX_DATA_BYTES // 2 - 9, "#,") + "\n"),
    "columns of one name": sheet(HEAD + SHEET + SMALL, lambda: until(MAX_DATA_BYTES // 4, "a,") + "\n"),
    "one giant cell": sheet(HEAD + SHEET + SMALL, lambda: "s,b\n" + until(MAX_DATA_BYTES - 9, "x") + ",1\n"),
    "a quote that is not closed": sheet(HEAD + SHEET + SMALL, lambda: "s,b\n\"" + until(MAX_DATA_BYTES - 9, "x,1\n")),
    "quotes": sheet(HEAD + SHEET + SMALL, lambda: "s,b\n" + until(MAX_DATA_BYTES - 9, '"')),
    "escapes in a header": sheet(HEAD + SHEET + SMALL, lambda: "\x1b[31ma,b\n1,2\n"),
    "NUL in a sheet": sheet(HEAD + SHEET + SMALL, lambda: until(MAX_DATA_BYTES, "\0")),
    "a sheet that is no text": sheet(HEAD + SHEET + SMALL, lambda: b"a,b\nx\xff,1\n"),
    "one sheet read over and over": sheet(HEAD + "sets: {s: {csv: sheet.csv, column: s}}\ntables: {" + ", ".join(f"t{i}: {{index: [s], csv: sheet.csv, column: b}}" for i in range(2000)) + "}\n" + SMALL, lambda: "s,b\n" + numbered(200_000, "name#,1\n")),
    "decimals": sheet(HEAD + SHEET + SMALL, lambda: "s,b\n" + numbered(2_000_000, "name#,1.123456789\n")),
}  # fmt: skip


def _expression(node: dict[str, Any]) -> str:
    return ground(features=[{"name": "f", "value": node}])


def _deep(depth: int) -> dict[str, Any]:
    node: dict[str, Any] = {"op": "var", "name": "x"}
    for _ in range(depth):
        node = {"op": "not", "arg": node}
    return node


GROUNDS: dict[str, Maker] = {
    "a valid ground file": lazily(lambda: ground(constraints=[{"name": f"c{i}", "require": {"op": "or", "args": [{"op": "var", "name": "x"}] * 3}} for i in range(35_000)]), ".json"),
    "numbers in a list": ground_text("variables", lambda: "[" + until(GROUND - 300, "1,") + "1]"),
    "numbers in a list as many as fit": ground_text("variables", lambda: "[" + until(1_900_000, "1,") + "1]"),
    "decimals in a list": ground_text("tables", lambda: '[{"name":"t","axes":[[1]],"values":[' + until(3_900_000, "1.5,") + "1]}]"),
    "wrong texts in a list": ground_text("tables", lambda: '[{"name":"t","axes":[[1]],"values":[' + until(3_900_000, '"a",') + "1]}]"),
    "empty lists in a list": ground_text("constraints", lambda: "[" + until(2_900_000, "[],") + "[]]"),
    "wrong arguments": ground_text("features", lambda: '[{"name":"f","value":{"op":"and","args":[' + until(590_000, "{},") + "{}]}}]"),
    "a key repeated in a ground file": lazily(lambda: "{" + until(GROUND - 10, '"a":1,') + '"a":1}', ".json"),
    "keys repeated a hundred thousand times": lazily(lambda: "{" + until(1_000_000, '"a":1,') + '"a":1}', ".json"),
    "unknown keys in a ground file": lazily(lambda: ground()[:-1] + "," + numbered(11_000_000, '"a#":1,')[:-1] + "}", ".json"),
    "unknown keys of a variable": ground_text("variables", lambda: '[{"domain":"bool","name":"x",' + numbered(4_000_000, '"a#":1,')[:-1] + "}]"),
    "variables that are all misspelt": lazily(lambda: ground(variables=[{"domain": "bool", "name": f"plan[{i}]"} for i in range(60_000)], features=[{"name": f"f{i}", "value": {"op": "var", "name": f"paln[{i}]"}} for i in range(60_000)]), ".json"),
    "parts of unknown variables": lazily(lambda: ground(variables=[{"domain": "bool", "name": f"plan[{i}]"} for i in range(60_000)], parts=[{"name": "p", "variables": [f"plan[{i}" for i in range(60_000)]}]), ".json"),
    "variables with wrong fields": lazily(lambda: ground(variables=[{"domain": "int", "name": i} for i in range(100_000)]), ".json"),
    "initial values that do not fit": lazily(lambda: ground(variables=[{"domain": "bool", "name": f"plan[{i}]"} for i in range(60_000)], initial={f"plan[{i}]": [] for i in range(60_000)}), ".json"),
    "initial values of nobody": lazily(lambda: ground(initial={f"plan[{i}]": 7 for i in range(200_000)}), ".json"),
    "deep lists in a ground file": lazily(lambda: until(GROUND, "["), ".json"),
    "deep objects in a ground file": lazily(lambda: until(GROUND, '{"a":'), ".json"),
    "an expression too deep": lazily(lambda: _expression(_deep(101)), ".json"),
    "an expression far too deep": lazily(lambda: nested(2000, '{"op":"not","arg":', "1", "}"), ".json"),
    "a string that is never closed": lazily(lambda: '"' + until(GROUND - 9, '\\"'), ".json"),
    "a giant number in a ground file": lazily(lambda: ground()[:-1] + ',"a":' + until(GROUND - 400, "9") + "}", ".json"),
    "a giant exponent": ground_text("tables", lambda: '[{"name":"t","axes":[[1]],"values":[1e' + "9" * 40 + "]}]"),
    "a giant name": ground_text("name", lambda: '"' + until(GROUND - 400, "n") + '"'),
    "surrogates in a ground file": ground_text("label", lambda: "[" + until(GROUND // 2, '"\\ud800",') + "1]"),
    "a table with a far axis": ground_text("tables", lambda: '[{"name":"t","axes":[[0,999999]],"values":[1,2]}]'),
    "domains of a billion": lazily(lambda: ground(variables=[{"domain": "int", "name": "x", "lower": -(2**53), "upper": 2**53}], features=[{"name": "f", "value": {"op": "lookup", "table": "t", "keys": [{"op": "var", "name": "x"}]}}], tables=[{"name": "t", "axes": [[1, 2]], "values": [1, 2]}]), ".json"),
    "all different": lazily(lambda: ground(variables=[{"domain": "bool", "name": f"x{i}"} for i in range(20_000)], features=[{"name": "f", "value": {"op": "all_different", "args": [{"op": "var", "name": f"x{i}"} for i in range(20_000)]}}], parts=[{"name": "p", "variables": [f"x{i}" for i in range(20_000)]}]), ".json"),
}  # fmt: skip

FILES: dict[str, Maker] = {**EXPANSION, **SYNTAX, **FINDINGS, **SHEETS, **GROUNDS}


def made(folder: Path) -> Iterator[tuple[str, Path]]:
    """Every file in turn, in a folder of its own."""
    for number, (name, maker) in enumerate(FILES.items()):
        place = folder / str(number)
        place.mkdir()
        yield name, maker(place)
