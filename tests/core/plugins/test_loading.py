"""Running what packages offer: nothing that they do ends the program, and whose fault it is is said."""

import signal
import sys
import threading
from pathlib import Path

import pytest
from tests.packages import install_package

from pcl_core import Code, Oracle, PclError, load
from pcl_core.authoring.load import examine_problems
from pcl_core.plugins import BrokenPluginError, blamed, discover, takes, told
from pcl_core.plugins import load as load_plugin
from pcl_core.solve.registry import examine_backends, find_backend, get_backend

BACKEND = """
from pcl_backends.table import TableBackend
from pcl_core.solve.protocol import Availability
class Backend(TableBackend):
"""
IMPORTS = {
    "import nosuch_module_at_all": "ModuleNotFoundError: No module named 'nosuch_module_at_all'",
    "raise ImportError('not today')": "ImportError: not today",
    "def (": "SyntaxError: invalid syntax",
    "import sys; sys.exit(7)": "SystemExit: 7",
    "raise SystemExit": "SystemExit",
    "raise KeyboardInterrupt": "KeyboardInterrupt",
    "raise GeneratorExit": "GeneratorExit",
    "class Mine(BaseException): pass\nraise Mine('odd')": "Mine: odd",
    "class Mute(Exception):\n    def __str__(self): raise ValueError\nraise Mute": "Mute: it cannot say what",
    "raise ValueError('\\x1b[31mred\\n' + 'long ' * 1000)": "ValueError: [31mred long long",
    "def f(): f()\nf()": "RecursionError",
    "from pcl_core import Code, Issue, RequestError\nraise RequestError(Issue(Code.BAD_VALUE, 'ours'))": "bad-value: ours",
    "": "AttributeError: module 'other_module' has no attribute 'Backend'",
    "Backend = None": "TypeError: 'NoneType' object is not callable",
    "Backend = 'text'": "TypeError: 'str' object is not callable",
    "class Backend: pass": "TypeError: Backend() takes no arguments",
    "def Backend(solver): return None": "AttributeError: 'NoneType' object has no attribute 'name'",
    "def Backend(solver): raise SystemExit(2)": "SystemExit: 2",
    "def Backend(one, two): return one": "TypeError: Backend() missing 1 required positional argument",
}
BODIES = {
    "    name = None": "its name is no text",
    "    name = ''": "its name is no text",
    "    @property\n    def name(self): raise SystemExit": "SystemExit",
    "    capabilities = None": "its capabilities are not a set",
    "    capabilities = {'fast'}": "its capabilities are not a set",
    "    @property\n    def capabilities(self): return 1 / 0": "ZeroDivisionError: division by zero",
    "    def availability(self): raise RuntimeError('no idea')": "RuntimeError: no idea",
    "    def availability(self): raise SystemExit": "SystemExit",
    "    def availability(self): return True": "its availability() gives no",
    "    def availability(self): return Availability('yes')": "its availability() has fields of other types",
    "    def availability(self): return Availability(True, solvers=(1, 2))": "its availability() has fields of other types",
    "    def availability(self): return Availability(True, solvers=None)": "TypeError: ",
    "    def availability(self, more): return Availability(True)": "TypeError: ",
    "    compile = None": "its compile cannot be called with a scope",
    "    def compile(self): return None": "its compile cannot be called with a scope",
}
WORKING = {it.plugin.name for it in examine_backends() if it.broken is None}
CODES = {**IMPORTS, **{BACKEND + body: reason for body, reason in BODIES.items()}}


@pytest.mark.parametrize("code", CODES)
def test_a_broken_backend_is_listed_and_refused_by_name(
    code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_package(tmp_path, monkeypatch, {"pcl.backends": ["odd = other_module:Backend"]}, code)
    with pytest.raises(PclError) as caught:
        get_backend("odd")
    assert caught.value.code is Code.PLUGIN_BROKEN
    assert caught.value.exit_code == 2
    said = str(caught.value)
    assert "'odd' of package 'other' (pcl.backends: other_module:Backend) cannot be used: " in said
    assert CODES[code] in said
    assert said.isprintable()
    assert len(said) < 500
    listed = {entry.plugin.name: entry.broken for entry in examine_backends()}
    assert CODES[code] in (listed.pop("odd") or "")
    assert {name for name, broken in listed.items() if broken is None} == WORKING


def test_a_broken_backend_is_no_advice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hint for a scope that is too large names backends that take it; looking for them meets the broken one."""
    install_package(tmp_path, monkeypatch, {"pcl.backends": ["odd = other_module:Backend"]}, "raise SystemExit")
    training = load("training")
    with pytest.raises(PclError, match="'cpsat'") as caught:
        Oracle.of(training, "table").solve([0.0] * len(training.features))
    assert caught.value.code is Code.SCOPE_TOO_LARGE
    assert "odd" not in str(caught.value)


def test_a_solver_that_another_package_does_not_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = BACKEND + "    pass"
    install_package(tmp_path, monkeypatch, {"pcl.backends": ["even = other_module:Backend"]}, code)
    assert find_backend("even").name == "table"
    with pytest.raises(PclError) as caught:
        find_backend("even:fast")
    assert caught.value.code is Code.UNKNOWN_OPTION  # which is what the backend itself says


def test_a_real_ctrl_c_is_not_taken_for_a_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "import os, signal, time\nos.kill(os.getpid(), signal.SIGINT)\ntime.sleep(1)"
    install_package(tmp_path, monkeypatch, {"pcl.backends": ["slow = other_module:Backend"]}, code)
    with pytest.raises(KeyboardInterrupt):
        get_backend("slow")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_interrupt_that_a_plug_in_raises_beside_the_main_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install_package(tmp_path, monkeypatch, {"pcl.backends": ["odd = other_module:Backend"]}, "raise KeyboardInterrupt")
    caught: list[BaseException] = []

    def work() -> None:
        try:
            get_backend("odd")
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert isinstance(caught[0], BrokenPluginError)


GOOD = """
pcl: 1
name: garden
parameters: {plots: 2}
checks: [{that: plots > 1, message: a garden has plots}]
sets: {plot: 1..plots}
variables: {crop: {index: [plot], domain: bool}}
features: [{name: "crop[{p}]", foreach: {p: plot}, value: "crop[p]"}]
parts: [{name: "{p}", foreach: {p: plot}, variables: "crop[p]"}]
"""


def plant(folder: Path, monkeypatch: pytest.MonkeyPatch, value: str, files: dict[str, str]) -> None:
    place = install_package(folder, monkeypatch, {"pcl.problems": [f"garden = {value}"]}, module="single")
    (place / "garden_package" / "inner").mkdir(parents=True)
    for name, text in files.items():
        (place / "garden_package" / name).write_text(text, encoding="utf-8")
    for name in ("garden_package", "garden_package.inner"):
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.mark.parametrize(
    ("value", "files", "reason"),
    [
        ("nosuch_package", {}, "there is no package 'nosuch_package'"),
        ("nosuch_package.inner", {}, "ModuleNotFoundError: No module named 'nosuch_package'"),
        ("single", {}, "'single' is a module, and files lie in a package"),
        ("garden_package", {}, "the package has no file problem.yaml"),
        ("garden_package:small", {"problem.yaml": GOOD}, "the package has no file small.yaml"),
        ("garden_package", {"problem.yaml": "pcl: 1\nname: [\n"}, "problem.yaml: "),
        ("garden_package", {"problem.yaml": "pcl: 99\nname: x\n"}, "problem.yaml: "),
        ("garden_package", {"problem.yaml": GOOD.replace("plots: 2", "plots: 1")}, "problem.yaml: a garden has plots"),
        ("garden_package.inner", {"__init__.py": "raise SystemExit(4)"}, "SystemExit: 4"),
        ("garden_package.inner", {"__init__.py": "1 / 0"}, "ZeroDivisionError: division by zero"),
    ],
)
def test_a_broken_problem_is_listed_and_refused_by_name(
    value: str, files: dict[str, str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant(tmp_path, monkeypatch, value, files)
    with pytest.raises(PclError) as caught:
        load("garden")
    assert caught.value.code is Code.PLUGIN_BROKEN
    assert caught.value.exit_code == 2
    assert "'garden' of package 'other'" in caught.value.issues[0].message
    assert reason in caught.value.issues[0].message
    listed = {entry.plugin.name: entry.broken for entry in examine_problems()}
    assert reason in (listed.pop("garden") or "")
    assert set(listed.values()) == {None}


def test_parameters_of_a_good_problem_are_the_callers_mistake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, monkeypatch, "garden_package", {"problem.yaml": GOOD})
    assert len(load("garden:plots=3").parts) == 3
    for source, code in (
        ("garden:plots=1", Code.CHECK_FAILED),
        ("garden:plot=3", Code.BAD_PARAMETER),
        ("garden:variant=small", Code.BAD_PARAMETER),
    ):
        with pytest.raises(PclError) as caught:
            load(source)
        assert caught.value.code is code


def test_a_broken_problem_is_broken_with_any_parameters(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plant(tmp_path, monkeypatch, "garden_package", {"problem.yaml": GOOD.replace("bool", "nosuch")})
    with pytest.raises(BrokenPluginError) as caught:
        load("garden:plots=3")
    assert [issue.location.line for issue in caught.value.issues[1:]] == [7]  # what its author wants to know


def test_what_is_raised_in_a_plug_in_is_blamed_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = "def work(call):\n    call()\ndef fail():\n    raise ValueError('mine')"
    install_package(tmp_path, monkeypatch, {"pcl.orderings": ["odd = other_module:work"]}, code)
    (plugin,) = discover("pcl.orderings")
    load_plugin(plugin)
    module = sys.modules["other_module"]
    with pytest.raises(ValueError, match="mine") as theirs:
        module.work(module.fail)
    found = blamed(theirs.value)
    assert found is not None
    assert "something of package 'other', which adds to pcl.orderings, failed: ValueError: mine" in str(found)
    with pytest.raises(TypeError) as ours:
        module.work(lambda: takes(None))  # type: ignore[call-arg]
    assert blamed(ours.value) is not None  # no code of ours ran, so the call was wrong
    with pytest.raises(AttributeError) as deeper:
        module.work(lambda: told(None) + blamed(None))  # type: ignore[arg-type, operator]
    assert blamed(deeper.value) is None
