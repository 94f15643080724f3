"""What type checkers say of problems in Python: a comparison is an expression, a truth value is none."""

from pathlib import Path

from mypy import api

PROGRAM = """\
from pcl_core import Expression, ProblemBuilder, any_of, choose, constant, count, total

build = ProblemBuilder("typed")
x = build.integer("x", 0, 5, ["u", "v"])
a, b = build.boolean("a"), build.boolean("b")
c = build.categorical("c", ["red", "green"])
same: Expression = x["u"] == x["v"]
build.constraint("apart", x["u"] != x["v"])
build.constraint("red", (c == "red") | (x["u"] == 3) & ~a)
build.constraint("never", constant(False))
build.feature("f", choose(a == b, 1, total(x)) + count([a, x["u"] >= 2]))
build.part("all", [*x, a, b, c])
build.constraint("either", any_of(a, b))
build.constraint("wrong", True)  # error
build.constraint("wrong", 1 == 2)  # error
build.constraint("wrong", x)  # error
build.feature("wrong", False)  # error
build.define("wrong", True)  # error
build.constraint("wrong", any_of([a, True]))  # error
build.feature("wrong", choose(True, 1, 2))  # error
build.constraint("wrong", a & True)  # error
build.constraint("wrong", a.implies(False))  # error
build.feature("wrong", a / 2)  # error
total(a)  # error
x[1.5]  # error
"""


def test_a_truth_value_of_python_is_found_before_running(tmp_path: Path) -> None:
    path = tmp_path / "typed.py"
    path.write_text(PROGRAM)
    folder = Path(__file__).parents[3]
    options = ["--config-file", str(folder / "pyproject.toml"), "--cache-dir", str(folder / ".mypy_cache")]
    output, errors, _ = api.run([*options, "--strict", "--no-error-summary", str(path)])
    found = {int(line.split(":")[1]) for line in output.splitlines() if ": error:" in line}
    expected = {number for number, line in enumerate(PROGRAM.splitlines(), 1) if line.endswith("# error")}
    assert found == expected, output + errors
