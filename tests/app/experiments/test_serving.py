"""`pcl report`: how recipes serve people, and the people who stand in experiment files."""

import json
from pathlib import Path

import numpy as np
import pytest
from tests.app.commands import Commands, traces

from pcl_app.experiments.judge.people import Served, crowds_of, definite_table, linear_table
from pcl_app.experiments.plan.files import parse_plan, read_plan
from pcl_app.experiments.record.ends import read_satisfied
from pcl_app.experiments.record.traces import read_traces
from pcl_core import RequestError
from pcl_core.elicitation import RECIPES
from pcl_core.users import DEFINITE

STUDY = """\
pcl: 1
experiment: a small study
defaults: {recipe: [people, form, keep, paper], users: 3, queries: 12}
runs:
  - {problem: pc, user_model: [wants exactly one PC, rules]}
  - {problem: "grid:side=3,part=1", alpha: 0.3}
  - {problem: "grid:side=3,part=1", user_model: "noisy:p=0.2", alpha: 0.3}
"""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from pcl_app.experiments.experiment import Workers, run_experiment
    from pcl_app.experiments.run.tasks import cells_of

    out = tmp_path_factory.mktemp("serving") / "runs"
    plan = parse_plan(STUDY, "study.yaml")
    cells = cells_of([(entry.settings, range(entry.users)) for entry in plan.entries], plan.problems)
    run_experiment(plan.name, cells, plan.problems, out, Workers(jobs=1))
    return out


def served(runs: Path, who: str, recipe: str) -> Served:
    found = [crowd for crowd in crowds_of(read_traces(runs), read_satisfied(runs)) if crowd.who == who]
    one = found[0].by(recipe)
    assert one is not None
    return one


def test_the_report_has_every_recipe_in_every_table_and_a_figure(runs: Path, tmp_path: Path, pcl: Commands) -> None:
    pcl("report", runs, "--out", tmp_path)
    page = (tmp_path / "report.md").read_text()
    tables = [block for block in page.split("\n\n") if block.startswith("| who")]
    assert len(tables) == 5
    for table in tables:
        words = ("for people", "a plain form", "the paper's") if "for people" in table else ("people", "form", "paper")
        assert all(f"| {word} |" in table for word in words), table
    assert (tmp_path / "figures" / "questions-needed.png").stat().st_size > 10_000
    assert "wants exactly one PC" in pcl.out
    assert "report.html" in pcl.out
    pcl("report", runs, "--out", tmp_path, "--format", "json")
    found = json.loads(pcl.out)
    assert [set(row) for row in found["tables"][0]["rows"]] == 2 * [
        {"who", "for people", "a plain form", "improvements kept", "the paper's"}
    ]


def test_questions_are_counted_up_to_the_certificate(runs: Path) -> None:
    one = served(runs, "wants exactly one PC", "form")
    rows = [row for row in traces(runs) if row["learner"] == "nothing" and row["user_model"] == "wants exactly one PC"]
    ends = [row["query"] for row in rows if row["certified"]]
    assert list(one.questions.queries) == ends == 3 * ends[:1]
    assert one.finished == "3 of 3"
    assert one.total("values_typed").value == sum(row["values_typed"] for row in rows) / 3
    assert one.unsatisfied == 0


def test_whoever_is_not_finished_needs_more_questions_than_there_were(runs: Path) -> None:
    one = served(runs, "wants exactly one PC", "paper")
    assert one.finished == "0 of 3"
    assert (one.mean, one.median) == ("over 12", "over 12")


def test_what_is_left_is_a_share_of_the_first_regret(runs: Path) -> None:
    one = served(runs, "α = 0.3", "people")
    regret = one.run.curve("regret")
    assert one.left().value == pytest.approx(100 * regret[:, -1].mean() / regret[:, 0].mean())
    mean = regret.mean(axis=0)
    assert one.queries_to(1.0) == 1
    assert one.queries_to(0.1) in ("–", int(np.argmax(mean <= 0.1 * mean[0])) + 1)


def test_certificates_that_somebody_is_not_satisfied_with_are_counted(runs: Path) -> None:
    one = served(runs, "rules at random", "form")
    users = one.users
    assert (
        Served(one.recipe, one.run, users, dict.fromkeys(users, False), one.limit).unsatisfied
        == one.questions.reached
        > 0
    )
    assert Served(one.recipe, one.run, users, dict.fromkeys(users, True), one.limit).unsatisfied == 0


def test_recipes_are_compared_over_the_same_people(runs: Path) -> None:
    one = served(runs, "wants exactly one PC", "form")
    fewer = Served(one.recipe, one.run, (1,), one.satisfied, one.limit)
    assert fewer.finished == "1 of 1"
    assert fewer.questions.queries == (one.questions.queries[1],)
    assert fewer.curve("values_typed").tolist() == one.curve("values_typed")[1:2].tolist()


def test_people_are_told_apart_by_whom_they_are_and_how_they_answer(runs: Path) -> None:
    crowds = crowds_of(read_traces(runs), read_satisfied(runs))
    assert [(crowd.who, crowd.definite, crowd.usual) for crowd in crowds] == [
        ("wants exactly one PC", True, False),
        ("rules at random", True, False),
        ("α = 0.3", False, True),
        ("20 % mistakes", False, False),
    ]
    assert all([one.recipe for one in crowd.served] == ["people", "form", "keep", "paper"] for crowd in crowds)
    assert len(definite_table(crowds[:2], "x").rows) == 8
    assert len(linear_table(crowds[2:], "x").rows) == 8


def test_runs_by_no_recipe_are_refused_in_words(tmp_path: Path, pcl: Commands) -> None:
    pcl("simulate", "pc", "--user", "exact", "--users", "1", "--queries", "2", "--jobs", "1", "--out", tmp_path)
    assert "none of these runs is by a recipe" in pcl("report", tmp_path, code=2)


def test_a_description_without_ends_is_refused_in_words(runs: Path, tmp_path: Path, pcl: Commands) -> None:
    (tmp_path / "traces.parquet").write_bytes((runs / "traces.parquet").read_bytes())
    for text in ("[]", "{}", '{"settings": [], "users": [{"satisfied": true, "settings": 3, "user": 0}]}'):
        (tmp_path / "run.json").write_text(text)
        assert "does not say how it ended for whom" in pcl("report", tmp_path, code=2)


def test_labels_of_runs_by_recipes_are_their_names(runs: Path) -> None:
    found = read_traces(runs).select(problem="grid:side=3,part=1", user_model="informative")
    assert found.labels() == ("people", "form", "keep", "paper")
    assert [run.settings.recipe for run in found] == ["people", "form", "keep", "paper"]


@pytest.mark.parametrize("who", DEFINITE)
def test_people_who_are_written_down_stand_in_experiment_files_with_their_problem(who: str) -> None:
    text = f'pcl: 1\nexperiment: e\nruns:\n  - {{problem: PROBLEM, user_model: "{who}", recipe: people}}'
    (entry,) = parse_plan(text.replace("PROBLEM", DEFINITE[who][0]), "e.yaml").entries
    assert (entry.settings.user_model, entry.settings.by_utility) == (who, False)
    with pytest.raises(RequestError, match=f"is somebody for the problem '{DEFINITE[who][0]}'"):
        parse_plan(text.replace("PROBLEM", "grid"), "e.yaml")


def test_the_study_in_the_documentation_has_every_recipe_for_everybody() -> None:
    plan = read_plan(Path(__file__).parents[3] / "docs" / "people" / "study.yaml")
    by_whom: dict[str, set[str]] = {}
    for entry in plan.entries:
        said = entry.settings
        recipe = next(
            name for name, fields in RECIPES.items() if all(getattr(said, key) == fields[key] for key in fields)
        )
        by_whom.setdefault(f"{said.problem} {said.user_model} {said.weights} {said.alpha}", set()).add(recipe)
    assert all(found == set(RECIPES) for found in by_whom.values())
    assert set(DEFINITE) <= {entry.settings.user_model for entry in plan.entries}
