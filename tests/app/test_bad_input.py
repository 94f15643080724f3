"""Wrong requests and hostile files on the command line: a sentence and exit code 2, never a stack trace or a hang."""

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from pcl_app.main import run
from pcl_core.errors import Code

PCL = Path(sys.executable).parent / "pcl"
SECONDS = 20
"""Of the processor, which a busy machine does not shorten; a process that only waits is ended after many more."""
BYTES = 3_000_000_000

REQUESTS: dict[str, tuple[Code, str]] = {
    "show trainig": (Code.UNKNOWN_PROBLEM, "did you mean 'training'?"),
    "show nosuch": (Code.UNKNOWN_PROBLEM, "`pcl problems` lists them"),
    "show nosuch:side=4": (Code.UNKNOWN_PROBLEM, "'nosuch'"),
    "ground nosuch.yaml": (Code.FILE_NOT_FOUND, "nosuch.yaml: "),
    "show nowhere/problem": (Code.FILE_UNREADABLE, ".yaml"),
    "validate grid": (Code.FILE_UNREADABLE, ".yaml"),
    "show grid:side=5,part=2": (Code.CHECK_FAILED, "grid: check-failed: the side must be a multiple"),
    "show grid:side=0": (Code.CHECK_FAILED, "grid: check-failed: the side must be a multiple"),
    "show grid:sidee=4": (Code.BAD_PARAMETER, "did you mean 'side'?"),
    "show grid:side=x": (Code.BAD_PARAMETER, "grid: bad-parameter: parameter 'side'"),
    "show grid:side=1.5": (Code.BAD_PARAMETER, "whole number"),
    "show grid:side=nan": (Code.BAD_PARAMETER, "finite"),
    "show grid:side=1e999999": (Code.BAD_PARAMETER, "2^53"),
    "show grid:side": (Code.BAD_PARAMETER, "key=value"),
    "show grid:side=4,side=4": (Code.BAD_PARAMETER, "each once"),
    "show grid:=4": (Code.BAD_PARAMETER, "key=value"),
    "show grid:variant=nosuch": (Code.BAD_PARAMETER, "'nosuch'"),
    "show hotel:house=nosuch": (Code.FILE_NOT_FOUND, "nosuch.rooms.csv"),
    "show hotel:house=../small": (Code.TABLE_DATA, "does not lie beside"),
    "show grid:side=5000000": (Code.TOO_MANY_NODES, "200,000"),
    "show grid --order nearest": (Code.UNKNOWN_OPTION, "known: degree"),
    "show grid --graph grid.gif": (Code.BAD_VALUE, ".svg"),
    "show grid --graph nowhere/grid.svg": (Code.CANNOT_WRITE, "nowhere/grid.svg: "),
    "evaluate grid --config nosuch.json": (Code.FILE_NOT_FOUND, "nosuch.json: "),
    "evaluate grid --config .": (Code.FILE_UNREADABLE, "not a file"),
}
ONE_FINDING = {
    "show grid:side=0",
    "show grid:side=x",
    "show grid:side=1.5",
    "show grid:side=nan",
    "show grid:side=1e999999",
}

SMALL = """\
pcl: 1
name: small
sets: {s: 0..3}
tables: {t: {index: [s], values: {0: 1, 1: 2, 2: 3, 3: 4}}}
variables:
  n: {domain: 0..3}
  on: {domain: bool}
  color: {domain: [red, green]}
definitions: {tiny: {index: {k: 0..40}, value: "DEFINITION"}}
constraints: [{name: c, foreach: {k: 1..2000}, require: "CONSTRAINT"}]
features:
  - {name: FEATURE, value: "n + VALUE"}
parts:
  - {name: p, variables: [n, on, color], FEATURES}
"""
PLAIN = {
    "DEFINITION": "n",
    "CONSTRAINT": "on or not on",
    "VALUE": "0",
    "FEATURES": "label: p",
    "FEATURE": "a" * 150,
}
BOMBS: dict[str, dict[str, str]] = {
    "decimal places that double": {
        "DEFINITION": "tiny[k - 1] * tiny[k - 1] if k > 0 else 0.000000000000001",
        "VALUE": "tiny[40]",
    },
    "key of a table with a wide range": {"VALUE": "t[1000000000 * n]"},
    "sums of long ranges in a loop": {"VALUE": "sum(sum(1..1000000) for a in 1..1000000)"},
    "long lists in a loop": {"VALUE": "sum(size(consecutive(1..1000000)) for a in 1..1000000)"},
    "long list in every constraint": {"CONSTRAINT": "n in 0..1900000"},
    "loop just below the limit": {"VALUE": "sum(1 for a in 1..1990000)"},
    "pattern that fits in many ways": {"FEATURES": "features: ['" + "*a" * 15 + "*b']"},
}
CONFIGURATION = {f"cell[{row},{column}]": True for row in range(4) for column in range(4)}


def pcl_in_process(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["pcl", *arguments])
    with pytest.raises(SystemExit) as stopped:
        run()
    return stopped.value.code if isinstance(stopped.value.code, int) else 0


def limit_means() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (BYTES, BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def pcl(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [PCL, *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=20 * SECONDS,
        check=False,
        preexec_fn=limit_means,
    )


@pytest.mark.parametrize("request_line", REQUESTS)
def test_a_wrong_request_is_a_sentence(
    request_line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, words = REQUESTS[request_line]
    assert pcl_in_process(monkeypatch, *request_line.split()) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert f"{code}: " in captured.err
    assert words in captured.err
    assert "Traceback" not in captured.err
    if request_line in ONE_FINDING:
        assert len(captured.err.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        "nosuch",
        "show",
        "show grid --seed -1",
        "show grid --seed x",
        "show grid --format xml",
        "evaluate grid",
        "show a b",
    ],
)
def test_a_wrong_command_line_is_explained(arguments: str) -> None:
    done = pcl(*arguments.split())
    assert done.returncode == 2
    assert "Error" in done.stderr
    assert "Value error" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["1:1: syntax: "]),
        ("[]", ["1:1: bad-configuration: "]),
        ("{\n}", ["1:1: bad-configuration: 16 variables have no value"]),
        ('{"cell[0,0]": NaN}', ["1:15: not-finite: "]),
        ('{"cell[0,0]": true, "cell[0,0]": true}', ["1:21: duplicate-key: "]),
        (
            json.dumps(CONFIGURATION | {"cell[0,0]": 2}),
            ["1:15: bad-configuration: 'cell[0,0]' cannot be 2 (write true"],
        ),
        (json.dumps(CONFIGURATION | {"cell[0,0]": 1.5}), ["1:15: bad-configuration: 'cell[0,0]' cannot be 1.5"]),
        (json.dumps(CONFIGURATION | {"cell[0,0]": None}), ["1:15: bad-configuration: 'cell[0,0]' cannot be "]),
        (json.dumps(CONFIGURATION | {"cell[0,0]": [True]}), ["1:15: bad-configuration: 'cell[0,0]' cannot be "]),
        (
            json.dumps({"cel[0,0]": True} | CONFIGURATION),
            ["1:14: bad-configuration: unknown variable 'cel[0,0]' (did you mean 'cell[0,0]'"],
        ),
        (
            '{"cell[0,0]": "yes",\n "cell[0,1]": 7,\n "cell": 1}',
            [
                "1:15: bad-configuration: 'cell[0,0]' cannot be 'yes'",
                "2:15: bad-configuration: 'cell[0,1]' cannot be 7",
                "3:10: bad-configuration: unknown variable 'cell'",
                "1:1: bad-configuration: 14 variables have no value",
            ],
        ),
    ],
)
def test_a_wrong_configuration(
    text: str,
    expected: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    path = tmp_path / "x.json"
    path.write_text(text)
    assert pcl_in_process(monkeypatch, "evaluate", "grid", "--config", str(path)) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(expected), lines
    for line, beginning in zip(lines, expected, strict=True):
        assert line.startswith(f"{path}:{beginning}")


@pytest.mark.parametrize("name", BOMBS)
def test_a_small_file_cannot_take_long_or_much_memory(name: str, tmp_path: Path) -> None:
    text = SMALL
    for placeholder, plain in PLAIN.items():
        text = text.replace(placeholder, BOMBS[name].get(placeholder, plain))
    path = tmp_path / "small.yaml"
    path.write_text(text)
    done = pcl("validate", path)
    assert done.returncode in (0, 2), done.stderr
    assert "bug" not in done.stderr


def test_a_ground_file_with_a_wide_key_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "wide.json"
    key = {"op": "var", "name": "n"}
    problem = {
        "pcl": 1,
        "name": "wide",
        "variables": [{"domain": "int", "name": "n", "lower": 0, "upper": 10**12}],
        "tables": [{"name": "t", "axes": [[0, 1]], "values": [1, 2]}],
        "features": [{"name": "f", "value": {"op": "lookup", "table": "t", "keys": [key]}}],
        "parts": [{"name": "p", "variables": ["n"]}],
    }
    path.write_text(json.dumps(problem))
    done = pcl("validate", path)
    assert done.returncode == 2
    assert "lookup-outside-table" in done.stderr


@pytest.mark.parametrize("text", [r"\[/b]", "[/b]", "[red]", "\\"])
def test_words_that_look_like_markup_are_shown_as_they_are(text: str, tmp_path: Path) -> None:
    path, config = tmp_path / "words.yaml", tmp_path / "x.json"
    quoted = json.dumps(text)
    path.write_text(
        f"pcl: 1\nname: {quoted}\nlabel: {quoted}\ndescription: {quoted}\nvariables: {{n: {{domain: 0..3}}}}\n"
        f"constraints: [{{name: {quoted}, label: {quoted}, require: n > 1}}]\n"
        f"features: [{{name: {quoted}, label: {quoted}, unit: {quoted}, value: n}}]\n"
        f"parts: [{{name: {quoted}, variables: n}}]\n"
    )
    config.write_text('{"n": 1}')
    for arguments in (("validate", path), ("show", path), ("evaluate", path, "--config", config)):
        done = pcl(*arguments)
        assert (done.returncode, done.stderr) == (0, "")
        assert text in done.stdout
