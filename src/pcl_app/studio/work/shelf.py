"""Problems: each is read, and compiled when somebody works on it, once in a process for all who do."""

from collections import OrderedDict
from collections.abc import Callable
from functools import cached_property

from pcl_app.studio.storage import Kept, Records
from pcl_app.studio.work.calling import called
from pcl_core.authoring import catalogue, load
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.model import Problem
from pcl_core.solve import Options, Oracle

MOST_PROBLEMS = 24
SOLVE_SECONDS = 5.0
"""For one solve: what is best so far is then proposed, and said not to be proven."""


class Shelved:
    """A problem. Who only looks at it needs no oracle."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    @cached_property
    def oracle(self) -> Oracle:
        return Oracle.of(self.problem, "auto", Options(time_limit=SOLVE_SECONDS))


class Shelf:
    """The problems that were used last."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._shelved: OrderedDict[str, Shelved] = OrderedDict()

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The catalogue, which does not change while the server runs."""
        return tuple(catalogue())

    def of(self, kept: Kept) -> Oracle:
        """The oracle of an elicitation's problem."""
        found = self.named(kept.problem) if kept.uploaded is None else self.uploaded(kept.uploaded, kept.owner)
        return found.oracle

    def named(self, name: str) -> Shelved:
        """A problem of the catalogue. A name is never a path: those who write it are not those whose disk it is."""
        if name.partition(":")[0] not in self.names:
            message = f"there is no problem '{name[:80]}' in the catalogue"
            raise RequestError(Issue(Code.UNKNOWN_PROBLEM, message, suggest(name[:80], self.names)))
        return self._kept(f"name {name}", lambda: load(name))

    def uploaded(self, id: str, owner: str) -> Shelved:
        def read() -> Problem:
            text = self._records.ground(id, owner)
            if text is None:
                raise RequestError(Issue(Code.UNKNOWN_PROBLEM, "there is no such problem among those you uploaded"))
            return Problem.from_json(text)

        return self._kept(f"{id} of {owner}", read)

    def _kept(self, key: str, read: Callable[[], Problem]) -> Shelved:
        found = self._shelved.get(key)
        if found is None:
            found = self._shelved[key] = Shelved(called(read()))
        self._shelved.move_to_end(key)
        if len(self._shelved) > MOST_PROBLEMS:
            self._shelved.popitem(last=False)
        return found
