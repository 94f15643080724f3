"""Problems, compiled: each once in a process, for all who work on it."""

from collections import OrderedDict

from pcl_app.studio.storage import Kept, Records
from pcl_app.studio.work.calling import called
from pcl_core.authoring import catalogue, load
from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.model import Problem
from pcl_core.solve import Options, Oracle

MOST_PROBLEMS = 24
SOLVE_SECONDS = 5.0
"""For one solve: what is best so far is then proposed, and said not to be proven."""


class Shelf:
    """The problems that were used last."""

    def __init__(self, records: Records) -> None:
        self._records = records
        self._oracles: OrderedDict[str, Oracle] = OrderedDict()

    def of(self, kept: Kept) -> Oracle:
        """The oracle of an elicitation's problem."""
        return self.named(kept.problem) if kept.uploaded is None else self.uploaded(kept.uploaded, kept.owner)

    def named(self, name: str) -> Oracle:
        """A problem of the catalogue. A name is never a path: those who write it are not those whose disk it is."""
        known = catalogue()
        if name.partition(":")[0] not in known:
            message = f"there is no problem '{name[:80]}' in the catalogue"
            raise RequestError(Issue(Code.UNKNOWN_PROBLEM, message, suggest(name[:80], known)))
        return self._kept(f"name {name}") or self._keep(f"name {name}", called(load(name)))

    def uploaded(self, id: str, owner: str) -> Oracle:
        found = self._kept(f"{id} of {owner}")
        if found is None:
            text = self._records.ground(id, owner)
            if text is None:
                raise RequestError(Issue(Code.UNKNOWN_PROBLEM, "there is no such problem among those you uploaded"))
            found = self._keep(f"{id} of {owner}", called(Problem.from_json(text)))
        return found

    def _kept(self, key: str) -> Oracle | None:
        if key in self._oracles:
            self._oracles.move_to_end(key)
        return self._oracles.get(key)

    def _keep(self, key: str, problem: Problem) -> Oracle:
        oracle = self._oracles[key] = Oracle.of(problem, "auto", Options(time_limit=SOLVE_SECONDS))
        if len(self._oracles) > MOST_PROBLEMS:
            self._oracles.popitem(last=False)
        return oracle
