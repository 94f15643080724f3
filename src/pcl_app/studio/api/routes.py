"""The HTTP API, as `docs/reference/http.md` has it: each route hands its request to the desk."""

from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from pcl_app.studio.access import person_of
from pcl_app.studio.answers import ErrorForm, as_json
from pcl_app.studio.api.bodies import (
    AnswerBody,
    Changing,
    Confirming,
    Draft,
    DraftOfOne,
    DraftWithCompleted,
    LookingFurther,
    NewElicitation,
    Pins,
    ProblemFileBody,
    Repeating,
    RuleBody,
)
from pcl_app.studio.desk import Desk
from pcl_app.studio.forms import (
    AnsweredForm,
    Completed,
    ElsewhereForm,
    Look,
    Offered,
    OutcomeForm,
    Owned,
    PinnedForm,
    PossibleForm,
    PreviewForm,
    ProblemForm,
    QueryForm,
    RepeatedForm,
    Ruled,
    RulingForm,
    TasteForm,
)


def desk_of(request: Request) -> Desk:
    desk = request.app.state.desk
    assert isinstance(desk, Desk)
    return desk


At = Annotated[Desk, Depends(desk_of)]
Who = Annotated[str, Depends(person_of)]
REFUSALS: dict[int | str, dict[str, Any]] = {
    400: {"model": ErrorForm, "description": "it cannot be read"},
    401: {"model": ErrorForm, "description": "who you are is not known"},
    404: {"model": ErrorForm, "description": "it is not there, or not yours"},
    409: {"model": ErrorForm, "description": "somebody, or you in another window, was first; nothing was done"},
    413: {"model": ErrorForm, "description": "too large"},
    422: {"model": ErrorForm, "description": "it cannot be as asked; `conflict` names the constraints in the way"},
    429: {"model": ErrorForm, "description": "too often; `Retry-After` says when"},
    503: {"model": ErrorForm, "description": "try again; `Retry-After` says when"},
}
PartName = Annotated[str | None, Query(max_length=400)]

router = APIRouter(prefix="/api/v1", responses=REFUSALS)
one = APIRouter(prefix="/elicitations/{id}")


@router.get("/problems", response_model=list[Offered])
async def problems(desk: At, who: Who) -> Response:
    """The catalogue, and the problems that you uploaded."""
    return as_json(await desk.problems(who))


@router.post("/problems", status_code=201, response_model=Offered)
async def upload(desk: At, who: Who, body: ProblemFileBody) -> Response:
    """A problem file of your own; what is wrong in it is answered with lines and columns, in `issues`."""
    return as_json(await desk.upload(who, body.name, body.text), 201)


@router.get("/problems/{name}", response_model=ProblemForm)
async def problem(desk: At, who: Who, name: str, uploaded: PartName = None) -> Response:
    """One problem: its parts, variables, features and constraints, and how it is laid out."""
    return as_json(await desk.problem(who, name, uploaded))


@router.get("/elicitations", response_model=list[Owned])
async def elicitations(desk: At, who: Who) -> Response:
    """Your own, the newest first."""
    return as_json(await desk.elicitations(who))


@router.post("/elicitations", status_code=201, response_model=Look)
async def create(desk: At, who: Who, body: NewElicitation) -> Response:
    """Begin an elicitation, or take over one from a log."""
    given = body.model_dump(exclude={"log"})
    return as_json(await desk.create(who, **given, events=body.log), 201)


@one.get("", response_model=Look)
async def look(desk: At, who: Who, id: str) -> Response:
    """An elicitation as it stands; nothing is asked by looking."""
    return as_json(await desk.look(who, id))


@one.get("/query", response_model=QueryForm, responses={204: {"description": "there is nothing to ask"}})
async def ask(desk: At, who: Who, id: str, part: PartName = None) -> Response:
    """The open query, or the next one; `part` chooses, and takes back an open query about another."""
    found = await desk.ask(who, id, part)
    return Response(status_code=204) if found is None else as_json(found)


@one.post("/answers", response_model=AnsweredForm)
async def answer(desk: At, who: Who, id: str, body: AnswerBody) -> Response:
    """Answer the open query. The same answer sent again counts once, unless an undo opened its query again."""
    return as_json(await desk.answer(who, id, body.model_dump(exclude={"seen"}), body.seen))


@one.post("/confirm", response_model=OutcomeForm)
async def confirm(desk: At, who: Who, id: str, body: Confirming) -> Response:
    """Several parts are right as they stand; a proposal that waits for an answer is left out."""
    return as_json(await desk.confirm(who, id, body.parts, body.seen))


@one.post("/rules", response_model=Ruled, status_code=201)
async def add_rule(desk: At, who: Who, id: str, body: RuleBody) -> Response:
    """A rule of your own holds from now on; what it changes is in the answer."""
    return as_json(await desk.add_rule(who, id, body.said(), body.seen), 201)


@one.post("/rules/preview", response_model=RulingForm)
async def preview_rule(desk: At, who: Who, id: str, body: RuleBody) -> Response:
    """What a rule would change, or why it cannot hold."""
    return as_json(await desk.preview_rule(who, id, body.said()))


@one.delete("/rules/{number}", response_model=OutcomeForm)
async def remove_rule(desk: At, who: Who, id: str, number: int) -> Response:
    """A rule of yours, by its place in `rules`, holds no more."""
    return as_json(await desk.remove_rule(who, id, number))


@one.post("/pins", response_model=PinnedForm)
async def pin(desk: At, who: Who, id: str, body: Pins) -> Response:
    """Hold values of one part; the rest of it is completed around them."""
    return as_json(await desk.pin(who, id, body.values, body.seen))


@one.delete("/pins", response_model=OutcomeForm)
async def unpin(desk: At, who: Who, id: str, variable: Annotated[str, Query(max_length=400)]) -> Response:
    """Let a variable be changed again."""
    return as_json(await desk.unpin(who, id, variable))


@one.post("/complete", response_model=Completed)
async def complete(desk: At, who: Who, id: str, body: Draft) -> Response:
    """The part in question, filled in around these values and the pins. Nothing changes."""
    return as_json(await desk.complete(who, id, body.values))


@one.post("/preview", response_model=PreviewForm)
async def preview(desk: At, who: Who, id: str, body: DraftWithCompleted) -> Response:
    """What a draft of the part in question would do. Nothing changes."""
    return as_json(await desk.preview(who, id, body.values, body.completed))


@one.post("/possible", response_model=PossibleForm)
async def possible(desk: At, who: Who, id: str, body: DraftOfOne) -> Response:
    """What each variable of the part in question may be around the other values of a draft."""
    return as_json(await desk.possible(who, id, body.values, body.variable))


@one.post("/everywhere", response_model=RepeatedForm)
async def everywhere(desk: At, who: Who, id: str, body: Repeating) -> Response:
    """Do the same at like places of other parts."""
    return as_json(await desk.everywhere(who, id, body.values, body.only, body.seen))


@one.post("/everywhere/preview", response_model=ElsewhereForm)
async def like(desk: At, who: Who, id: str, body: Repeating) -> Response:
    """What that would change, and where it cannot be."""
    return as_json(await desk.like(who, id, body.values, body.only))


@one.post("/undo", response_model=OutcomeForm)
async def undo(desk: At, who: Who, id: str, body: Changing | None = None) -> Response:
    """Take back what you said last; its query is open again."""
    return as_json(await desk.undo(who, id, None if body is None else body.seen))


@one.post("/stop", response_model=OutcomeForm)
async def stop(desk: At, who: Who, id: str, body: Changing | None = None) -> Response:
    """No more queries."""
    return as_json(await desk.stop(who, id, None if body is None else body.seen))


@one.post("/further", response_model=OutcomeForm)
async def look_further(desk: At, who: Who, id: str, body: LookingFurther) -> Response:
    """After the certificate: questions about two parts at once, where a joint gain is expected."""
    return as_json(await desk.look_further(who, id, body.most, body.seen))


@one.get("/taste", response_model=TasteForm)
async def taste(desk: At, who: Who, id: str) -> Response:
    """What was learned, for a later elicitation of this problem or one like it."""
    return as_json(await desk.taste(who, id))


@one.get("/log", response_class=Response, responses={200: {"content": {"application/x-ndjson": {}}}})
async def log(desk: At, who: Who, id: str) -> Response:
    """The events, one JSON object a line; `pcl elicit PROBLEM --resume` goes on from it."""
    lines = "".join(f"{event}\n" for event in await desk.log(who, id))
    return Response(lines, media_type="application/x-ndjson")
