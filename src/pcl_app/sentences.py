"""What became of an answer, and how certain the whole is, in sentences: for the terminal, and for pages."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from pcl_core.analysis import Certificate
from pcl_core.elicitation import Answer, Elicitation, Learned, Query
from pcl_core.ir import Value
from pcl_core.learn import Standing
from pcl_core.model import Labels
from pcl_core.wording import in_a_row

MAX_LISTED = 6


class CalledHere(NamedTuple):
    """What is called otherwise on a page than in the terminal, where it is the name of a command."""

    question: str = "query"
    kept: str = "pinned"


IN_THE_TERMINAL, ON_A_PAGE = CalledHere(), CalledHere("question", "keep as it is")


def show_value(value: Value) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def count_confirmed(standing: Mapping[str, Standing]) -> str:
    """`2 of 7 confirmed, 4 to look at again`"""
    stands = list(standing.values())
    again = f", {stands.count('open')} to look at again" if "open" in stands else ""
    return f"{stands.count('closed')} of {len(stands)} confirmed{again}"


def certainty_in_words(elicitation: Elicitation, words: CalledHere = IN_THE_TERMINAL) -> list[str]:
    """What the certificate means, or why there is none; and what her answers showed that no features express.

    A contradiction was said when she made it, and may be a mistake or the good sense to think again: at the end it would puzzle.
    """
    certificate, misfit = elicitation.certificate, elicitation.misfit
    labels = Labels(elicitation.problem)
    said = [why_no_certificate(elicitation)]
    if certificate is not None:
        said = certificate_in_words(certificate, labels, words)
    return said if misfit is None or not misfit.certain else [*said, f"One thing that I noticed: {misfit.words}."]


def answer_in_words(
    elicitation: Elicitation,
    query: Query,
    answer: Answer,
    learned: Learned | None,
    before: Mapping[str, Standing],
) -> list[str]:
    """Sentences about an answer; `before` is how the parts stood before its question was asked."""
    if learned is None:
        left = f"no opinion on {query.label}: {_left(elicitation, query)}"
        return [left, *open_again(elicitation, query.parts, before)]
    said = [_answered(elicitation, query, answer, learned)]
    misfit = elicitation.misfit
    # Facts are about parts: a part that was never confirmed has no earlier answer that this one could contradict.
    contradicted = learned.contradicted and any(before[part] != "new" for part in query.parts)
    if misfit is not None and (learned.inexplicable or contradicted):
        said.append(misfit.words)
    elif not learned.satisfied and (learned.proposed == learned.improved).all():
        said.append("nothing I know of tells the two apart: something that you care about is not in my list")
    if contradicted:
        where = query.label if len(query.parts) == 1 else "some of it"
        said.append(f"what you had said of {where} before, which this goes against, no longer counts")
    return said + open_again(elicitation, query.parts, before)


def _left(elicitation: Elicitation, query: Query) -> str:
    """What becomes of something that she has no opinion on."""
    if query.pair:
        return "left aside"
    if elicitation.finished and elicitation.certificate is None:
        return "it stays as it is, and without a word on it nothing is certified"
    if query.remembered:
        return "it stays as it is, and comes one by one"
    if len(query.parts) > 1:
        return "it stays as it is, and comes with all that you had confirmed: what is wrong may be there"
    is_open = any(elicitation.standing[part] != "closed" for part in query.parts)
    again = "it comes again once you have said something of another"
    return again if is_open and not elicitation.finished else "it stays as it is"


def _answered(elicitation: Elicitation, query: Query, answer: Answer, learned: Learned) -> str:
    several = len(query.parts) > 1
    label, count, standing = "everything" if several else query.label, confirmed(elicitation), elicitation.standing
    settled = all(standing[part] == "closed" for part in query.parts)
    if query.pair:
        return f"{query.label}: {'right as it is' if learned.satisfied else 'better so'}, {count}"
    if several and learned.satisfied:
        return f"all of it is right: {count}"
    if learned.satisfied:
        return f"{label} is right as it is: {count}"
    if settled and not several:
        return f"{label} is as you want it: {count}"
    if answer.completed and answer.final:
        return f"your values in {label} stay; the rest was filled in, so it is shown once more"
    if learned.final and learned.moved:
        return f"your values in {label} stay; room was made for them elsewhere, so it is shown once more"
    if several:
        left = "" if elicitation.finished else "; what is beside it comes once more"
        return f"it is {'changed as you want it' if learned.final else 'better so'}{left}: {count}"
    return f"{label} is better so, and comes again: {count}"


def open_again(elicitation: Elicitation, said: Collection[str], before: Mapping[str, Standing]) -> list[str]:
    """What was confirmed and is not any more."""
    after = elicitation.standing
    lost = [
        part for part, stood in before.items() if stood == "closed" and after[part] != "closed" and part not in said
    ]
    if not lost:
        return []
    called = Labels(elicitation.problem).parts
    labels = in_a_row([called[part] for part in lost])
    return [f"to be looked at again, since this changes what is around: {labels}"]


def confirmed(elicitation: Elicitation) -> str:
    return count_confirmed(elicitation.standing)


def why_no_certificate(elicitation: Elicitation) -> str:
    labels = Labels(elicitation.problem).parts
    standing = elicitation.standing
    left = [labels[part] for part, stands in standing.items() if stands != "closed"]
    together = _left_aside_together(elicitation, labels) if elicitation.finished and not elicitation.stopped else ""
    if together and not left:
        return f"There is no certificate, since you had no opinion when {together} shown together."
    if not left:
        return f"There is no certificate: all of it is confirmed, but the stopping rule '{elicitation.settings.stop}' gives none."
    count = f"{len(standing) - len(left)} of {len(standing)} are confirmed"
    if together:
        return f"There is no certificate, since you had no opinion when {together} shown together: {count}."
    missing = in_a_row(left, MAX_LISTED)
    counted = f"{count}; {missing} {'are' if len(left) > 1 else 'is'} not."
    if not elicitation.finished:
        return f"There is no certificate yet: {counted}"
    if elicitation.stopped:
        return f"There is no certificate, since you stopped: {counted}"
    return f"There is no certificate, since you had no opinion on {missing}: {count}."


def _left_aside_together(elicitation: Elicitation, labels: Mapping[str, str]) -> str:
    """What was shown together when she had no opinion last. She may have spoken of any of it before."""
    said = [told for told in elicitation.history if told.kind not in ("pinned", "unpinned")]
    if not said or said[-1].kind != "skipped" or len(said[-1].parts) == 1:
        return ""
    shown = [labels[part] for part in said[-1].parts]
    return "all of it was" if len(shown) == len(labels) else f"{in_a_row(shown, MAX_LISTED)} were"


def certificate_in_words(certificate: Certificate, names: Labels, words: CalledHere = IN_THE_TERMINAL) -> list[str]:
    """What a certificate means, how each part was confirmed, and beside what it holds."""
    sentences, asked = [], words.question
    if certificate.by_lemma:
        count = len(certificate.parts)
        sentences.append(
            f"This is certified: whichever one of the {count} were changed alone, it would be no better for you."
            if count > 1
            else "This is certified: nothing in it could be better for you."
        )
        looked = [part for part, how in certificate.how.items() if how == "look"]
        by_query: dict[int, list[str]] = {}
        for part in certificate.parts:
            if part not in looked:
                by_query.setdefault(certificate.confirmed[part], []).append(names.parts[part])
        said = [f"{in_a_row(labels, len(labels))} ({asked} {query})" for query, labels in sorted(by_query.items())]
        ways = [f"You said so of {', of '.join(said)}"] if said else []
        if looked:
            query = certificate.confirmed[looked[0]]
            labels = in_a_row([names.parts[part] for part in looked], len(looked))
            ways.append(f"{'You said so of ' if not said else ''}{labels} in the last look ({asked} {query})")
        sentences.append(", and of ".join(ways) + ".")
    if certificate.pairs:
        both = [f"{in_a_row([names.parts[a], names.parts[b]])} ({asked} {at})" for a, b, at in certificate.pairs]
        sentences.append(f"Nor would these be better if both of them changed: {'; '.join(both)}.")
    if certificate.rule == "two-pass":
        passed = ", ".join(f"{names.parts[part]} at {asked} {query}" for part, query in certificate.passes)
        sentences.append(f"In two passes over all of it nothing could be improved: {passed}.")
        if not certificate.by_lemma:
            since = f"{asked} {certificate.unchanged_since}" if certificate.unchanged_since else "the start"
            sentences.append(
                f"It last changed at {since}, so this is certain only where no constraint ties parts together."
            )
    if certificate.rules:
        sentences.append(f"This holds under your rules: {'; '.join(rule.words for rule in certificate.rules)}.")
    if certificate.pins:
        pins = ", ".join(f"{names.of(name)} = {show_value(value)}" for name, value in certificate.pins.items())
        sentences.append(f"This holds beside what you {words.kept}: {pins}.")
    return sentences
