"""Who somebody is: by a token in a header, or by a cookie that a token or a password was exchanged for."""

import hashlib
import hmac
import time

from starlette.requests import HTTPConnection

from pcl_app.studio.errors import refused
from pcl_app.studio.settings import StudioSettings

COOKIE = "pcl_studio"
COOKIE_SECONDS = 30 * 24 * 3600
LOCAL = "local"
"""Who started the studio on her own machine; a token that is made anew each time stands for her."""


class Doorkeeper:
    """Knows people by what they bring."""

    def __init__(self, settings: StudioSettings, secret: str) -> None:
        """`secret` signs cookies; all servers on one database have the same."""
        self._token = settings.token
        self._secret = secret.encode()
        self._link_used = False
        self._person = LOCAL if settings.made_token else f"token-{_digest(settings.token or '')[:32]}"

    def person(self, connection: HTTPConnection) -> str | None:
        """Who this is; None for a stranger."""
        scheme, _, given = connection.headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer":
            return self._by_token(given.strip())
        return self._by_cookie(connection.cookies.get(COOKIE, ""))

    def by_link(self, token: str) -> str | None:
        """Who opens the link that was printed at start: it works once, and a cookie takes its place."""
        person = self._by_token(token)
        if person is None or self._link_used:
            return None
        self._link_used = True
        return person

    def by_password(self, name: str, password: str) -> str | None:
        """Who signs in on the page for it; without users the token is the password."""
        return self._by_token(password)

    def cookie(self, person: str, now: float | None = None) -> str:
        until = int((now or time.time()) + COOKIE_SECONDS)
        return f"{person}.{until}.{self._signature(person, until)}"

    def form_token(self, connection: HTTPConnection) -> str:
        """What a form of ours has in it and one of another site cannot know."""
        return self._signed("form", connection.cookies.get(COOKIE, ""))

    def _by_token(self, given: str) -> str | None:
        known = self._token is not None and hmac.compare_digest(_digest(given), _digest(self._token))
        return self._person if known else None

    def _by_cookie(self, cookie: str) -> str | None:
        person, _, rest = cookie.partition(".")
        until, _, signature = rest.partition(".")
        if not until.isascii() or not until.isdecimal() or len(until) > 12 or int(until) < time.time():
            return None
        if not hmac.compare_digest(signature.encode(), self._signature(person, int(until)).encode()):
            return None
        return person if person == self._person else None

    def _signature(self, person: str, until: int) -> str:
        return self._signed("cookie", person, str(until))

    def _signed(self, *parts: str) -> str:
        return hmac.new(self._secret, "\0".join(parts).encode(), hashlib.sha256).hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()


def person_of(connection: HTTPConnection) -> str:
    """For routes: who asks. A stranger is refused."""
    doorkeeper = connection.app.state.doorkeeper
    assert isinstance(doorkeeper, Doorkeeper)
    person = doorkeeper.person(connection)
    if person is None:
        hint = "open the link that `pcl serve` printed, or send `Authorization: Bearer TOKEN`"
        raise refused(401, "unknown-person", "who you are is not known", hint)
    return person
