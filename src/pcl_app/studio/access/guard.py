"""What stands before every route: who this is, how much and how often, and what browsers must not do with our answers."""

from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pcl_app.studio.access.limits import Rate, bounded, too_large, too_often
from pcl_app.studio.access.people import COOKIE, COOKIE_SECONDS, Doorkeeper
from pcl_app.studio.answers import as_error
from pcl_app.studio.errors import Refused, refused
from pcl_app.studio.settings import StudioSettings

SAFE_METHODS = ("GET", "HEAD", "OPTIONS")
OPEN_TO_ALL = ("/login", "/static/", "/api/")
"""Pages for strangers, and what answers them in its own way."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}


class Guard:
    """An ASGI application around another."""

    def __init__(self, app: ASGIApp, doorkeeper: Doorkeeper, settings: StudioSettings) -> None:
        self._app = app
        self._doorkeeper = doorkeeper
        self._most_bytes = settings.request_bytes
        self._requests = Rate(settings.requests_at_once, settings.requests_a_second)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        guarded = _with_headers(send, scope["path"], connection.url.scheme == "https")
        try:
            answer = await self._before(connection)
            if answer is not None:
                await answer(scope, receive, guarded)
                return
            await self._app(scope, bounded(receive, self._most_bytes), guarded)
        except Refused as found:
            await as_error(found)(scope, receive, guarded)

    async def _before(self, connection: HTTPConnection) -> Response | None:
        """What is answered before a route sees it; who it is stands in the state from here on."""
        where = connection.client.host if connection.client else "somewhere"
        path, method = connection.url.path, connection.scope["method"]
        length = connection.headers.get("content-length", "0")
        if not length.isdecimal() or int(length) > self._most_bytes:
            raise too_large(self._most_bytes)
        person = await self._doorkeeper.known(connection)
        connection.state.person = person
        if not self._requests.allows(person or where):
            raise too_often()
        if person is not None and method not in SAFE_METHODS and "authorization" not in connection.headers:
            _refuse_other_sites(connection)
        if method == "GET" and (token := connection.query_params.get("token")) is not None:
            return self._by_link(connection, token, person)
        if person is None and method in SAFE_METHODS and not path.startswith(OPEN_TO_ALL):
            return RedirectResponse(f"/login?next={quote(_target(connection))}", 303)
        return None

    def _by_link(self, connection: HTTPConnection, token: str, person: str | None) -> Response:
        """The token goes out of the address at once, so that it is in no history and no picture of the screen."""
        entered = person or self._doorkeeper.by_link(connection, token)
        rest = [(key, value) for key, value in parse_qsl(connection.url.query) if key != "token"]
        target = connection.url.path + (f"?{urlencode(rest)}" if rest else "")
        if entered is None:
            return RedirectResponse(f"/login?next={quote(target)}", 303)
        return with_cookie(RedirectResponse(target, 303), self._doorkeeper, entered)


def with_cookie(answer: Response, doorkeeper: Doorkeeper, person: str) -> Response:
    answer.set_cookie(
        COOKIE,
        doorkeeper.cookie(person),
        max_age=COOKIE_SECONDS,
        httponly=True,
        samesite="lax",
    )
    return answer


def _refuse_other_sites(connection: HTTPConnection) -> None:
    """A browser says where a request comes from; only our own pages may change something with a cookie."""
    site = connection.headers.get("sec-fetch-site")
    origin = connection.headers.get("origin")
    if site is not None and site not in ("same-origin", "none"):
        raise refused(403, "other-site", "another site tried to do this in your name", "nothing was done")
    if origin is not None and not _is_ours(origin, connection):
        raise refused(403, "other-site", "another site tried to do this in your name", "nothing was done")


def _is_ours(origin: str, connection: HTTPConnection) -> bool:
    """A page of the same name that did not come over HTTPS may be anybody's, where we are reached by HTTPS."""
    found = urlsplit(origin)
    insecure = connection.url.scheme == "https" and found.scheme != "https"
    return not insecure and found.netloc == connection.headers.get("host")


def _target(connection: HTTPConnection) -> str:
    return connection.url.path + (f"?{connection.url.query}" if connection.url.query else "")


def _with_headers(send: Send, path: str, secure: bool) -> Send:
    """Where we are reached by HTTPS, no cookie of ours goes over anything else."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
            if not path.startswith("/static/"):
                headers["Cache-Control"] = "no-store"
            if secure:
                cookies = headers.getlist("set-cookie")
                del headers["set-cookie"]
                for cookie in cookies:
                    headers.append("set-cookie", f"{cookie}; Secure")
        await send(message)

    return sending
