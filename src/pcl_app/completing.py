"""What a shell is offered when a word is half typed. Names are read from metadata; nothing is loaded or solved."""

from collections.abc import Callable, Iterable
from pathlib import Path

from pcl_core.authoring import SUFFIXES, catalogue
from pcl_core.learn import LEARNERS, SELECTIONS, ordering_names
from pcl_core.solve import backend_names
from pcl_core.users import USERS

MAX_FILES = 200


def complete_problem(incomplete: str) -> list[str]:
    """Names of the catalogue, and problem files."""
    return [*_beginning(incomplete, catalogue()), *_files(incomplete)]


def complete_backend(incomplete: str) -> list[str]:
    return _beginning(incomplete, backend_names())


def _from(names: Callable[[], Iterable[str]]) -> Callable[[str], list[str]]:
    """A completion from names that are looked up when they are asked for."""

    def complete(incomplete: str) -> list[str]:
        return _beginning(incomplete, names())

    return complete


complete_order = _from(ordering_names)
complete_selection = _from(SELECTIONS.names)
complete_learner = _from(LEARNERS.names)
complete_user = _from(USERS.names)


def _beginning(incomplete: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(incomplete)]


def _files(incomplete: str) -> list[str]:
    """Problem files in the folder that was typed so far. Where nothing is offered, a shell offers folders by itself."""
    start = incomplete.rpartition("/")[2]
    folder = incomplete[: len(incomplete) - len(start)]
    try:
        names = sorted(path.name for path in Path(folder or ".").iterdir() if path.suffix in SUFFIXES)
    except (OSError, ValueError):  # a folder that is not there has nothing to offer
        return []
    return [folder + name for name in _beginning(start, names) if start or not name.startswith(".")][:MAX_FILES]
