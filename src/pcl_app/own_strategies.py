"""Strategies in files of one's own, `file.py:Name`: read where somebody says so on a command line or in an experiment file."""

from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from pcl_app.inputs import MAX_INPUT_BYTES
from pcl_core.documents import read_text
from pcl_core.elicitation import Settings, Strategies
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.learn import LEARNERS, SELECTIONS, Belief, Prior, order_parts
from pcl_core.model import Problem
from pcl_core.plugins import Group, OwnFile, Plugin, broken, guarded, is_own_file

Named: TypeAlias = str | OwnFile | None


def read_own_file(said: str, folder: Path = Path()) -> str | OwnFile:
    """A strategy as it is said; where that is something in a file, with what the file says. `folder` is where it is looked for."""
    if not is_own_file(said):
        return said
    found = OwnFile.of(said, lambda file: read_text(folder / file, str(folder / file), MAX_INPUT_BYTES))
    return replace(found, file=str(folder / found.file))


def strategies_in_files(learner: Named, select: Named, order: Named) -> Strategies:
    """The strategies that are in files, as objects for an elicitation; others are named in its settings."""

    def ordered(problem: Problem, generator: np.random.Generator) -> tuple[int, ...]:
        assert isinstance(order, OwnFile)
        return order_parts(problem, order, generator)

    return Strategies(
        LEARNERS.make(learner) if isinstance(learner, OwnFile) else None,
        SELECTIONS.make(select) if isinstance(select, OwnFile) else None,
        ordered if isinstance(order, OwnFile) else None,
    )


def check_learner(said: str | OwnFile, problem: Problem) -> None:
    """Refuse a learner that there is not; one in a file must give what learners give, before anybody is asked anything."""
    kind = LEARNERS.make(said)
    if not isinstance(said, OwnFile):
        return
    plugin = Plugin.in_file(Group.LEARNERS, said)
    parts = tuple(np.array(own, dtype=np.intp) for own in problem.structure.feature_subsets)
    nothing = np.zeros(len(problem.features))
    found = guarded(plugin, lambda: kind.start(Prior(nothing, parts, parts)))
    belief: object = guarded(plugin, lambda: getattr(found, "belief", None))
    if not isinstance(belief, Belief) or np.shape(belief.weights) != nothing.shape or not hasattr(found, "after"):
        reason = f"'start' must give something with 'after' and a 'belief', a Belief with {len(nothing)} weights here"
        raise broken(plugin, reason)


def check_resumed(settings: Settings, given: dict[str, OwnFile]) -> None:
    """Whether a log was told to the strategies in files that are given for it again, by the hash of each file."""
    for name, own in given.items():
        if getattr(settings, name) != str(own):
            message = f"--{name} is '{own}', and the log has '{getattr(settings, name)}'"
            raise RequestError(Issue(Code.BAD_VALUE, message, "a log goes on with what it began with, unchanged"))
