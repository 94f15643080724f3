"""Whatever a program gives, and whatever a log says: what cannot be meant is refused in a sentence, and changes nothing."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from tests.core.elicitation.logs import refused

from pcl_core import Code, Elicitation, Oracle, Problem, ProblemBuilder, Taste, choose, verify
from pcl_core.elicitation.guessing import PICTURES


def colours() -> Problem:
    builder = ProblemBuilder("colours")
    colour = builder.categorical("v", ["r", "g"], ["x", "y"])
    for part in "xy":
        builder.feature(f"f[{part}]", choose(colour[part] == "r", 1, 0))
        builder.part(part, [colour[part]])
    return builder.problem()


def numbers() -> Problem:
    builder = ProblemBuilder("numbers")
    for name in "ac":
        variable = builder.integer(name, 0, 5)
        builder.feature(f"f{name}", variable)
        builder.part(name, [variable])
    return builder.problem()


PROBLEM = colours()


def certified() -> Elicitation:
    elicitation = Elicitation(PROBLEM)
    while (query := elicitation.ask()) is not None:
        elicitation.tell(query.accept())
    return elicitation


# What is called is given as Any: these are the mistakes that a type checker would have found.
MISTAKES: dict[str, Callable[[Any], object]] = {
    "a rule by a text": lambda e: e.remove_rule("0"),
    "a rule by nothing": lambda e: e.remove_rule(None),
    "questions by a text": lambda e: e.look_further("3"),
    "parts by a number": lambda e: e.confirm(1),
    "parts by numbers": lambda e: e.confirm([1]),
    "unpinning a list": lambda e: e.unpin(["v[x]"]),
    "pinning a list": lambda e: e.pin(["v[x]"], "r"),
    "a list as a variable": lambda e: e.possible(["v[x]"]),
    "a text as a draft around a variable": lambda e: e.possible("v[x]", "r"),
    "a rule about nothing": lambda e: e.never(None, "r"),
    "a rule about lists": lambda e: e.never([["v[x]"]], "r"),
    "a rule that counts too far": lambda e: e.at_most("v[*]", "r", 10**30),
    "everywhere in a number": lambda e: e.everywhere({"v[x]": "r"}, 1),
    "like a text": lambda e: e.like("v[x]"),
    "completing a text": lambda e: e.complete("v[x]"),
    "a preview of nothing": lambda e: e.preview(None),
    "a preview of lists": lambda e: e.preview([["v[x]"]]),
    "completed by nothing": lambda e: e.waiting.improve({}, completed=None),
}
CALLS: dict[str, Callable[[Any], object]] = {
    "a log that is none": lambda make: make.resume(None, PROBLEM),
    "a new log that is none": lambda make: make(PROBLEM, log=3),
    "the name of a problem": lambda make: make("training"),
    "resuming with the name of a problem": lambda make: make.resume("no.jsonl", "training"),
    "a taste that is none": lambda make: make(PROBLEM, taste={}),
    "a start by a number": lambda make: make(PROBLEM, start=3),
    "a backend by a number": lambda make: make(PROBLEM, backend=3),
    "a taste of nothing": lambda make: make(PROBLEM, taste=Taste("colours", cast(Any, None))),
    "options by a number": lambda make: make(PROBLEM, options=3),
    "settings by a number": lambda make: make(PROBLEM, settings=3),
    "strategies by a number": lambda make: make(PROBLEM, strategies=3),
    "an oracle that is none": lambda make: make(PROBLEM, oracle=3),
}


@pytest.mark.parametrize("mistake", MISTAKES.values(), ids=MISTAKES.keys())
def test_what_cannot_be_meant_is_refused_in_a_sentence_and_changes_nothing(mistake: Callable[[Any], object]) -> None:
    elicitation = Elicitation(PROBLEM)
    elicitation.ask()
    before = elicitation.events, elicitation.configuration
    error = refused(lambda: mistake(elicitation))
    assert len(error.message.split()) > 3
    assert (elicitation.events, elicitation.configuration) == before


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS.keys())
def test_an_elicitation_is_not_made_of_what_is_of_another_type(call: Callable[[Any], object]) -> None:
    assert " is not " in refused(lambda: call(Elicitation)).message


@pytest.mark.parametrize("most", [1.0, "3", None, True, np.float64(2)])
def test_after_a_certificate_one_looks_further_by_a_whole_number(most: Any) -> None:
    elicitation = certified()
    assert "is not a number of questions" in refused(lambda: elicitation.look_further(most)).message
    assert elicitation.certificate is not None


def test_a_whole_number_of_numpy_is_one() -> None:
    elicitation = certified()
    said = elicitation.never("v[x]", "g").rule
    assert elicitation.remove_rule(np.int64(0)) == said  # type: ignore[arg-type]
    assert elicitation.rules == ()


@pytest.mark.parametrize("weights", ["x", [1.0], [[1.0, 2.0]], None])
def test_a_certificate_is_verified_by_a_weight_for_each_feature(weights: Any) -> None:
    certificate = certified().certificate
    assert certificate is not None
    assert refused(lambda: verify(certificate, Oracle.of(PROBLEM), weights)).code is Code.BAD_VALUE


def test_lines_with_variables_that_cannot_be_there_make_a_log_a_broken_one(tmp_path: Path) -> None:
    log = tmp_path / "colours.jsonl"
    elicitation = Elicitation(PROBLEM, log=log)
    query = elicitation.ask()
    assert query is not None
    elicitation.tell(query.accept())
    elicitation.everywhere({"v[x]": "g"})
    elicitation.close()
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    asked, repeated = (next(i for i, it in enumerate(lines) if it["event"] == kind) for kind in ("asked", "repeated"))
    own = next(iter(query.proposal))
    other = {"v[x]": "v[y]", "v[y]": "v[x]"}[own]
    edits: list[tuple[int, dict[str, object]]] = [
        (asked, {"guesses": {"belief": {"nope": "r"}}}),
        (asked, {"guesses": {"belief": {own: "r", other: "r"}}}),
        (asked, {"guesses": {"start": {other: "r"}}}),
        (asked + 1, {"foretold": {"stars": -1.0}}),
        (asked + 1, {"foretold": {"habits": -1.0}}),
        (asked + 1, {"foretold": dict.fromkeys(PICTURES, 1.0)}),
        (asked + 1, {"foretold": dict.fromkeys(PICTURES, -1e308)}),
        (asked + 1, {"foretold": {"habits": "likely"}}),
        (repeated, {"values": {"nope": "r"}}),
        (repeated, {"values": {"v[x]": "nope"}}),
    ]
    for at, fields in edits:
        changed = [{**line, **fields} if i == at else line for i, line in enumerate(lines)]
        log.write_text("".join(json.dumps(line) + "\n" for line in changed))
        error = refused(lambda: Elicitation.resume(log, PROBLEM))
        assert (error.code, error.issues[0].location.line) == (Code.LOG_BROKEN, at + 1)


@pytest.mark.parametrize("size", [1e-290, 1e-300, 1e-305, 5e-324])
def test_weights_that_are_hardly_there_are_weights(size: float) -> None:
    problem = numbers()
    for elicitation in (
        Elicitation(problem, weights=[size] * 2),
        Elicitation(problem, taste=Taste("numbers", {"fa": size, "fc": size})),
    ):
        query = elicitation.ask()
        assert query is not None
        assert np.isfinite(elicitation.weights).all()
        elicitation.tell(query.improve(dict.fromkeys(query.proposal, 5)))
        assert np.isfinite(elicitation.weights).all()
