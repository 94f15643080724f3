"""The catalogue: problems by name, ours and those of other packages.

A plug-in point: entry-point group `pcl.problems`, each a package with a `problem.yaml`, or `package:variant`.
"""

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pcl_core import plugins
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.plugins import Group, Plugin


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
