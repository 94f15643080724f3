"""The server: one process that answers, beside the workers that work things out."""

import gc
import socket
import sys
from pathlib import Path

from pcl_app.streams import say
from pcl_app.studio.settings import StudioSettings
from pcl_app.studio.work import Crew
from pcl_core.errors import Code, Issue, RequestError


def run_server(settings: StudioSettings, host: str, port: int, log: Path | None = None) -> None:
    """Serve until somebody ends it. The link is printed when the place is taken, so that it can be opened at once.

    Workers start before anything else is imported: on another core they are ready as soon as the server is.
    """
    crew = Crew(settings.database, settings.workers, settings.command_seconds)
    crew.start()
    try:
        _serve(settings, crew, host, port, log)
    finally:
        crew.close()


def _serve(settings: StudioSettings, crew: Crew, host: str, port: int, log: Path | None) -> None:
    gc.disable()  # importing makes no garbage
    import uvicorn

    from pcl_app.studio.app import create_app

    app = create_app(settings, crew)
    gc.freeze()
    gc.enable()
    page = "" if log is None else f"e/{_taken_over(settings, app.state.doorkeeper.holder, log)}"
    place = listening(host, port)
    address = f"http://{_in_link(host)}:{place.getsockname()[1]}/{page}"
    say(f"The studio is open: {address}?token={settings.token}" if settings.token else f"The studio is open: {address}")
    sys.stdout.flush()
    config = uvicorn.Config(
        app, log_level="warning", access_log=False, server_header=False, timeout_graceful_shutdown=5
    )
    uvicorn.Server(config).run(sockets=[place])


def _taken_over(settings: StudioSettings, owner: str, log: Path) -> str:
    from pcl_app.studio.work.taking_over import taken_over

    return taken_over(settings, owner, log)


def listening(host: str, port: int) -> socket.socket:
    """A place that others can connect to.

    It is said to be TCP: only then does asyncio send without waiting, and an answer of two packets does not wait 40 ms.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    place = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        place.bind((host, port))
        place.listen(1024)
    except OSError as error:
        place.close()
        message = f"cannot listen at {host:.60}, port {port}: {error.strerror or error}"
        raise RequestError(
            Issue(Code.BAD_VALUE, message, "another program may be there; choose another --port")
        ) from None
    return place


def _in_link(host: str) -> str:
    return f"[{host}]" if ":" in host else {"0.0.0.0": "127.0.0.1"}.get(host, host)
