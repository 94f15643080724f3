"""Who has which elicitations and problems."""

import secrets
import time
from typing import Any, NamedTuple

from sqlalchemy import Engine, func, insert, select
from sqlalchemy.exc import IntegrityError

from pcl_app.studio.storage.tables import ELICITATIONS, EVENTS, PEOPLE, PROBLEMS, SECRETS


class Kept(NamedTuple):
    """An elicitation, without what was said in it."""

    id: str
    owner: str
    problem: str
    uploaded: str | None
    title: str
    created: float


class Uploaded(NamedTuple):
    """A problem that somebody uploaded, without its text."""

    id: str
    name: str
    label: str
    description: str
    parts: int
    variables: int
    features: int
    created: float


def new_id() -> str:
    """Nobody guesses it."""
    return secrets.token_urlsafe(18)


class Records:
    """The tables beside the events."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def know(self, person: str) -> None:
        """A person is there from when she is first seen."""
        with self._engine.begin() as connection:
            if connection.execute(select(PEOPLE.c.id).where(PEOPLE.c.id == person)).first():
                return
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(PEOPLE), {"id": person, "created": time.time()})
        except IntegrityError:
            return  # she came through two doors at once

    def secret(self, name: str) -> str:
        """Made when it is first needed; the same for all servers."""
        return self._secret(name) or self._make_secret(name)

    def _secret(self, name: str) -> str | None:
        with self._engine.connect() as connection:
            return connection.execute(select(SECRETS.c.secret).where(SECRETS.c.name == name)).scalar_one_or_none()

    def _make_secret(self, name: str) -> str:
        made = secrets.token_urlsafe(32)
        try:
            with self._engine.begin() as connection:
                connection.execute(insert(SECRETS), {"name": name, "secret": made})
        except IntegrityError:  # another server was first
            return self._secret(name) or made
        return made

    def elicitation(self, id: str) -> Kept | None:
        wanted = select(*(ELICITATIONS.c[name] for name in Kept._fields)).where(ELICITATIONS.c.id == id)
        with self._engine.connect() as connection:
            found = connection.execute(wanted).first()
        return None if found is None else Kept(*found)

    def elicitations_of(self, person: str) -> list[tuple[Kept, int]]:
        """Hers, the newest first, each with the number of its events."""
        columns = [ELICITATIONS.c[name] for name in Kept._fields]
        wanted = (
            select(*columns, func.count(EVENTS.c.sequence))
            .join(EVENTS, EVENTS.c.elicitation == ELICITATIONS.c.id)
            .where(ELICITATIONS.c.owner == person)
            .group_by(*columns)
            .order_by(ELICITATIONS.c.created.desc())
        )
        with self._engine.connect() as connection:
            return [(Kept(*row[:-1]), row[-1]) for row in connection.execute(wanted)]

    def lengths(self, ids: list[str]) -> dict[str, int]:
        """How many events each of these elicitations has now."""
        wanted = (
            select(EVENTS.c.elicitation, func.max(EVENTS.c.sequence) + 1)
            .where(EVENTS.c.elicitation.in_(ids))
            .group_by(EVENTS.c.elicitation)
        )
        with self._engine.connect() as connection:
            return {row[0]: row[1] for row in connection.execute(wanted)}

    def keep_problem(self, owner: str, ground: str, **facts: Any) -> Uploaded:
        row = {"id": new_id(), "created": time.time(), **facts}
        with self._engine.begin() as connection:
            connection.execute(insert(PROBLEMS), {**row, "owner": owner, "ground": ground})
        return Uploaded(**row)

    def problems_of(self, person: str) -> list[Uploaded]:
        wanted = (
            select(*(PROBLEMS.c[name] for name in Uploaded._fields))
            .where(PROBLEMS.c.owner == person)
            .order_by(PROBLEMS.c.created.desc())
        )
        with self._engine.connect() as connection:
            return [Uploaded(*row) for row in connection.execute(wanted)]

    def ground(self, uploaded: str, owner: str) -> str | None:
        """The text of an uploaded problem, for whoever uploaded it."""
        wanted = select(PROBLEMS.c.ground).where(PROBLEMS.c.id == uploaded, PROBLEMS.c.owner == owner)
        with self._engine.connect() as connection:
            return connection.execute(wanted).scalar_one_or_none()
