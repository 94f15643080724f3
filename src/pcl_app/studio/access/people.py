"""Who somebody is: by a token or a password in a header, or by a cookie that one of them was exchanged for."""

import asyncio
import base64
import binascii
import hashlib
import hmac
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from starlette.requests import HTTPConnection

from pcl_app.studio.access.limits import Rate, too_often
from pcl_app.studio.access.passwords import Passwords
from pcl_app.studio.errors import refused
from pcl_app.studio.settings import StudioSettings

COOKIE = "pcl_studio"
COOKIE_SECONDS = 30 * 24 * 3600
LOCAL = "local"
"""Who started the studio on her own machine; a token that is made anew each time stands for her."""
USER = "user-"


class Doorkeeper:
    """Knows people by what they bring."""

    def __init__(self, settings: StudioSettings, secret: str) -> None:
        """`secret` signs cookies; all servers on one database have the same."""
        self._token = settings.token
        self._secret = secret.encode()
        self._link_used = False
        self.holder = LOCAL if settings.made_token else f"token-{_digest(settings.token or '')[:32]}"
        self._wrong = Rate(settings.wrong_at_once, settings.wrong_a_second)
        self._passwords = None if settings.users is None else Passwords(settings.users)
        self._fitted: set[str] = set()
        """Names and passwords that were found to fit, signed: hashing one takes too long for every request."""
        self._hashing = ThreadPoolExecutor(1, thread_name_prefix="studio-passwords")
        """One at a time: each takes 16 MB, and the threads that wait for the database are for something else."""

    @property
    def has_users(self) -> bool:
        return self._passwords is not None

    async def admitted(self, connection: HTTPConnection, find: Callable[[], str | None]) -> str | None:
        """Who it is by what she shows, which may take a moment. Who shows what is wrong again and again has to wait."""
        where = self._place(connection)
        return self._counted(where, await asyncio.wrap_future(self._hashing.submit(self._found, where, find)))

    async def known(self, connection: HTTPConnection) -> str | None:
        """Who this is; None for a stranger."""
        if "authorization" not in connection.headers:
            return self._by_cookie(connection.cookies.get(COOKIE, ""))
        where = self._place(connection)
        scheme, _, given = connection.headers["authorization"].partition(" ")
        if scheme.lower() != "basic":
            return self._counted(where, self._by_token(given.strip()) if scheme.lower() == "bearer" else None)
        name, password = _name_and_password(given.strip())
        if self._passwords is not None and self._mark(self._passwords, name, password) in self._fitted:
            return f"{USER}{name}"
        return await self.admitted(connection, lambda: self.by_password(name, password))

    def _place(self, connection: HTTPConnection) -> str:
        """Where somebody calls from, unless too much was wrong from there: then even what is right is not looked at."""
        where = connection.client.host if connection.client else "somewhere"
        if self._wrong.is_spent(where):
            raise too_often()
        return where

    def _found(self, where: str, find: Callable[[], str | None]) -> str | None:
        """In its own time; others who waited before may have been wrong meanwhile."""
        if self._wrong.is_spent(where):
            raise too_often()
        return find()

    def _counted(self, where: str, person: str | None) -> str | None:
        if person is None:
            self._wrong.allows(where)
        return person

    def by_link(self, connection: HTTPConnection, token: str) -> str | None:
        """Who opens the link that was printed at start: it works once, and a cookie takes its place."""
        where = self._place(connection)
        person = self._counted(where, None if self._link_used else self._by_token(token))
        self._link_used = self._link_used or person is not None
        return person

    def by_password(self, name: str, password: str) -> str | None:
        """Who signs in on the page for it; without a name, the token is the password."""
        if self._passwords is None or (not name and self._token is not None):
            return self._by_token(password)
        mark = self._mark(self._passwords, name, password)
        if mark not in self._fitted:
            if not self._passwords.fits(name, password):
                return None
            self._fitted.add(mark)
        return f"{USER}{name}"

    def _mark(self, passwords: Passwords, name: str, password: str) -> str:
        return self._signed("password", name, password, passwords.line(name) or "")

    def cookie(self, person: str) -> str:
        until = int(time.time()) + COOKIE_SECONDS
        return f"{person}.{until}.{self._signature(person, until)}"

    def form_token(self, connection: HTTPConnection) -> str:
        """What a form of ours has in it and one of another site cannot know."""
        return self._signed("form", connection.cookies.get(COOKIE, ""))

    def _by_token(self, given: str) -> str | None:
        known = self._token is not None and hmac.compare_digest(_digest(given), _digest(self._token))
        return self.holder if known else None

    def _by_cookie(self, cookie: str) -> str | None:
        person, _, rest = cookie.partition(".")
        until, _, signature = rest.partition(".")
        if not until.isascii() or not until.isdecimal() or len(until) > 12 or int(until) < time.time():
            return None
        known = hmac.compare_digest(signature.encode(), self._signature(person, int(until)).encode())
        return person if known and self._may_come(person) else None

    def _may_come(self, person: str) -> bool:
        """A cookie of a person whose token or name is no longer one is worth nothing."""
        if person.startswith(USER):
            return self._passwords is not None and self._passwords.line(person.removeprefix(USER)) is not None
        return self._token is not None and person == self.holder

    def _signature(self, person: str, until: int) -> str:
        line = "" if self._passwords is None else self._passwords.line(person.removeprefix(USER)) or ""
        return self._signed("cookie", person, str(until), line)

    def _signed(self, *parts: str) -> str:
        return hmac.new(self._secret, "\0".join(parts).encode("utf-8", "replace"), hashlib.sha256).hexdigest()


def _name_and_password(given: str) -> tuple[str, str]:
    """Of a header; what is no such thing is nobody's."""
    try:
        name, _, password = base64.b64decode(given, validate=True).decode("utf-8").partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return "", ""
    return name, password


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def person_of(connection: HTTPConnection) -> str:
    """For routes: who asks. A stranger is refused."""
    person = connection.state.person
    if person is None:
        hint = "open the link that `pcl serve` printed, sign in, or send `Authorization: Bearer TOKEN`"
        raise refused(401, "unknown-person", "who you are is not known", hint)
    assert isinstance(person, str)
    return person
