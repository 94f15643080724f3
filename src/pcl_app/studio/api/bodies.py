"""What the API is sent."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictBool, StrictInt, StrictStr

MAX_VALUES = 5_000
ShortText = Annotated[StrictStr, Field(max_length=400)]
Given = Annotated[dict[ShortText, StrictBool | StrictInt | ShortText], Field(max_length=MAX_VALUES)]
Parts = Annotated[list[ShortText], Field(max_length=MAX_VALUES)]
Seen = Annotated[
    StrictInt | None,
    Field(ge=0, description="how many events you had seen; if there are others by now, 409 and nothing is done"),
]


class Body(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Changing(Body):
    seen: Seen = None


class NewElicitation(Body):
    problem: ShortText = Field(
        "", description="a name of the catalogue, with parameters if you like: grid:side=8,part=4"
    )
    uploaded: ShortText | None = Field(None, description="the id of an uploaded problem, instead of a name")
    title: Annotated[StrictStr, Field(max_length=200)] = ""
    recipe: ShortText = "people"
    settings: dict[ShortText, Any] = Field(
        default_factory=dict, max_length=20, description="fields that override the recipe"
    )
    taste: dict[str, Any] | None = Field(None, description="what was learned of the same person before")
    log: list[Annotated[StrictStr, Field(max_length=1_000_000)]] | None = Field(
        None,
        description="events of an elicitation that was begun elsewhere, such as in `pcl elicit`",
        max_length=20_000,
    )


class AnswerBody(Changing):
    query: StrictInt
    kind: Literal["improved", "accepted", "skipped", "taken"]
    values: Given = Field(default_factory=dict)
    final: StrictBool = False
    completed: Parts = Field(default_factory=list, description="the variables among `values` that a completion gave")
    shown: Given | None = Field(None, description="the proposal you saw; then the answer counts only while it stands")


class Confirming(Changing):
    parts: Parts | None = Field(None, description="all parts, if none are named")


class RuleBody(Changing):
    kind: Literal["never", "always", "at_most", "at_least"]
    variables: ShortText | Parts
    values: Annotated[list[StrictBool | StrictInt | ShortText], Field(max_length=MAX_VALUES)]
    count: StrictInt | None = None
    each: Literal["part", "all"] = "all"

    def said(self) -> dict[str, Any]:
        return self.model_dump(exclude={"seen"})


class Pins(Changing):
    values: Given = Field(min_length=1)


class Draft(Body):
    values: Given = Field(default_factory=dict)


class DraftWithCompleted(Draft):
    completed: Given = Field(
        default_factory=dict, description="values that a completion put there and may change again"
    )


class DraftOfOne(Draft):
    variable: ShortText | None = Field(
        None, description="of this one alone; of all variables in question, if none is named"
    )


class Repeating(Changing):
    values: Given | None = Field(None, description="of one part; your last correction, if none are given")
    only: Parts | None = None


class LookingFurther(Changing):
    most: Annotated[StrictInt, Field(ge=1, le=1000)] = 10


class ProblemFileBody(Body):
    name: Annotated[StrictStr, Field(max_length=200)] = Field(
        "problem.yaml", description="ends in .json for a ground problem; it is never used as a path"
    )
    text: StrictStr
