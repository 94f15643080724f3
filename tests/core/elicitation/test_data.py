"""The JSON forms: what programs read is JSON, is described by the schema, and comes back where it is read."""

import json
import pickle
from copy import deepcopy
from decimal import Decimal
from typing import Any

import jsonschema
import pytest
from tests.core.elicitation.test_query import asked, refused, trip, weights

from pcl_core import (
    Answer,
    Certificate,
    Elicitation,
    InfeasibleError,
    Oracle,
    PclError,
    ProblemError,
    RequestError,
    data_schema,
    load,
    parse_authored,
    verify,
)
from pcl_core.elicitation.surroundings import Figure
from pcl_core.json_form import plain

SCHEMA = data_schema()
WEEK = Oracle.of(load("training"))


def valid(name: str, data: dict[str, Any]) -> dict[str, Any]:
    """The data as JSON brings it to another program, once it fits the schema."""
    found: dict[str, Any] = json.loads(json.dumps(data))
    assert found == data, "nothing but plain JSON"
    jsonschema.Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{name}"}).validate(found)
    assert list(found) == list(SCHEMA["$defs"][name]["properties"])
    return found


@pytest.mark.parametrize("name", ["grid", "training", "hotel", "meals", "pc"])
def test_queries_of_all_problems_fit_the_schema(name: str) -> None:
    problem = load(name)
    query = Elicitation(problem, weights=[0.5 + i % 3 for i in range(len(problem.features))]).ask()
    assert query is not None
    data = valid("Query", query.data())
    assert (data["number"], data["part"], data["parts"]) == (1, query.part, [query.part])
    assert data["proposal"] == query.proposal
    assert data["suggestion"] == {}
    assert [reason["text"] for reason in data["why"]] == [reason.text for reason in query.why]
    assert [figure["label"] for figure in data["summary"]] == [figure.label for figure in query.summary]
    assert all(query.proposal[variable] in values for variable, values in data["possible"].items())


def test_a_query_says_everything_in_one_form() -> None:
    live = trip(weights=weights(sea_one=2.0))
    asked(live, "one")
    data = valid("Query", live.pin("nights[one]", 2).data())
    assert data["changes"] == [
        {"variable": "place[one]", "label": "where on day one", "before": "town", "after": "sea"},
        {"variable": "nights[one]", "label": "nights[one]", "before": 1, "after": 2},
    ]
    assert data["pins"] == {"nights[one]": 2}
    assert data["possible"]["nights[one]"] == [2]
    assert data["context"] == {"place[two]": "town"}
    assert data["summary"] == [{"label": "total cost", "value": 8, "limit": 14}]
    assert data["first_proposal"] == {"place[one]": "sea", "nights[one]": 0, "guide[one]": False}


def test_what_was_read_from_data_may_be_edited_and_the_query_stays() -> None:
    query = asked(trip(), "one")
    query.data()["proposal"]["nights[one]"] = 3
    assert query.proposal["nights[one]"] == 1
    assert pickle.loads(pickle.dumps(query.proposal)) == deepcopy(query.proposal) == query.proposal


def test_answers_make_the_round_trip() -> None:
    live = trip()
    query = asked(live, "one")
    for answer in (query.improve({"nights[one]": 2}), query.accept(), query.skip()):
        assert Answer.from_data(valid("Answer", answer.data())) == answer
    learned = live.tell(Answer.from_data({"query": 1, "kind": "improved", "values": {"nights[one]": 2}}))
    assert learned is not None
    data = valid("Learned", learned.data())
    assert (data["satisfied"], data["changed"], data["improvement"]["nights[one]"]) == (False, 1, 2)


def test_an_answer_from_data_belongs_to_the_proposal_that_was_shown() -> None:
    live = trip()
    posted = asked(live, "one").accept().data()
    live.pin("nights[one]", 2)
    assert "another proposal" in str(refused(live, lambda: live.tell(Answer.from_data(posted))))


def nested(depth: int) -> list[Any]:
    found: list[Any] = []
    for _ in range(depth):
        found = [found]
    return found


@pytest.mark.parametrize(
    ("posted", "said"),
    [
        ({"kind": "accepted"}, "the field 'query' is missing"),
        ({"query": "1", "kind": "accepted"}, "query: input should be a valid integer"),
        ({"query": 1, "kind": "acepted"}, "did you mean 'accepted'"),
        ({"query": 1, "kind": "accepted", "valeus": {}}, "there is no field 'valeus' here"),
        ({"query": 1, "kind": "improved", "values": [1]}, "values: input should be"),
        ({"query": 1, "kind": "accepted", "shown": {"a": None}}, "shown"),
        ({"query": 1, "kind": "improved", "values": {"a": {1, 2}}}, "this is not JSON"),
        ({"query": 1, "kind": "improved", "values": {"a": nested(5000)}}, "JSON"),
        ([], "input should be"),
    ],
)
def test_an_answer_that_is_none_is_refused_in_words(posted: Any, said: str) -> None:
    with pytest.raises(RequestError) as caught:
        Answer.from_data(posted)
    assert said in str(caught.value)


def test_certificates_make_the_round_trip_and_can_be_verified() -> None:
    live = trip()
    asked(live, "one")
    live.pin("nights[one]", 1)
    while (query := live.ask()) is not None:
        live.tell(query.accept())
    made = live.certificate
    assert made is not None
    data = valid("Certificate", made.data())
    kept = Certificate.from_data(data)
    assert kept == made
    assert verify(kept, live.oracle, live.weights).holds
    with pytest.raises(RequestError, match="by_lemma is False"):
        Certificate.from_data({**data, "by_lemma": False})
    with pytest.raises(RequestError, match="there is no 'sometimes'"):
        Certificate.from_data({**data, "rule": "sometimes"})


def test_previews_and_solutions_fit_the_schema() -> None:
    live = trip()
    asked(live, "one")
    data = valid("Preview", live.preview({"place[one]": "hills"}).data())
    assert data["broken"] == [{"name": "hills[one]", "label": "nobody walks alone"}]
    assert (data["completable"], data["completion"]["guide[one]"]) == (True, True)
    assert valid("Preview", live.preview({"place[one]": "hills", "guide[one]": False}).data())["completion"] is None
    data = valid("Solution", live.oracle.solve([1.0] * len(live.problem.features)).data())
    assert (data["status"], data["reason"]) == ("optimal", "proved")


def test_findings_fit_the_schema_and_name_the_conflict() -> None:
    live = trip()
    asked(live, "one")
    with pytest.raises(InfeasibleError) as refused_values:
        live.complete({"place[one]": "hills", "guide[one]": False})
    data = valid("PclError", refused_values.value.data())
    assert (data["code"], data["conflict"]) == ("infeasible", ["hills[one]"])
    with pytest.raises(ProblemError) as refused_file:
        parse_authored("pcl: 1\nname: x\nvariables: {n: {domain: 0..1}}\nfeatures: [{name: f, value: m}]\nparts: 7\n")
    data = valid("PclError", refused_file.value.data())
    assert data["conflict"] == []
    assert data["message"] == data["issues"][0]["message"]
    assert data["issues"][0]["line"] is not None
    assert isinstance(refused_file.value, PclError)


def test_decimals_are_numbers() -> None:
    assert plain(Figure("cost", Decimal("2.5"), 3)) == {"label": "cost", "value": 2.5, "limit": 3}
