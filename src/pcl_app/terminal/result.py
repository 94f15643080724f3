"""How an elicitation ended, in words and as data."""

from operator import itemgetter

from pcl_app.terminal.values import show_value
from pcl_app.terminal.view import View
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_app.terminal.words import listed
from pcl_core.analysis import Certificate
from pcl_core.elicitation import Elicitation
from pcl_core.wording import in_a_row

MAX_LISTED = 6


def show_result(elicitation: Elicitation, names: Vocabulary, view: View) -> None:
    """The whole as it stands, and what is certain about it."""
    view.say(f"\nThe result after {elicitation.queries} {'query' if elicitation.queries == 1 else 'queries'}:", "bold")
    view.configuration(elicitation.configuration, elicitation.standing)
    certificate = elicitation.certificate
    sentences = [why_no_certificate(elicitation, names)] if certificate is None else in_words(certificate, names)
    for sentence in sentences:
        view.say(sentence)


def why_no_certificate(elicitation: Elicitation, names: Vocabulary) -> str:
    standing = elicitation.standing
    left = [names.part_labels[part] for part, stands in standing.items() if stands != "closed"]
    if not left:
        return f"There is no certificate: all of it is confirmed, but the stopping rule '{elicitation.settings.stop}' gives none."
    count = f"{len(standing) - len(left)} of {len(standing)} are confirmed"
    missing = listed(left, MAX_LISTED)
    if not elicitation.finished:
        return f"There is no certificate yet: {count}, and {missing} not."
    if elicitation.stopped:
        return f"There is no certificate, since you stopped: {count}, and {missing} not."
    return f"There is no certificate, since you had no opinion on what is left, {missing}: {count}."


def in_words(certificate: Certificate, names: Vocabulary) -> list[str]:
    """What a certificate means, how each part was confirmed, and beside what it holds."""
    sentences = []
    if certificate.by_lemma:
        count = len(certificate.parts)
        sentences.append(
            f"This is certified: whichever one of the {count} were changed alone, it would be no better for you."
            if count > 1
            else "This is certified: nothing in it could be better for you."
        )
        looked = [part for part, how in certificate.how.items() if how == "look"]
        by_query: dict[int, list[str]] = {}
        for part, query in sorted(certificate.confirmed.items(), key=itemgetter(1)):
            if part not in looked:
                by_query.setdefault(query, []).append(names.part_labels[part])
        said = [f"{in_a_row(labels, len(labels))} (query {query})" for query, labels in by_query.items()]
        ways = [f"You said so of {', of '.join(said)}"] if said else []
        if looked:
            query = certificate.confirmed[looked[0]]
            labels = in_a_row([names.part_labels[part] for part in looked], len(looked))
            ways.append(f"{'You said so of ' if not said else ''}{labels} in the last look (query {query})")
        sentences.append(", and of ".join(ways) + ".")
    if certificate.rule == "two-pass":
        passed = ", ".join(f"{names.part_labels[part]} at query {query}" for part, query in certificate.passes)
        sentences.append(f"In two passes over all of it nothing could be improved: {passed}.")
        if not certificate.by_lemma:
            since = f"query {certificate.unchanged_since}" if certificate.unchanged_since else "the start"
            sentences.append(
                f"It last changed at {since}, so this is certain only where no constraint ties parts together."
            )
    if certificate.rules:
        sentences.append(f"This holds under your rules: {'; '.join(rule.words for rule in certificate.rules)}.")
    if certificate.pins:
        pins = ", ".join(f"{names.label(name)} = {show_value(value)}" for name, value in certificate.pins.items())
        sentences.append(f"This holds beside what you pinned: {pins}.")
    return sentences


def result_document(elicitation: Elicitation, log: str) -> dict[str, object]:
    """The end of an elicitation for programs."""
    features = elicitation.problem.features
    certificate = elicitation.certificate
    return {
        "configuration": elicitation.configuration,
        "certificate": None if certificate is None else certificate.data(),
        "queries": elicitation.queries,
        "weights": {
            feature.name: int(weight) if weight.is_integer() else weight
            for feature, weight in zip(features, elicitation.weights.tolist(), strict=True)
        },
        "log": log,
        "finished": elicitation.finished,
        "confirmed": elicitation.confirmed,
        "pins": elicitation.pins,
    }
