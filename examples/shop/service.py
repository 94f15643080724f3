"""The shop's service: it knows customers and visits, and pcl; pages and programs are made on top of it."""

import tomllib
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel

import pcl_core as pcl
from pcl_core.elicitation import EventStore

from . import computer_types as types
from .problem import computer
from .storage import Storage

STARTS: dict[str, types.Values] = {
    "for the office": {"processor": "thrifty", "board": "small board", "card": "no card", "case": "cube"},
    "for games": {"processor": "solid", "card": "long card", "case": "tower", "supply": "550 W"},
    "hardly to be heard": {"card": "no card", "case": "silent tower", "supply": "silent 650 W"},
}
"""Where a new customer may begin; what is not said here is completed as cheaply as can be."""


class Solver(BaseModel, frozen=True, extra="forbid"):
    """The section `solver` of the shop's settings: which one, and how many seconds it may take, if it can be told."""

    backend: str = "auto"
    seconds: float | None = None

    @classmethod
    def configured(cls, file: Path) -> "Solver":
        return cls.model_validate(tomllib.loads(file.read_text(encoding="utf-8")).get("solver", {}))


@dataclass(frozen=True)
class Visit:
    """A customer in the shop: an elicitation with the shop's own names and values, and who it is with."""

    customer: str
    number: int
    elicitation: types.Elicitation

    @property
    def computer(self) -> types.Configuration:
        return self.elicitation.configuration

    @property
    def box(self) -> str:
        """What it is sent in; a case that is forgotten here is found by checkers of types."""
        match self.computer.case:
            case "cube":
                return "a small box"
            case "tower":
                return "a large box"
            case "silent tower":
                return "a heavy box"

    def answer(self, number: int, say: str, form: Mapping[str, str]) -> None:
        """What a page says to the question of that number: `right`, `better` or `skip`, and a value for each field."""
        query = self.elicitation.waiting
        if query is None or query.number != number:  # the page was an old one
            return
        said = types.Configuration.read(self.elicitation.problem, form)
        if say == "skip":
            self.elicitation.tell(query.skip())
        elif said == query.proposal:
            self.elicitation.tell(query.accept())
        else:
            self.elicitation.tell(query.improve(said, final=say == "right"))


class Shop:
    """One problem and one solver for all customers. What was said is in the storage, so a visit is opened for each request."""

    def __init__(self, storage: Storage, solver: Solver) -> None:
        self._storage = storage
        self.problem = computer()
        types.STAMP.check(self.problem)
        self._oracle = pcl.Oracle.of(self.problem, solver.backend, pcl.Options(time_limit=solver.seconds))

    @contextmanager
    def visit(self, customer: str, start: str | None = None) -> Generator[Visit]:
        """The customer's visit: as she left it, or a new one, which begins with what she liked last time."""
        number = self._storage.visit_of(customer)
        events = self._storage.events(number)
        try:
            if events.count():
                found = pcl.Elicitation.resume(events, self.problem, oracle=self._oracle)
            else:
                found = self._begin(customer, events, start)
            yield Visit(customer, number, types.Elicitation(found))
        finally:
            events.close()

    def order(self, visit: Visit) -> None:
        """She takes it as it stands."""
        plain = visit.elicitation.plain
        plain.stop()
        self._storage.order(visit.customer, visit.number, plain.configuration, plain.taste())

    def _begin(self, customer: str, events: EventStore, start: str | None) -> pcl.Elicitation:
        taste = self._storage.taste_of(customer)
        if taste is not None:
            return pcl.Elicitation(self.problem, oracle=self._oracle, log=events, taste=taste)
        wanted = types.Configuration(self.problem, STARTS.get(start or "", {}))
        cheap = types.Weights(self.problem, {"price": -1})
        first = self._oracle.solve(cheap.ground(), fixed=wanted.ground()).configuration
        return pcl.Elicitation(self.problem, oracle=self._oracle, log=events, start=first)
