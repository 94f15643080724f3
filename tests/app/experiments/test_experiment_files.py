"""Experiment files: lists are multiplied out, each run once, and whatever is wrong is said with its place, at once."""

from pathlib import Path

import pytest
from tests.app.commands import Commands, kept, traces

from pcl_app.experiments.plan.files import MAX_CELLS, Plan, parse_plan
from pcl_core.errors import Code, MissingDependencyError, PclError
from pcl_core.solve import registry

HEAD = "pcl: 1\nexperiment: study\n"
ONE_DAY = """\
pcl: 1
name: day
variables: {a: {domain: bool}, b: {domain: bool}}
features: [{name: f, value: a}, {name: g, value: b}]
parts: [{name: first, variables: [a]}, {name: second, variables: [b]}]
"""


def plan_of(runs: str, defaults: str = "{}") -> Plan:
    return parse_plan(f"{HEAD}defaults: {defaults}\nruns:\n  - {runs}\n", "study.yaml")


def wrong(text: str) -> list[str]:
    with pytest.raises(PclError) as caught:
        parse_plan(text, "study.yaml")
    assert caught.value.exit_code == 2
    return [str(issue) for issue in caught.value.issues]


def test_lists_are_multiplied_out_and_defaults_hold_where_a_run_says_nothing() -> None:
    plan = plan_of("{problem: [grid, training], alpha: [0.1, 0.5], users: 3}", "{mode: keep, users: 7, seed: [1, 2]}")
    found = {(entry.settings.problem, entry.settings.alpha, entry.settings.seed) for entry in plan.entries}
    assert len(found) == len(plan.entries) == 8
    assert {entry.users for entry in plan.entries} == {3}
    assert {entry.settings.mode for entry in plan.entries} == {"keep"}
    assert plan.cells == 24
    assert set(plan.problems) == {"grid", "training"}


def test_what_stands_there_twice_is_run_once_for_as_many_users_as_the_larger_number() -> None:
    plan = parse_plan(
        f"{HEAD}runs: [{{problem: grid, users: 3}}, {{problem: [grid, grid], users: 5}}, {{problem: grid}}]", "x.yaml"
    )
    assert [entry.users for entry in plan.entries] == [20]


def test_a_user_has_her_own_alpha_if_none_is_said() -> None:
    plan = plan_of("{problem: grid, user_model: [best, 'informative:alpha=0.4', noisy], users: 1}")
    assert [entry.settings.alpha for entry in plan.entries] == [1.0, 0.4, 0.1]
    said = plan_of("{problem: grid, user_model: best, alpha: 1, users: 1}")
    assert said.entries[0] == plan.entries[0]


WRONG: dict[str, tuple[str, str]] = {
    "problem: gird": ("6:14: unknown-problem", "did you mean 'grid'?"),
    "problem: nosuch.yaml": ("6:14: file-not-found", "nosuch.yaml"),
    "problem: 'grid:sidee=4'": ("6:14: bad-parameter", "did you mean 'side'?"),
    "problem: 5": ("6:14: wrong-shape", "string"),
    "algorithm: plc": ("6:16: unknown-option", "there is no 'plc' (did you mean 'pcl'"),
    "learner: percptron": ("6:14: unknown-option", "did you mean 'perceptron'?"),
    "learner: 'perceptron:stepp=sqrt'": ("6:14: unknown-option", "did you mean 'step'?"),
    "select: [random, ucb]": ("6:22: unknown-option", "did you mean 'ucb1'?"),
    "order: degre": ("6:12: unknown-option", "did you mean 'degree' or 'declared'?"),
    "order: 'mon,tue'": ("6:12: ", "mon"),
    "mode: kepe": ("6:11: unknown-option", "did you mean 'keep'?"),
    "stop: twopass": ("6:11: unknown-option", "did you mean 'two-pass'?"),
    "user_model: informativ": ("6:17: unknown-option", "did you mean 'informative'?"),
    "alpha: 0": ("6:12: wrong-shape", "greater than 0"),
    "alpha: [0.5, 1.5]": ("6:18: wrong-shape", "less than or equal to 1"),
    "alpha: lots": ("6:12: wrong-shape", "number"),
    "alpha: []": ("6:12: wrong-shape", "at least one"),
    "alpha: null": ("6:12: wrong-shape", "number"),
    "weights: norml": ("6:14: unknown-option", "did you mean 'normal'"),
    "start: decalred": ("6:12: unknown-option", "did you mean 'declared'?"),
    "queries: -1": ("6:14: wrong-shape", "greater than or equal to 1"),
    "queries: many": ("6:14: wrong-shape", "integer"),
    "queries: true": ("6:14: wrong-shape", "integer"),
    "queries: [5, 6]": ("6:18: bad-value", "5 queries and 6 queries"),
    "seed: -1": ("6:11: wrong-shape", "greater than or equal to 0"),
    "seed: 1.5": ("6:11: wrong-shape", "integer"),
    "backend: cpsta": ("6:14: unknown-option", "did you mean 'cpsat'?"),
    "backend: 'pulp:hihgs'": ("6:14: unknown-option", "highs"),
    "time_limit: 0": ("6:17: wrong-shape", "greater than 0"),
    "users: -3": ("6:12: wrong-shape", "greater than or equal to 1"),
    "users: 0": ("6:12: wrong-shape", "greater than or equal to 1"),
    "users: [2, few]": ("6:16: wrong-shape", "integer"),
    "users: 2000000": ("6:12: wrong-shape", "1000000"),
    "aplha: 0.1": ("6:5: wrong-shape", "did you mean 'alpha'?"),
}


@pytest.mark.parametrize("line", WRONG)
def test_a_wrong_value_is_a_sentence_with_its_line_and_column(line: str) -> None:
    place, words = WRONG[line]
    name = "algorithm: pcl" if line.startswith("problem") else "problem: grid"
    (found,) = wrong(f"{HEAD}runs:\n\n  - {name}\n    {line}\n")
    assert found.startswith(f"study.yaml:{place}")
    assert words in found


def test_a_wrong_default_is_said_where_it_stands_and_once() -> None:
    text = f"{HEAD}defaults: {{learner: percptron}}\nruns: [{{problem: grid, alpha: [0.1, 0.2]}}, {{problem: grid}}]"
    (found,) = wrong(text)
    assert found.startswith("study.yaml:3:21: unknown-option")


def test_all_that_is_wrong_is_said_at_once() -> None:
    found = wrong(f"{HEAD}runs:\n  - {{problem: grid, learner: a, select: b, backend: c}}\n  - {{problem: nosuch}}\n")
    assert [line.split(": ")[0] for line in found] == [
        "study.yaml:4:30",
        "study.yaml:4:41",
        "study.yaml:4:53",
        "study.yaml:5:15",
    ]


FILES: dict[str, tuple[str, Code]] = {
    "": ("mapping", Code.WRONG_SHAPE),
    "runs": ("mapping", Code.WRONG_SHAPE),
    "- 1": ("mapping", Code.WRONG_SHAPE),
    "a: [": ("", Code.SYNTAX),
    "a: &b 1\nc: *b": ("", Code.ALIAS_REFUSED),
    f"{HEAD}runs: []": ("at least one", Code.WRONG_SHAPE),
    f"{HEAD}runs: {{}}": ("list", Code.WRONG_SHAPE),
    f"{HEAD}runs: [5]": ("a mapping", Code.WRONG_SHAPE),
    f"{HEAD}runs: [{{}}]": ("'problem' is missing", Code.WRONG_SHAPE),
    f"{HEAD}": ("'runs' is missing", Code.WRONG_SHAPE),
    f"{HEAD}rusn: []\nruns: [{{problem: grid}}]": ("did you mean 'runs'?", Code.WRONG_SHAPE),
    "pcl: 2\nexperiment: x\nruns: [{problem: grid}]": ("", Code.WRONG_VERSION),
    "pcl: 1\nruns: [{problem: grid}]": ("'experiment' is missing", Code.WRONG_SHAPE),
    f"{HEAD}runs: [{{problem: grid, users: 1000, seed: [{', '.join(map(str, range(1001)))}]}}]": (
        "1,001,000 cells",
        Code.BAD_VALUE,
    ),
    f"{HEAD}runs: [{{problem: grid, seed: {list(range(1001))}, alpha: {[0.5] * 1000}}}]": (
        "1,001,000 cells",
        Code.BAD_VALUE,
    ),
}


@pytest.mark.parametrize("text", FILES, ids=[str(number) for number in range(len(FILES))])
def test_a_file_that_is_no_experiment_is_a_sentence_with_a_place(text: str) -> None:
    words, code = FILES[text]
    found = wrong(text)
    assert f"{code}: " in found[0]
    assert found[0].startswith("study.yaml:")
    assert words in found[0]


def test_a_product_without_end_is_refused_before_it_is_made() -> None:
    lists = ", ".join(f"{name}: {[1] * 1000}" for name in ("seed", "alpha", "queries", "users", "time_limit"))
    (found,) = wrong(f"{HEAD}runs: [{{problem: grid, {lists}}}]")
    assert f"at most {MAX_CELLS:,}" in found


IMPOSSIBLE: dict[str, str] = {
    "problem: grid, order: 'mon,tue,wed,thu,fri,sat,sun'": "mon",
    "problem: training, order: 'mon,tue'": "must list every part exactly once",
    "problem: grid, user_model: best, alpha: 0.3": "user 'best' has alpha 1, not 0.3",
    "problem: grid, user_model: 'informative:alpha=0.2', alpha: 0.3": "has alpha 0.2, not 0.3",
    "problem: DAY, start: declared": "declares no start",
    "problem: grid, backend: table, time_limit: 5": "does not take the option 'time limit'",
}


@pytest.mark.parametrize("run", IMPOSSIBLE)
def test_an_impossible_combination_is_found_before_anything_is_run(run: str, tmp_path: Path, pcl: Commands) -> None:
    day = tmp_path / "day.yaml"
    day.write_text(ONE_DAY)
    file = tmp_path / "study.yaml"
    file.write_text(f"{HEAD}runs: [{{problem: grid, users: 1, queries: 1}}, {{{run.replace('DAY', str(day))}}}]\n")
    said = pcl("experiment", file, "--out", tmp_path / "out", code=2)
    assert f"{file}:3:" in said
    assert IMPOSSIBLE[run] in said
    assert not (tmp_path / "out").exists()


def test_a_missing_solver_is_said_with_its_own_exit_code(monkeypatch: pytest.MonkeyPatch) -> None:
    class Absent:
        name = "absent"

        def availability(self) -> object:
            return type("Availability", (), {"available": False, "reason": "no licence", "fix": "buy one"})

    monkeypatch.setattr(registry, "find_backend", lambda name: Absent())
    with pytest.raises(MissingDependencyError, match=r"study.yaml:5:30: .*no licence \(buy one\)"):
        plan_of("{problem: grid, backend: absent}")


def test_a_problem_file_with_an_error_says_where_it_is(tmp_path: Path) -> None:
    day = tmp_path / "day.yaml"
    day.write_text(ONE_DAY.replace("value: b", "value: c"))
    (found,) = wrong(f"{HEAD}runs: [{{problem: {day}}}]")
    assert found.startswith(f"{day}:4:")


def test_an_experiment_is_run_from_its_file(tmp_path: Path, pcl: Commands) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(
        f"{HEAD}defaults: {{problem: grid, queries: 4, users: 2}}\n"
        "runs:\n"
        "  - {select: [random, ucb1], weights: [normal, sparse]}\n"
        "  - {backend: [auto, cpsat], start: [null, random], time_limit: [null, 10]}\n"
        "  - {users: 3}\n"
    )
    said = pcl("experiment", file, "--out", tmp_path / "out", "--jobs", "1")
    assert said == ""
    assert "sparse weights" in pcl.out
    # The plain run is in all three entries, once with three users.
    settings = 4 + 8 - 1
    rows = traces(tmp_path / "out")
    assert len({row["cell"] for row in rows}) == 2 * settings + 1
    assert len(rows) == 4 * (2 * settings + 1)
    before = kept(tmp_path / "out")
    pcl("experiment", file, "--out", tmp_path / "out", "--jobs", "1")
    assert kept(tmp_path / "out") == before
    assert traces(tmp_path / "out") == rows


def test_a_change_of_a_problem_gives_new_cells(tmp_path: Path, pcl: Commands) -> None:
    day, file, out = tmp_path / "day.yaml", tmp_path / "study.yaml", tmp_path / "out"
    day.write_text(ONE_DAY)
    file.write_text(f"{HEAD}runs: [{{problem: {day}, users: 2, queries: 3}}]")
    pcl("experiment", file, "--out", out, "--jobs", "1")
    first = {row["cell"] for row in traces(out)}
    day.write_text(ONE_DAY.replace("value: b", "value: '2 * b'"))
    pcl("experiment", file, "--out", out, "--jobs", "1")
    assert first.isdisjoint({row["cell"] for row in traces(out)})
    assert "0 cells were finished before" in pcl.out


def test_users_with_weights_of_another_kind_are_not_compared(tmp_path: Path, pcl: Commands) -> None:
    file = tmp_path / "study.yaml"
    file.write_text(f"{HEAD}runs: [{{problem: grid, users: 2, queries: 2, weights: [normal, sparse]}}]")
    pcl("experiment", file, "--out", tmp_path / "out", "--jobs", "1")
    said = pcl("compare", tmp_path / "out", code=2)
    assert "the runs have different users: their weights were drawn as normal, sparse" in said
