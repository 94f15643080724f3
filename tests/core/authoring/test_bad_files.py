"""Wrong input comes back as findings that say what is wrong, where, and how to fix it."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.core.authoring.bad_authored import AUTHORED_CASES as OTHER_AUTHORED_CASES
from tests.core.authoring.bad_files import AUTHORED, GROUND, Case
from tests.core.authoring.bad_ground import GROUND_CASES as OTHER_GROUND_CASES
from tests.core.authoring.bad_initial import INITIAL_CASES, INITIAL_GROUND_CASES

from pcl_app.main import run
from pcl_core.authoring.load import Limits, load, parse_authored, parse_ground
from pcl_core.errors import CODE_MEANINGS, Code, Issue, PclError, ProblemError, RequestError

AUTHORED_CASES = [*OTHER_AUTHORED_CASES, *INITIAL_CASES]
GROUND_CASES = [*OTHER_GROUND_CASES, *INITIAL_GROUND_CASES]
FILES: dict[str, Code] = {
    "missing": Code.FILE_NOT_FOUND,
    "missing folder": Code.FILE_NOT_FOUND,
    "folder": Code.FILE_UNREADABLE,
    "unknown suffix": Code.FILE_UNREADABLE,
    "too large": Code.FILE_TOO_LARGE,
    "binary": Code.NOT_TEXT,
    "utf-16": Code.NOT_TEXT,
}
SHEETS: dict[str, tuple[str, Code, int | None, str]] = {
    "empty": ("", Code.TABLE_DATA, 1, ""),
    "missing column": ("days,cost\nmon,3\ntue,4\n", Code.TABLE_DATA, 1, "'days'"),
    "missing value column": ("day,csot\nmon,3\ntue,4\n", Code.TABLE_DATA, 1, "'csot'"),
    "column twice": ("day,cost,cost\nmon,3,4\ntue,4,5\n", Code.TABLE_DATA, 1, ""),
    "word": ("day,cost\nmon,3\ntue,many\n", Code.TABLE_DATA, 3, ""),
    "no value": ("day,cost\nmon,\ntue,4\n", Code.TABLE_DATA, 2, ""),
    "not a number": ("day,cost\nmon,3\ntue,NaN\n", Code.NOT_FINITE, 3, ""),
    "infinite": ("day,cost\nmon,-inf\ntue,4\n", Code.NOT_FINITE, 2, ""),
    "too large": ("day,cost\nmon,1e300\ntue,4\n", Code.NUMBER_TOO_LARGE, 2, ""),
    "too many places": ("day,cost\nmon,0.00000000000000000001\ntue,4\n", Code.CANNOT_SCALE, 2, ""),
    "short row": ("day,cost\nmon,3\ntue\n", Code.TABLE_DATA, 3, ""),
    "unknown member": ("day,cost\nmon,3\ntuee,4\n", Code.TABLE_DATA, 3, "'tue'"),
    "row twice": ("day,cost\nmon,3\nmon,4\n", Code.TABLE_DATA, 3, "one"),
    "open quote": ('day,cost\nmon,"3\n', Code.SYNTAX, 2, ""),
}
ELSEWHERE: dict[Code, str] = {
    Code.UNKNOWN_PROBLEM: "a request: tests/app/test_bad_input.py",
    Code.BAD_PARAMETER: "a request: tests/app/test_bad_input.py",
    Code.BAD_VALUE: "a request: tests/app/test_bad_input.py",
    Code.CANNOT_WRITE: "a request: tests/app/test_bad_input.py",
    Code.BAD_GROUPS: "only Problem.coarsen groups parts, no file does",
    Code.UNSUPPORTED: "only a backend says so",
    Code.SCOPE_TOO_LARGE: "only solving enumerates a scope",
    Code.NUMBERS_OUT_OF_RANGE: "only solving meets the range of a solver",
    Code.BACKEND_CONTRACT: "only a wrong backend leads to it",
    Code.MISSING_DEPENDENCY: "depends on what is installed, not on input",
    Code.ALIKE_VALUES: "a warning: tests/core/authoring/test_lint.py",
    Code.SCALES_DIFFER: "a warning: tests/core/authoring/test_lint.py",
    Code.SHARED_PART: "a warning: tests/core/authoring/test_lint.py",
    Code.LARGE_PART: "a warning: tests/core/authoring/test_lint.py",
    Code.ALWAYS_HOLDS: "a warning: tests/core/authoring/test_lint.py",
    Code.NEVER_HOLDS: "a warning: tests/core/authoring/test_lint.py",
    Code.LONELY_FEATURE: "a warning: tests/core/authoring/test_lint.py",
    Code.TYPES_OUTDATED: "a module of types: tests/app/test_types.py",
    Code.BAD_TRACES: "recorded runs: tests/app/experiments",
    Code.LIMIT_REACHED: "only a solver reaches limits: tests/core/users",
    Code.CELL_FAILED: "only experiments have cells: tests/app/experiments/test_simulating.py",
    Code.PLUGIN_BROKEN: "only another package can be: tests/core/learn",
    Code.INFEASIBLE: "an answer: tests/core/elicitation",
    Code.OUTSIDE_PART: "an answer: tests/core/elicitation",
    Code.STALE_ANSWER: "an answer: tests/core/elicitation",
    Code.NOTHING_TO_UNDO: "an answer: tests/core/elicitation",
    Code.LOG_BROKEN: "a log: tests/core/elicitation",
    Code.LOG_OF_ANOTHER_PROBLEM: "a log: tests/core/elicitation",
    Code.LOG_IN_USE: "a log: tests/core/elicitation",
    Code.LOG_MOVED_ON: "a log: tests/core/elicitation",
}


def named(cases: list[Case]) -> pytest.MarkDecorator:
    assert len({case.name for case in cases}) == len(cases)
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


def issues_of(attempt: Callable[[], object]) -> tuple[Issue, ...]:
    with pytest.raises(PclError) as caught:
        attempt()
    return caught.value.issues


def assert_found(case: Case, issues: tuple[Issue, ...], file: str) -> None:
    shown = "\n".join(map(str, issues))
    assert [issue.code for issue in issues] == [finding.code for finding in case.findings], shown
    for issue, finding in zip(issues, case.findings, strict=True):
        assert issue.location.file == file
        assert issue.message
        assert finding.hint in (issue.hint or ""), shown
        if finding.line is not None:
            assert (issue.location.line, issue.location.column) == (finding.line, finding.column), shown


def run_pcl(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    monkeypatch.setattr(sys, "argv", ["pcl", *arguments])
    with pytest.raises(SystemExit) as stopped:
        run()
    return stopped.value.code if isinstance(stopped.value.code, int) else 0


def test_the_files_that_are_changed_are_valid() -> None:
    assert parse_authored(AUTHORED).name == parse_ground(GROUND).name == "week"


@named(AUTHORED_CASES)
def test_findings_in_an_authored_file(case: Case) -> None:
    assert_found(case, issues_of(lambda: parse_authored(case.text, "week.yaml")), "week.yaml")


@named(GROUND_CASES)
def test_findings_in_a_ground_file(case: Case) -> None:
    assert_found(case, issues_of(lambda: parse_ground(case.text, "week.json")), "week.json")


@named([*AUTHORED_CASES, *GROUND_CASES])
@pytest.mark.parametrize("output", ["text", "json"])
def test_the_command_line_reports_every_finding(
    case: Case, output: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    path = tmp_path / ("week.json" if case in GROUND_CASES else "week.yaml")
    path.write_text(case.text)
    assert run_pcl(monkeypatch, "validate", str(path), "--format", output) == 2
    captured = capfdbinary.readouterr()
    printed = (captured.out + captured.err).decode()
    assert "Traceback" not in printed
    assert "bug" not in printed
    for finding in case.findings:
        assert finding.code.value in printed
        if finding.line is not None and output == "text":
            assert f"{path}:{finding.line}:{finding.column}: {finding.code}: " in printed


def bad_file(name: str, folder: Path) -> Path:
    path = folder / ("week.txt" if name == "unknown suffix" else "week.yaml")
    match name:
        case "missing folder":
            return folder / "nowhere" / "week.yaml"
        case "folder":
            path.mkdir()
        case "too large":
            path.write_text("# " + "x" * 5_000_000 + "\n" + AUTHORED)
        case "binary":
            path.write_bytes(bytes(range(256)))
        case "utf-16":
            path.write_bytes(AUTHORED.encode("utf-16"))
        case "unknown suffix":
            path.write_text(AUTHORED)
    return path


@pytest.mark.parametrize("name", FILES)
def test_a_file_that_cannot_be_read(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = bad_file(name, tmp_path)
    (issue,) = issues_of(lambda: load(path))
    assert issue.code is FILES[name]
    assert issue.location.file == str(path)
    assert run_pcl(monkeypatch, "validate", str(path)) == 2


def with_sheet(folder: Path, sheet: str, csv: str = "price.csv") -> Path:
    (folder / "price.csv").write_text(sheet)
    path = folder / "week.yaml"
    path.write_text(AUTHORED.replace("values: {mon: 3, tue: 4}", f"csv: {csv}, column: cost"))
    return path


def test_a_good_sheet_is_read(tmp_path: Path) -> None:
    assert load(with_sheet(tmp_path, "day,cost\nmon,3\ntue,4\n")).content_hash == parse_authored(AUTHORED).content_hash


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_with_wrong_data(name: str, tmp_path: Path) -> None:
    sheet, code, line, hint = SHEETS[name]
    path = with_sheet(tmp_path, sheet)
    (issue,) = issues_of(lambda: load(path))
    assert issue.code is code
    assert (issue.location.file, issue.location.line) == (str(tmp_path / "price.csv"), line)
    assert hint in f"{issue.message} {issue.hint}"


@pytest.mark.parametrize("csv", ["../price.csv", "/etc/passwd", "linked/price.csv", "loop.csv", '"a\\0b.csv"'])
def test_a_sheet_that_does_not_lie_beside_the_file(csv: str, tmp_path: Path) -> None:
    outside, inside = tmp_path / "outside", tmp_path / "inside"
    outside.mkdir()
    inside.mkdir()
    (tmp_path / "price.csv").write_text("day,cost\nmon,3\ntue,4\n")
    (inside / "linked").symlink_to(tmp_path)
    (inside / "loop.csv").symlink_to(inside / "loop.csv")
    path = with_sheet(inside, "", csv)
    (issue,) = issues_of(lambda: load(path))
    assert issue.code in (Code.TABLE_DATA, Code.FILE_UNREADABLE, Code.NOT_TEXT)
    assert issue.location.file is not None


def test_a_sheet_that_is_missing(tmp_path: Path) -> None:
    path = with_sheet(tmp_path, "", "prize.csv")
    (issue,) = issues_of(lambda: load(path))
    assert issue.code is Code.FILE_NOT_FOUND
    assert "prize.csv" in issue.message
    assert issue.location.file == str(path)


@pytest.mark.parametrize("csv", ["index: [], csv: price.csv", "index: [], csv: price.csv, column: cost"])
def test_a_sheet_without_indices(csv: str, tmp_path: Path) -> None:
    path = with_sheet(tmp_path, "day,cost\nmon,3\ntue,4\n")
    path.write_text(AUTHORED.replace("index: [day], values: {mon: 3, tue: 4}", csv))
    (issue,) = issues_of(lambda: load(path))
    assert issue.code in (Code.WRONG_SHAPE, Code.TABLE_DATA)


def test_a_sheet_of_a_problem_given_as_text(tmp_path: Path) -> None:
    text = with_sheet(tmp_path, "").read_text()
    (issue,) = issues_of(lambda: parse_authored(text))
    assert (issue.code, issue.location.line) == (Code.TABLE_DATA, 7)


def test_limits_can_be_lowered(tmp_path: Path) -> None:
    yaml, json = tmp_path / "week.yaml", tmp_path / "week.json"
    yaml.write_text(AUTHORED)
    json.write_text(GROUND)
    low = Limits(file_bytes=100, ground_bytes=100)
    for path in (yaml, json):
        assert [issue.code for issue in issues_of(lambda path=path: load(path, limits=low))] == [Code.FILE_TOO_LARGE]  # type: ignore[misc]
    assert {issue.code for issue in issues_of(lambda: load(yaml, limits=Limits(nodes=10)))} == {Code.TOO_MANY_NODES}
    assert load(yaml, limits=Limits(file_bytes=len(AUTHORED), nodes=200)).name == "week"


def test_a_ground_file_has_no_parameters(tmp_path: Path) -> None:
    path = tmp_path / "week.json"
    path.write_text(GROUND)
    with pytest.raises(RequestError) as caught:
        load(path, {"most": 3})
    assert caught.value.code is Code.BAD_PARAMETER


def test_files_are_wrong_problems_and_not_wrong_requests() -> None:
    for case in AUTHORED_CASES[:5]:
        with pytest.raises(ProblemError):
            parse_authored(case.text)


def test_every_code_has_a_meaning() -> None:
    assert list(CODE_MEANINGS) == list(Code)
    assert all(meaning.endswith(".") for meaning in CODE_MEANINGS.values())


def test_every_code_is_produced_by_some_case() -> None:
    produced = {code for case in [*AUTHORED_CASES, *GROUND_CASES] for code in case.codes}
    produced |= {*FILES.values(), *(code for _, code, _, _ in SHEETS.values())}
    assert produced | set(ELSEWHERE) == set(Code)
    assert not produced & set(ELSEWHERE)
