"""The module that is written for a problem: its text, what it calls things, and how large it gets."""

import ast
import subprocess
import sys
from pathlib import Path
from typing import get_args

import pytest
from tests.core.typed.made import CATALOGUE, LARGE, STRANGE_NAMES, large, module_of, strange

import pcl_core as pcl
from pcl_core.typed import misfit_of_module, types_module

RUFF = Path(sys.executable).parent / "ruff"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A module for each problem of the catalogue, for strange names, and for large problems."""
    found = tmp_path_factory.mktemp("types")
    problems = [pcl.load(name) for name in CATALOGUE] + [strange(), *map(large, LARGE)]
    for number, problem in enumerate(problems):
        (found / f"m{number}.py").write_text(types_module(problem), encoding="utf-8")
    return found


@pytest.mark.parametrize("length", ["80", "88", "120", "320"])
def test_a_formatter_leaves_modules_as_they_are_whatever_the_length_of_lines(folder: Path, length: str) -> None:
    arguments = ["format", "--isolated", "--diff", "--line-length", length, str(folder)]
    done = subprocess.run([RUFF, *arguments], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "")
    assert f"{len(CATALOGUE) + 1 + len(LARGE)} files already formatted" in done.stderr


def test_the_same_content_gives_the_same_module_however_the_problem_is_worded() -> None:
    week = pcl.load("training")
    reworded = week.replace(label="Another week", description="With other words")
    assert types_module(pcl.parse_ground(week.to_json())) == types_module(week) == types_module(reworded)


def test_index_sets_and_domains_have_aliases() -> None:
    text = types_module(pcl.load("training"))
    for line in (
        'PartName: TypeAlias = Literal["mon", "tue", "wed", "thu", "fri", "sat", "sun"]',
        "PlanIndex2: TypeAlias = Literal[1, 2, 3, 4, 5]",
        '    plan = Many[tuple[PartName, PlanIndex2], PlanValue]("plan", str, int)',
        '    plan = Many[PlanIndex2, PlanValue]("plan", 0, int)',
        '        "plan[tue,2]": PlanValue,',
    ):
        assert line in text.splitlines()
    values = module_of(pcl.load("training")).PlanValue.__args__
    assert values == pcl.load("training").variables[0].values()


def test_parts_that_differ_in_their_index_alone_are_of_one_kind() -> None:
    def kinds(name: str) -> list[str]:
        tree = ast.parse(types_module(pcl.load(name)))
        return [node.name for node in tree.body if isinstance(node, ast.ClassDef) and "PartSheet" in ast.unparse(node)]

    assert kinds("training") == kinds("hotel") == kinds("grid") == ["Part"]
    assert kinds("pc") == ["BasePart", "SpeedPart", "StoragePart", "PowerPart"]
    assert '    single_beds = Single[SingleBedsValue]("single_beds", 0)' in types_module(pcl.load("hotel"))


def test_strange_names_become_different_identifiers_and_can_be_used() -> None:
    problem = strange()
    module = module_of(problem)
    whole = module.Configuration(problem)
    names = {str(found): name for name, found in vars(module.Configuration).items() if isinstance(found, str)}
    assert {*STRANGE_NAMES, "wide", "alone", "plan"} <= set(names)
    assert len(set(names.values())) == len(names)
    assert (names["class"], names["a b"], names["a-b"], names["1st"]) == ("class_", "a_b", "a_b_2", "n1st")
    for name in STRANGE_NAMES:
        setattr(whole, names[name], True)
    assert whole.ground() == dict.fromkeys(STRANGE_NAMES, True)
    whole.plan[1, "a"] = 'it\'s "so"'
    assert whole.ground()["plan[1,a]"] == 'it\'s "so"'


def test_a_wide_range_of_numbers_is_not_listed() -> None:
    text = types_module(strange())
    assert "# from 0 to 10000\nWideValue: TypeAlias = int\n" in text
    assert "FewValue: TypeAlias = Literal[-3, -2, -1, 0, 1, 2, 3]" in text
    assert "9999" not in text


@pytest.mark.parametrize(("name", "lines"), list(zip(LARGE, (300, 750, 3500, 150), strict=True)))
def test_a_large_problem_has_a_module_of_reasonable_size(name: str, lines: int) -> None:
    """Indices are listed, not what they multiply to; without indices, each name takes a line in each class."""
    text = types_module(large(name))
    assert text.count("\n") < lines
    assert "TypedDict(" in text


def test_an_array_of_several_sorts_may_hold_what_any_of_them_may() -> None:
    module = module_of(large("mixed"))
    assert "y[3]" in module.Values.__annotations__
    labels = {f"label number {number}" for number in range(9)}
    assert set(get_args(get_args(module.XValue)[0])) == {0, 1, 2, 3, 4, 5} | labels
    assert bool in get_args(module.XValue)
    assert {bool, int} < set(get_args(module.YValue))
    assert module.ZValue is str
    sheet = module.Configuration(large("mixed"))
    sheet.x[1], sheet.x[2] = True, 3
    assert sheet.ground() == {"x[1]": True, "x[2]": 3}
    with pytest.raises(pcl.RequestError, match=r"'x\[2\]' cannot be 4"):
        sheet.x[2] = 4


def test_an_index_set_without_members_never_gets_this_far() -> None:
    authored = """
pcl: 1
name: few
sets:
  rooms: 1..0
variables:
  beds: {index: [rooms], domain: 0..3}
  open: {domain: bool}
features:
  - {name: open, value: open}
parts:
  - {name: all, variables: ["open"]}
"""
    with pytest.raises(pcl.ProblemError, match="empty-domain"):
        pcl.parse_authored(authored)


def test_a_module_that_fits_is_recognised_however_it_is_laid_out() -> None:
    week = pcl.load("training")
    text = types_module(week)
    assert misfit_of_module(week, text) is None
    assert misfit_of_module(week, f"# ours\n{ast.unparse(ast.parse(text))}") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (types_module(pcl.load("hotel")), "these types were not made from 'training' as it is now"),
        (
            types_module(pcl.load("training")).replace('"rest"', '"sleep"'),
            "these types were edited, or written by another",
        ),
        ("class:", "this is not a module of types"),
        ("\0", "this is not a module of types"),
        ("", "these types were not made from 'training' as it is now"),
    ],
    ids=["another problem", "edited", "no Python", "no text", "empty"],
)
def test_a_module_that_does_not_fit_is_found(text: str, said: str) -> None:
    issue = misfit_of_module(pcl.load("training"), text)
    assert issue is not None
    assert issue.code == "types-outdated"
    assert issue.message.startswith(said)
    assert issue.hint == "write it anew: pcl types PROBLEM --out FILE"
