"""What packages offer: whose a name is, and what is wrong with it before anything is imported."""

import random
from pathlib import Path

import pytest
from tests.packages import install_package

from pcl_core import Code, PclError, catalogue, load
from pcl_core.authoring.load import examine_problems
from pcl_core.plugins import BrokenPluginError, Group, discover, find, names
from pcl_core.solve.registry import backend_names, examine_backends, find_backend, get_backend

BACKENDS = "pcl.backends"
OURS = backend_names()
"""Before any test has installed anything, so that it is what this environment has."""
WORKING_OURS = {it.plugin.name for it in examine_backends() if it.broken is None}
PROBLEMS = {it.plugin.name for it in examine_problems() if it.broken is None}
WORKING = "from pcl_backends.table import TableBackend as Backend\n"


def refusals(group: str, name: str) -> list[str | None]:
    return [plugin.refused for plugin in discover(group) if plugin.name == name]


def test_ours_are_there() -> None:
    assert {"auto", "cpsat", "cvxpy", "pulp", "table"} <= WORKING_OURS
    assert {"grid", "hotel", "hotel-published", "training"} <= PROBLEMS


def test_a_name_of_ours_means_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_package(tmp_path, monkeypatch, {BACKENDS: ["cpsat = other_module:Backend"]}, "raise SystemExit")
    assert type(find_backend("cpsat")).__module__ == "pcl_backends.cpsat"
    assert refusals(BACKENDS, "cpsat") == [None, "the name is one of pcl's own"]
    assert backend_names() == OURS


def test_a_stranger_cannot_take_a_name_of_ours_with_our_own_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_package(tmp_path, monkeypatch, {BACKENDS: ["cpsat = pcl_backends.pulp:PulpBackend"]})
    assert type(find_backend("cpsat")).__module__ == "pcl_backends.cpsat"


def test_a_problem_of_ours_is_ours(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    install_package(tmp_path, monkeypatch, {"pcl.problems": ["training = other_module"]})
    assert load("training").name == "training"
    assert catalogue()["training"] == "pcl_problems.training"


def test_a_name_that_two_packages_offer_means_neither(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("first", "second"):
        entries = {BACKENDS: [f"both = module_of_{package}:Backend"]}
        install_package(tmp_path, monkeypatch, entries, WORKING, package=package, module=f"module_of_{package}")
    with pytest.raises(BrokenPluginError) as caught:
        get_backend("both")
    assert caught.value.code is Code.PLUGIN_BROKEN
    assert "'both' of package 'first'" in str(caught.value)
    assert "package 'second' offers something else under the same name" in str(caught.value)
    assert len(refusals(BACKENDS, "both")) == 2
    assert backend_names() == OURS


def test_the_very_same_offered_twice_is_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in an environment that has a package under its former name as well."""
    for package in ("first", "second"):
        install_package(tmp_path, monkeypatch, {BACKENDS: ["one = same_module:Backend"]}, WORKING, package=package)
    (tmp_path / "installed-first" / "same_module.py").write_text(WORKING)
    assert refusals(BACKENDS, "one") == [None]
    assert get_backend("one").name == "table"


@pytest.mark.parametrize("package", ["pcl", "pcl-elicit"])
def test_our_own_distribution_under_both_of_its_names(
    package: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = [f"{name} = pcl_backends.{name}:Former" for name in OURS]
    install_package(tmp_path, monkeypatch, {BACKENDS: lines}, package=package)
    assert [plugin.name for plugin in discover(BACKENDS)] == list(OURS)
    assert not any(plugin.refused for plugin in discover(BACKENDS))


def test_a_package_that_is_hidden_by_another_of_its_name_offers_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_package(tmp_path / "old", monkeypatch, {BACKENDS: ["former = other_module:Backend"]}, WORKING)
    install_package(tmp_path / "new", monkeypatch, {BACKENDS: ["present = other_module:Backend"]}, WORKING)
    assert set(backend_names()) - set(OURS) == {"present"}


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("odd", "its entry point is not written as name = module:object"),
        ("odd =", "its entry point is not written as name = module:object"),
        ("odd = not a module!", "its entry point is not written as name = module:object"),
        ("odd = 1module:Thing", "its entry point is not written as name = module:object"),
        ("a:b = other_module:Backend", "this cannot be a name"),
        ("a/b = other_module:Backend", "this cannot be a name"),
        ("a,b = other_module:Backend", "this cannot be a name"),
        ("= other_module:Backend", "this cannot be a name"),
        ("-x = other_module:Backend", "this cannot be a name"),
        ("\x1b[31mred = other_module:Backend", "this cannot be a name"),
    ],
)
def test_entry_points_that_make_no_sense_are_listed_and_hurt_no_other(
    line: str, reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_package(tmp_path, monkeypatch, {BACKENDS: [line, "good = other_module:Backend"]}, WORKING)
    broken = [plugin.refused for plugin in discover(BACKENDS) if plugin.refused]
    assert len(broken) == 1
    assert reason in broken[0]
    assert get_backend("good").name == "table"
    assert set(backend_names()) == {*OURS, "good"}


def test_what_is_damaged_in_metadata_hurts_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = install_package(tmp_path, monkeypatch, {BACKENDS: ["good = other_module:Backend"]}, WORKING)
    metadata = place / "other-1.0.dist-info"
    points = metadata / "entry_points.txt"
    points.write_bytes(b"\xff\xfe broken\n[unclosed\n" + points.read_bytes())
    (metadata / "METADATA").unlink()
    assert get_backend("good").name == "table"
    (metadata / "METADATA").write_bytes(b"\xff\xfe")
    assert "good" in names(BACKENDS)
    points.unlink()
    points.mkdir()
    assert backend_names() == OURS


PIECES = (
    *(b"[pcl.backends]", b"[pcl.problems]", b"[pcl.learners", b"[ pcl.users ]", b"[", b"]", b"\n", b"\n", b"\n", b"\r"),
    *(b"=", b" = ", b"a", b"cpsat", b"training", b"perceptron", b"x:y", b"os:getcwd", b"sys:exit", b"builtins:exit"),
    *(b"\xff", b"\x00", b"\x1b[31m", b"#", b";", b"\t", b"\x85", b"a.b.c:d.e", b"a..b", b".", b"[extra]", b"json"),
)
PACKAGES = (b"p", b"q", b"pcl", b"\xff", b"", b"a b/c", b"../x")


@pytest.mark.parametrize("seed", range(20))
def test_damaged_metadata_never_hurts_what_is_ours(seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = random.Random(seed)
    for number in range(3):
        metadata = tmp_path / f"p{number}-1.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_bytes(b"Name: " + draw.choice(PACKAGES) + b"\nVersion: 1\n")
        (metadata / "entry_points.txt").write_bytes(b"".join(draw.choices(PIECES, k=draw.randint(1, 60))))
    monkeypatch.syspath_prepend(str(tmp_path))
    for group in Group:
        for plugin in discover(group):
            assert (plugin.name + plugin.value + plugin.package).isprintable()
    examined = examine_backends()
    assert {it.plugin.name for it in examined if it.plugin.ours and it.broken is None} == WORKING_OURS
    assert {it.plugin.name for it in examine_problems() if it.plugin.ours and it.broken is None} == PROBLEMS
    for it in examined:
        if it.broken is not None and it.plugin.name not in OURS:
            with pytest.raises(PclError):
                get_backend(it.plugin.name)


def test_nobody_offers_it() -> None:
    assert find(BACKENDS, "nosuch") is None
    with pytest.raises(PclError, match="did you mean 'cpsat'") as caught:
        get_backend("cpsa")
    assert caught.value.code is Code.UNKNOWN_OPTION
