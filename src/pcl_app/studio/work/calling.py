"""What people read has capitals where names do: a part that has no label of its own is called by its name, `Mon`.

Labels are no part of what a problem means, so a log fits the problem whatever it is called.
"""

import re
from typing import TypeVar

from pcl_core.ir import AnyVariable
from pcl_core.model import Constraint, Feature, Problem, split_name

Labelled = TypeVar("Labelled", AnyVariable, Feature, Constraint)


def called(problem: Problem) -> Problem:
    """The same problem; where the label of something names parts of which its own name has one, with a capital."""
    plain = {part.name for part in problem.parts if not part.label and part.name.isidentifier() and part.name.islower()}
    if not plain:
        return problem
    word = re.compile(rf"\b({'|'.join(sorted(plain))})\b")

    def relabelled(it: Labelled) -> Labelled:
        label = it.label
        if not label or plain.isdisjoint(split_name(it.name)[1]):
            return it
        return it.model_copy(update={"label": word.sub(lambda found: found[1].capitalize(), label)})

    return problem.replace(
        parts=tuple(
            part.model_copy(update={"label": part.name.capitalize()}) if part.name in plain else part
            for part in problem.parts
        ),
        variables=tuple(map(relabelled, problem.variables)),
        features=tuple(map(relabelled, problem.features)),
        constraints=tuple(map(relabelled, problem.constraints)),
    )
