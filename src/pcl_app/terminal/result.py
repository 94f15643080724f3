"""How an elicitation ended, in words and as data."""

from pcl_app.terminal.values import show_value
from pcl_app.terminal.view import View
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_app.terminal.words import counted
from pcl_core.analysis import Certificate
from pcl_core.elicitation import Elicitation


def show_result(elicitation: Elicitation, names: Vocabulary, view: View) -> None:
    """The configuration by part, and what is certain about it."""
    view.say(f"\nThe result after {counted(elicitation.queries, 'query')}:".replace("querys", "queries"), "bold")
    view.configuration(elicitation.configuration, elicitation.confirmed)
    certificate = elicitation.certificate
    if certificate is None:
        parts = counted(len(elicitation.problem.parts), "part")
        if len(elicitation.confirmed) == len(elicitation.problem.parts):
            rule = elicitation.settings.stop
            view.say(f"There is no certificate: all {parts} are confirmed, but the stopping rule '{rule}' gives none.")
        else:
            view.say(f"There is no certificate: {len(elicitation.confirmed)} of {parts} are confirmed.")
        return
    for sentence in certificate_in_words(certificate, names):
        view.say(sentence)


def certificate_in_words(certificate: Certificate, names: Vocabulary) -> list[str]:
    since = f"query {certificate.unchanged_since}" if certificate.unchanged_since else "the start"
    when = ", ".join(f"{names.part_labels[part]} at query {query}" for part, query in certificate.confirmed.items())
    sentences = []
    if certificate.by_lemma:
        sentences.append(f"No single part can be improved. Unchanged since {since}, you confirmed {when}.")
    if certificate.rule == "two-pass":
        passed = ", ".join(f"{names.part_labels[part]} at query {query}" for part, query in certificate.passes)
        sentences.append(f"In two passes over all parts nothing could be improved: {passed}.")
        if not certificate.by_lemma:
            sentences.append(
                f"It last changed at {since}, so this is certain only where no constraint ties parts together."
            )
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
