"""What became of an answer, in words: what is confirmed, what is open again, and what had to move."""

from collections.abc import Collection, Mapping

from pcl_app.terminal.board import count_confirmed
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_core.elicitation import Answer, Elicitation, Learned, Query
from pcl_core.learn import Standing
from pcl_core.wording import in_a_row


def in_words(
    elicitation: Elicitation,
    names: Vocabulary,
    query: Query,
    answer: Answer,
    learned: Learned | None,
    before: Mapping[str, Standing],
) -> list[str]:
    """Sentences about an answer; `before` is how the parts stood before its question was asked."""
    if learned is None:
        return [f"no opinion on {query.label}: it comes again later"]
    said = [_answered(elicitation, query, answer, learned)]
    misfit = elicitation.misfit
    # Facts are about parts: a part that was never confirmed has no earlier answer that this one could contradict.
    contradicted = learned.contradicted and any(before[part] != "new" for part in query.parts)
    if misfit is not None and (learned.inexplicable or contradicted):
        said.append(misfit.words)
    elif not learned.satisfied and (learned.proposed == learned.improved).all():
        said.append("nothing I know of tells the two apart: something that you care about is not in my list")
    if contradicted:
        said.append("an earlier answer of yours, which this goes against, no longer counts")
    return said + open_again(elicitation, names, query.parts, before)


def _answered(elicitation: Elicitation, query: Query, answer: Answer, learned: Learned) -> str:
    label, count, standing = query.label, confirmed(elicitation), elicitation.standing
    settled = all(standing[part] == "closed" for part in query.parts)
    if settled and len(query.parts) > 1:
        return f"all of it is right: {count}"
    if learned.satisfied:
        return f"{label} is right as it is: {count}"
    if settled:
        return f"{label} is as you want it: {count}"
    if answer.completed and answer.final:
        return f"your values in {label} stay; the rest was filled in, so it is shown once more"
    return f"{label} is better so, and comes again: {count}"


def open_again(
    elicitation: Elicitation, names: Vocabulary, said: Collection[str], before: Mapping[str, Standing]
) -> list[str]:
    """What was confirmed and is not any more."""
    after = elicitation.standing
    lost = [
        part for part, stood in before.items() if stood == "closed" and after[part] != "closed" and part not in said
    ]
    if not lost:
        return []
    labels = in_a_row([names.part_labels[part] for part in lost])
    return [f"to be looked at again, since this changes what is around: {labels}"]


def confirmed(elicitation: Elicitation) -> str:
    return count_confirmed(elicitation.standing)
