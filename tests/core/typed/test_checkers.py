"""Checkers of types accept modules made from problems and right uses of them, and reject each wrong use at its line."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from tests.core.typed.made import CATALOGUE, LARGE, large, strange
from tests.docs.pages import DOCS, blocks

import pcl_core as pcl
from pcl_core.typed import types_module

ROOT = Path(__file__).parents[3]
SHOP = str(ROOT / "examples" / "shop")
PROGRAMS = Path(sys.executable).parent
RIGHT = """
import flat_types as flat
import grid_types as grid
import hotel_types as hotel
import pc_types as pc
import pcl_core as pcl
import strange_types as strange
import training_types as training


def elicit(problem: pcl.Problem) -> dict[str, pcl.Value]:
    week = training.Elicitation(pcl.Elicitation(problem, backend="cpsat"))
    plan = training.Configuration.plan
    while (query := week.ask()) is not None:
        draft = query.proposal
        morning: training.PlanValue = draft.plan["tue", 1]
        draft.plan["tue", 2] = morning
        week.tell(query.improve(draft))
        week.tell(query.improve({"plan[tue,2]": "rest"}, final=True))
        day = training.Part(problem, query.part, draft)
        day.plan[3] = "running"
        week.tell(query.improve(day))
        choices: tuple[training.PlanValue, ...] = query.possible(plan["tue", 2])
        week.pin(plan["tue", 2], choices[0])
        week.pin({"plan[mon,1]": "running", "plan[mon,2]": "rest"})
        week.unpin(plan["tue", 2])
    week.never(plan, "running")
    week.at_most(plan, ["running", "squats"], 3, each="part")
    week.always(plan["sun", 5], ["rest", "walking"])
    week.at_least(plan, "rest", 2)
    week.pin("plan[sun,1]", "rest")
    week.confirm(["mon", "tue"])
    return week.configuration.ground()


def surface(week: training.Elicitation, query: training.Query, kept: pcl.Taste) -> pcl.Certificate | None:
    part: training.PartName = query.part
    asked = week.ask(part)
    if asked is not None and not week.finished:
        suggested: training.Configuration = asked.suggestion
        week.tell(asked.improve(suggested, final=True))
        week.tell(asked.take())
        week.tell(asked.accept())
        week.tell(asked.skip())
    filled: training.PlanValue = week.complete({"plan[tue,2]": "rest"}).plan["tue", 1]
    week.pin("plan[tue,3]", filled)
    print(week.preview({"plan[tue,2]": "rest"}).given, week.queries, kept == week.taste())
    week.remove_rule(len(week.rules) - 1)
    week.undo()
    week.confirm()
    week.stop()
    return week.certificate


def pinned(computer: pc.Elicitation, home: flat.Elicitation, cells: grid.Elicitation, odd: strange.Elicitation) -> None:
    query: pc.Query = computer.pin("case", "small cube")
    computer.pin(pc.Configuration.case, query.possible(pc.Configuration.case)[0])
    home.pin("place[sofa]", home.configuration.place["sofa"])
    cells.pin("cell[0,3]", True)
    odd.pin("class", False)
    odd.pin("wide", 9999)
    odd.pin("plan[1,a]", "it's \\"so\\"")
    odd.pin("few[r1]", -3)
    odd.pin("plan", 1)
    odd.never(strange.Configuration.few, [1, 2])
    odd.always(strange.Configuration.class_, True)


def answer(query: training.Query, values: training.Values) -> pcl.Answer:
    return query.improve(values)


def others(problem: pcl.Problem, raw: dict[str, object]) -> list[float]:
    computer = pc.Configuration.read(problem, raw)
    base = pc.BasePart(problem, "base", computer)
    case: pc.CaseValue = base.case
    computer.case = case
    room = hotel.Part(problem, "r7")
    room.single_beds = 2
    cell: bool = grid.Configuration(problem).cell[0, 3]
    odd = strange.Configuration(problem, {"class": cell, "wide": 9999, "plan[1,a]": "it's \\"so\\""})
    odd.class_ = True
    weights = training.Weights(problem, {"power[mon,arms]": 2, "fatigue[tue,legs]": -0.5})
    weights.power["sun", "heart"] = 1
    return weights.ground()
"""
WRONG = """
import flat_types as flat
import grid_types as grid
import hotel_types as hotel
import meals_types as meals
import pc_types as pc
import pcl_core as pcl
import strange_types as strange
import training_types as training
import trip_types as trip


def elicit(problem: pcl.Problem, week: training.Elicitation, query: training.Query) -> None:
    plan = training.Configuration.plan
    draft = query.proposal
    plan["thu", 9]  # wrong
    plan["thu"]  # wrong
    draft.plan["thu", 9]  # wrong
    draft.plan["thurs", 2]  # wrong
    draft.plan["thu", 2] = "runing"  # wrong
    draft.plan["thu", 2] = 3  # wrong
    draft.paln  # wrong
    query.improve({"plan[tue,2]": "runing"})  # wrong
    query.improve({"plan[tue,9]": "rest"})  # wrong
    query.improve({"plan[tue,2]": True})  # wrong
    query.improve(pc.Configuration(problem))  # wrong
    query.possible("plan[tue,2]")  # wrong
    week.ask("tu")  # wrong
    week.pin(plan["tue", 2], "runing")  # wrong
    week.pin({"plan[tue,2]": "runing"})  # wrong
    week.complete({"plan[tue,2]": "runing"})  # wrong
    week.preview({"plan[tue,2]": "runing"})  # wrong
    week.confirm(["mon", "teu"])  # wrong
    week.never(plan, "runing")  # wrong
    week.never("plan[*,*]", "running")  # wrong
    week.never(plan, ["running", "runing"])  # wrong
    week.never(plan, 3)  # wrong
    week.always(plan["tue", 2], "runing")  # wrong
    week.at_most(plan, "runing", 3)  # wrong
    week.at_most(plan, "running", "3")  # wrong
    week.at_most(plan, "running", 3, each="day")  # wrong
    week.at_least(plan, ["runing"], 3)  # wrong
    week.pin("plan[tue,9]", "rest")  # wrong
    week.pin("plan[tue,2]", "runing")  # wrong
    week.pin("plan[tue,2]")  # wrong
    week.ask(1)  # wrong
    week.confirm("mon")  # wrong
    week.remove_rule("first")  # wrong
    query.improve({"plan[tue,2]": "rest"}, "final")  # wrong
    query.improve(week.rules)  # wrong
    training.Part(problem, "tue").plan["tue", 1]  # wrong
    training.Configuration(problem, {"plan[tue,2]": "runing"})  # wrong
    training.Part(problem, "tu")  # wrong
    training.Part(problem, "tue").plan[9]  # wrong
    training.Weights(problem, {"powr[mon,arms]": 2})  # wrong
    training.Weights(problem, {"power[mon,arms]": "much"})  # wrong
    training.Weights(problem).power["mon", "arm"] = 2  # wrong
    if query.part == "thurs":  # wrong
        return


def others(problem: pcl.Problem) -> None:
    pc.Configuration(problem).case = "no such case"  # wrong
    pc.BasePart(problem, "power")  # wrong
    pc.BasePart(problem, "base").supply  # wrong
    hotel.Part(problem, "r7").single_beds = 99  # wrong
    grid.Configuration(problem).cell[0, 4]  # wrong
    grid.Configuration(problem).cell[0, 3] = "on"  # wrong
    strange.Configuration(problem).class_ = 1  # wrong
    strange.Configuration(problem, {"wide": "9999"})  # wrong
    strange.Configuration(problem).plan[1, "a"] = "it's so"  # wrong
    strange.RoomPart(problem, "room[r3]")  # wrong
    strange.Elicitation(pcl.Elicitation(problem)).pin("few[r1]", 4)  # wrong
    strange.Elicitation(pcl.Elicitation(problem)).pin("class", "yes")  # wrong
    strange.Elicitation(pcl.Elicitation(problem)).pin("klass", True)  # wrong
    strange.Elicitation(pcl.Elicitation(problem)).never(strange.Configuration.few, 4)  # wrong
    pc.Elicitation(pcl.Elicitation(problem)).pin("case", "no such case")  # wrong
    pc.Elicitation(pcl.Elicitation(problem)).pin("board", "small cube")  # wrong
    pc.Weights(problem).prise = 1  # wrong
    flat.Configuration(problem, {"place[sofa]": "nowhere"})  # wrong
    grid.Elicitation(pcl.Elicitation(problem)).pin("cell[0,4]", True)  # wrong
    trip.Elicitation(pcl.Elicitation(problem)).ask("yesterday")  # wrong
    meals.Elicitation(pcl.Elicitation(problem)).ask("monday lunch")  # wrong
"""
PAGE = "".join(
    block.text for block in blocks(DOCS / "how-to" / "use-types-made-from-a-problem.md") if block.language == "python"
)
EXPECTED = {
    (file, number)
    for file, text, mark in (("wrong.py", WRONG, "# wrong"), ("page.py", PAGE, "# here"))
    for number, line in enumerate(text.splitlines(), 1)
    if line.endswith(mark)
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Modules of all problems of the catalogue, of strange names and of large problems, and who uses them."""
    problems = {name.replace("-", "_"): pcl.load(name) for name in CATALOGUE}
    problems |= {"strange": strange(), **{f"large_{number}": large(name) for number, name in enumerate(LARGE)}}
    for name, problem in problems.items():
        (tmp_path / f"{name}_types.py").write_text(types_module(problem), encoding="utf-8")
    (tmp_path / "page.py").write_text(PAGE, encoding="utf-8")
    (tmp_path / "right.py").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "wrong.py").write_text(WRONG, encoding="utf-8")
    return tmp_path


def test_mypy_accepts_the_modules_and_rejects_wrong_uses(folder: Path) -> None:
    options = ["--strict", "--output", "json", "--config-file", "pyproject.toml"]
    files = sorted(folder.glob("*.py"))
    done = subprocess.run([PROGRAMS / "mypy", *options, *files], capture_output=True, text=True, check=False, cwd=ROOT)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    errors = {(Path(it["file"]).name, it["line"]) for it in found if it["severity"] == "error"}
    assert errors == EXPECTED, done.stdout + done.stderr


def test_pyright_accepts_the_modules_and_rejects_wrong_uses(folder: Path) -> None:
    """Strict, and offline: this pyright comes with what it runs on. The shop in the examples is checked with them."""
    settings = {"typeCheckingMode": "strict", "include": [".", SHOP], "extraPaths": [str(ROOT / "src")]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings), encoding="utf-8")
    options = ["--outputjson", "--pythonpath", sys.executable, "--project", str(folder)]
    program = PROGRAMS / "basedpyright"
    done = subprocess.run([program, *options], capture_output=True, text=True, check=False, cwd=folder)
    found = json.loads(done.stdout)["generalDiagnostics"]
    errors = {(Path(it["file"]).name, it["range"]["start"]["line"] + 1) for it in found if it["severity"] == "error"}
    assert errors == EXPECTED, done.stdout
    assert json.loads(done.stdout)["summary"]["filesAnalyzed"] == len([*folder.glob("*.py"), *Path(SHOP).glob("*.py")])
