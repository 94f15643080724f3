"""Loading problems: from the catalogue, from files, from text.

The catalogue has problems by name, ours and those of other packages: a plug-in point, entry-point group `pcl.problems`,
each a package with a `problem.yaml`, or `package:variant`.
"""

import gc
import importlib.util
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from pydantic import ValidationError

from pcl_core import plugins
from pcl_core.authoring.document import FIELD_NAMES, SECTION_FIELDS, ProblemFile
from pcl_core.authoring.environment import MAX_EXPANSION
from pcl_core.authoring.findings import out_of_place
from pcl_core.authoring.grounding import Grounding
from pcl_core.authoring.lint import lint, not_allowed
from pcl_core.documents import MAX_FILE_BYTES, Document, issues_from_validation, read_json, read_text, read_yaml
from pcl_core.errors import Code, Issue, Location, PclError, ProblemError, RequestError, suggest
from pcl_core.model.problem import Problem
from pcl_core.plugins import Examined, Group, Plugin


@dataclass(frozen=True)
class CatalogueEntry:
    """A problem of the catalogue: its file, and the parameters to read it with."""

    plugin: Plugin
    path: Path
    parameters: dict[str, str]


def catalogue() -> dict[str, str]:
    """Installed problems by name, and the package (with the variant) that each comes from."""
    found = plugins.discover(Group.PROBLEMS)
    return {plugin.name: plugin.value for plugin in found if plugin.refused is None}


def find_entry(name: str, parameters: Mapping[str, str]) -> CatalogueEntry:
    plugin = plugins.find(Group.PROBLEMS, name)
    if plugin is None:
        hint = suggest(name, catalogue()) or "`pcl problems` lists them; a file ends in .yaml or .json"
        raise RequestError(Issue(Code.UNKNOWN_PROBLEM, f"there is no problem '{name[:80]}' in the catalogue", hint))
    _, _, variant = plugin.value.partition(":")
    own = variant.strip() or "problem"
    files = plugins.guarded(plugin, lambda: {path.stem: path for path in sorted(_folder(plugin).glob("*.yaml"))})
    if own not in files:
        raise plugins.broken(plugin, f"the package has no file {own}.yaml")
    given = dict(parameters)
    chosen = given.pop("variant", own)
    if chosen not in files:
        message = f"problem '{name}' has no variant '{chosen[:80]}'"
        raise RequestError(Issue(Code.BAD_PARAMETER, message, suggest(chosen, files.keys() - {"problem"})))
    return CatalogueEntry(plugin, files[chosen], given)


def _folder(plugin: Plugin) -> Path:
    """Where a package is; finding one inside another imports the outer one, which is their code."""
    spec = importlib.util.find_spec(plugin.module)
    if spec is None:
        raise plugins.broken(plugin, f"there is no package '{plugin.module}'")
    if not spec.submodule_search_locations:
        raise plugins.broken(plugin, f"'{plugin.module}' is a module, and files lie in a package")
    return Path(next(iter(spec.submodule_search_locations)))


MAX_FIELDS = 100
SUFFIXES = (".yaml", ".yml", ".json")


@dataclass(frozen=True)
class Limits:
    """How large a file may be in bytes, and how many nodes it may have once everything in it is spelled out.

    Ground files are written by programs and spell everything out, so they may be larger.
    """

    file_bytes: int = MAX_FILE_BYTES
    ground_bytes: int = 12 * MAX_FILE_BYTES
    nodes: int = MAX_EXPANSION


class Loaded(NamedTuple):
    """A problem and what it was read from."""

    problem: Problem
    text: str
    located: Callable[[Issue], Issue]
    """A finding about a ground object with its line and column."""


def load(source: str | Path, parameters: Mapping[str, object] | None = None, limits: Limits = Limits()) -> Problem:  # noqa: B008
    """A problem from a catalogue name, an authored `.yaml` or a ground `.json` file.

    Parameters may be given in the name as well: `grid:side=8,part=4`, `trip.yaml:budget=50`.
    """
    return _loaded(source, parameters, limits).problem


def load_with_warnings(
    source: str | Path,
    parameters: Mapping[str, object] | None = None,
    limits: Limits = Limits(),  # noqa: B008
) -> tuple[Problem, tuple[Issue, ...]]:
    """A problem, and what its author might look at again; warnings that a comment allows are left out."""
    problem, text, located = _loaded(source, parameters, limits)
    return problem, not_allowed([located(issue) for issue in lint(problem)], text)


def _loaded(source: str | Path, parameters: Mapping[str, object] | None, limits: Limits) -> Loaded:
    given = {name: str(value) for name, value in (parameters or {}).items()}
    path = Path(source)
    if isinstance(source, str) and path.suffix not in SUFFIXES:
        name, in_name = plugins.split_parameters(source)
        given = in_name | given
        path = Path(name)
        if path.suffix not in SUFFIXES and "/" not in name:
            return _from_catalogue(name, given, limits)
    if path.suffix not in SUFFIXES:
        message = f"a problem file ends in {', '.join(SUFFIXES)}"
        raise ProblemError(Issue(Code.FILE_UNREADABLE, message, None, Location(str(source))))
    return _read(path, given, limits)


def _read(path: Path, given: Mapping[str, str], limits: Limits) -> Loaded:
    ground = path.suffix == ".json"
    text = read_text(path, str(path), limits.ground_bytes if ground else limits.file_bytes)
    if ground:
        if given:
            raise RequestError(
                Issue(Code.BAD_PARAMETER, "a ground problem has no parameters", None, Location(str(path)))
            )
        return _ground(text, str(path), limits)
    return _authored(text, str(path), path.parent, given, limits)


def _from_catalogue(name: str, parameters: Mapping[str, str], limits: Limits) -> Loaded:
    """A problem by name. A file of another package that cannot be read is said to be that package's."""
    entry = find_entry(name, parameters)
    try:
        return _read(entry.path, entry.parameters, limits)
    except ProblemError as error:
        if parameters and _can_be_read(name, limits):
            raise _about_parameters(name, error) from None
        if entry.plugin.ours:
            raise
        raise plugins.broken(entry.plugin, f"{entry.path.name}: {error.issues[0].message}", error.issues) from None


def _about_parameters(name: str, error: ProblemError) -> ProblemError:
    """What is wrong with parameters of a problem that is right without them: its file is nothing for who gave them.

    Where a check says what they must be, all else follows from that.
    """
    checks = [issue for issue in error.issues if issue.code is Code.CHECK_FAILED]
    found = [
        replace(issue, location=Location(name, subject=issue.location.subject)) for issue in checks or error.issues
    ]
    return ProblemError(found, 0 if checks else error.more)


def examine_problems() -> tuple[Examined[Problem], ...]:
    """All that packages offer as problems; what is broken has the reason."""
    return plugins.examine(Group.PROBLEMS, lambda plugin: load(plugin.name))


def _can_be_read(name: str, limits: Limits) -> bool:
    """Whether a problem of the catalogue is valid without parameters, so that these are to blame."""
    try:
        _from_catalogue(name, {}, limits)
    except PclError:
        return False
    return True


def parse_authored(
    text: str,
    file: str = "<text>",
    folder: Path | None = None,
    parameters: Mapping[str, str] | None = None,
    limits: Limits = Limits(),  # noqa: B008
) -> Problem:
    """The ground problem of an authored text."""
    return _authored(text, file, folder, parameters or {}, limits).problem


def _authored(text: str, file: str, folder: Path | None, given: Mapping[str, str], limits: Limits) -> Loaded:
    with _nothing_collected():
        document = read_yaml(text, file)
        grounding = Grounding(document, authored_shape(document), folder, given, limits.nodes)
        return Loaded(grounding.run(), text, grounding.located)


@contextmanager
def _nothing_collected() -> Iterator[None]:
    """What is read lives on; to look for garbage among it over and over takes a quarter of the time of a large file."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def authored_shape(document: Document) -> ProblemFile:
    if not isinstance(document.data, dict):
        raise ProblemError(
            Issue(Code.WRONG_SHAPE, "a problem file is a mapping", "start with `pcl: 1`", Location(document.file, 1, 1))
        )
    try:
        return ProblemFile.model_validate(document.data)
    except ValidationError as error:
        found = out_of_place(issues_from_validation(error, FIELD_NAMES), SECTION_FIELDS)
        raise ProblemError(document.located(found)) from None


def parse_ground(text: str, file: str = "<text>", limits: Limits = Limits()) -> Problem:  # noqa: B008
    """The problem in a ground JSON text, with findings placed by line and column."""
    return _ground(text, file, limits).problem


def _ground(text: str, file: str, limits: Limits) -> Loaded:
    if text.count("{") > limits.nodes:
        message = f"the file has more than {limits.nodes:,} objects: nodes, variables, constraints and others"
        raise ProblemError(Issue(Code.TOO_MANY_NODES, message, "raise the limit", Location(file, 1, 1)))
    document = read_json(text, file)
    if not isinstance(document.data, dict):
        raise ProblemError(Issue(Code.WRONG_SHAPE, "a ground problem is a JSON object", None, Location(file, 1, 1)))
    _narrow(document.data)
    try:
        problem = Problem.create(**{"pcl": None, **document.data})  # without a version it is not of version 1
    except ProblemError as error:
        raise ProblemError(document.located(error.issues), error.more) from None
    return Loaded(problem, text, lambda issue: document.located([issue])[0])


def _narrow(data: dict[str, Any]) -> None:
    """Leave out most of the fields of an object that has hundreds: no such object is right, but for `initial`."""
    pending: list[Any] = [data]
    while pending:
        current = pending.pop()
        if isinstance(current, dict):
            unknown = (name for name in current if current is not data or name not in Problem.model_fields)
            for name in list(islice(unknown, MAX_FIELDS, None)):
                del current[name]
            pending += [value for name, value in current.items() if name != "initial" or current is not data]
        elif isinstance(current, list):
            pending += [value for value in current if isinstance(value, (dict, list))]
