"""The whole OpenAPI document against the studio: whatever is sent, the answer is one that the document has, and never a 500."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance
from tests.app.studio.servers import TOKEN, caller

EXAMPLES = 6
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def elicitation(address: str) -> Iterator[str]:
    """Something to act upon: with an id of nobody's, every operation would end at once."""
    with caller(address) as api:
        made = api.post("/elicitations", json={"problem": "grid"}).json()["id"]
        api.get(f"/elicitations/{made}/query")
        yield made


def operations(address: str) -> list[Any]:
    document = httpx.get(f"{address}/api/v1/openapi.json", headers=HEADERS).json()
    schema = schemathesis.openapi.from_dict(document)
    schema.config.update(base_url=address)
    return [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]


def test_whatever_is_sent_is_answered_as_the_document_says(address: str, elicitation: str) -> None:
    found = operations(address)
    streams = [it for it in found if it.path.endswith("/events")]  # these do not end
    assert (len(found) > 20, len(streams)) == (True, 1)
    for it in streams:
        found.remove(it)
    statuses: set[int] = set()
    for operation in found:
        for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
            statuses |= _try(operation, mode, elicitation)
    assert {200, 409, 422} <= statuses, "not all of it ended at the door"


def _try(operation: Any, mode: GenerationMode, elicitation: str) -> set[int]:
    statuses: set[int] = set()

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
    )
    @given(case=operation.as_strategy(generation_mode=mode))
    def sent(case: Any) -> None:
        if "id" in case.path_parameters:
            case.path_parameters["id"] = elicitation
        checks = [not_a_server_error, status_code_conformance, response_schema_conformance]
        statuses.add(case.call_and_validate(headers=HEADERS, checks=checks, timeout=60).status_code)

    with suppress(Unsatisfiable):  # what takes anything cannot be sent anything wrong
        sent()
    return statuses
