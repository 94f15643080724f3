"""How to elicit: settings, recipes (one word for those that belong together), and the randomness that a seed stands for."""

from collections.abc import Mapping
from itertools import islice
from typing import Annotated, Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from numpy.random.bit_generator import ISeedSequence
from pydantic import BaseModel, ConfigDict, Field, ModelWrapValidatorHandler, ValidationError, model_validator

from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.learn.plugins import option_issues
from pcl_core.learn.stopping import Stop

MAX_FIELDS = 50

Mode: TypeAlias = Literal["people", "keep", "paper"]

RECIPES: Mapping[str, Mapping[str, str]] = {
    "people": {
        "mode": "people",
        "learner": "belief",
        "select": "expected:first_round=true",
        "order": "declared",
        "stop": "certificate",
    },
    "keep": {
        "mode": "keep",
        "learner": "perceptron",
        "select": "random",
        "order": "degree",
        "stop": "certificate",
    },
    "paper": {
        "mode": "paper",
        "learner": "perceptron",
        "select": "random",
        "order": "degree",
        "stop": "two-pass",
    },
    "form": {
        "mode": "people",
        "learner": "nothing",
        "select": "round-robin",
        "order": "declared",
        "stop": "certificate",
    },
}
"""For people; with improvements kept; the paper's algorithm; and the control: a form that never changes anything."""

FOR_PEOPLE = "people"
"""What is taken where nobody says otherwise."""

FOR_THE_ORDER, FOR_THE_START = 0, 2**63
"""Keys that no query has: queries count from 1."""
_PROPOSALS = 2**63
"""Added to seeds, which are smaller: what a belief draws for its proposals is no draw of the selection's."""


def _first_fields(given: object) -> object:
    """Of a mapping that cannot be right, enough to say what is wrong with it."""
    return dict(islice(given.items(), MAX_FIELDS)) if isinstance(given, dict) and len(given) > MAX_FIELDS else given


class Settings(BaseModel):
    """How to elicit. Strategies are written `name` or `name:key=value,...`. What does not fit raises `RequestError`."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    order: str = "degree"
    select: str = "random"
    learner: str = "perceptron"
    mode: Mode = "keep"
    """paper: an improvement only moves the weights (Algorithm 2); keep: it stays in the configuration; people: what a person
    says stays as well, known facts close parts, and only open ones are asked."""
    stop: Stop = "certificate"
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0

    @model_validator(mode="wrap")
    @classmethod
    def _in_words(cls, given: object, validate: ModelWrapValidatorHandler["Settings"]) -> "Settings":
        try:
            return validate(_first_fields(given))
        except ValidationError as error:
            raise RequestError(option_issues("'Settings'", cls, error)) from None

    @classmethod
    def of(cls, recipe: str, **fields: Any) -> "Settings":
        """The settings of a recipe (`RECIPES`); fields that are given override it."""
        return cls.model_validate(expanded(recipe, fields))


def expanded(recipe: str, fields: Mapping[str, object]) -> dict[str, object]:
    """The settings of a recipe; fields that are given override it."""
    if recipe not in tuple(RECIPES):  # which may be asked of what has no hash, too
        message = f"there is no recipe '{recipe!s:.60}'"
        raise RequestError(Issue(Code.UNKNOWN_OPTION, message, suggest(str(recipe), RECIPES), path=("recipe",)))
    return {**RECIPES[recipe], **fields}


class _Key(ISeedSequence):
    """A key as it is, where numpy would mix one from entropy: that takes longer than everything else in a query."""

    def __init__(self, seed: int, query: int) -> None:
        self._key = np.array((seed, query), dtype=np.uint64)

    def generate_state(self, n_words: int, dtype: object = np.uint32) -> npt.NDArray[np.uint64]:
        assert (n_words, dtype) == (len(self._key), np.uint64), "Philox asks for its key"
        return self._key


def generator_for(seed: int, query: int) -> np.random.Generator:
    """Randomness for one query: it depends on nothing else, so a resumed elicitation goes on as it would have."""
    # numpy takes any `ISeedSequence` for a seed, and its types know only one of them
    return np.random.Generator(np.random.Philox(_Key(seed, query)))  # type: ignore[arg-type]


def proposing_generator(seed: int, query: int) -> np.random.Generator:
    """Randomness for the proposals of one query, the same for each of them: pins do not make a belief draw anew."""
    return generator_for(seed + _PROPOSALS, query)
