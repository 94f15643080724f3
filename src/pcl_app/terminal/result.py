"""How an elicitation ended, in words and as data."""

from pcl_app.sentences import certainty_in_words
from pcl_app.terminal.view import View
from pcl_core.elicitation import Elicitation


def show_result(elicitation: Elicitation, view: View) -> None:
    """The whole as it stands, and what is certain about it."""
    view.say(f"\nThe result after {elicitation.queries} {'query' if elicitation.queries == 1 else 'queries'}:", "bold")
    view.configuration(elicitation.configuration, elicitation.standing)
    for sentence in certainty_in_words(elicitation):
        view.say(sentence)


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
