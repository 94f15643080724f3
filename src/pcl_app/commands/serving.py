"""`pcl serve`: the studio, on a web server of its own."""

import ipaddress
import secrets
from pathlib import Path
from typing import Annotated

import typer

from pcl_app.writing import need
from pcl_core.errors import Code, Issue, RequestError

NAMES_OF_THIS_MACHINE = ("localhost", "localhost.localdomain")


def serve(
    db: Annotated[
        str | None,
        typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://...; default studio.db in your data folder"),
    ] = None,
    host: Annotated[str, typer.Option(help="the address to listen at")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="the port; 0 takes a free one")] = 8765,
    token: Annotated[
        str | None, typer.Option(metavar="T", help="who has it is let in; made and shown in the link if not given")
    ] = None,
    users: Annotated[Path | None, typer.Option(metavar="FILE", help="names and hashed passwords, for a team")] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=64, help="processes that solve; default one for each core")
    ] = None,
) -> None:
    """Open the studio: elicitation on web pages, and the HTTP API.

    It listens on this machine only, unless you say otherwise; then it needs a token or users.

    Example: pcl serve --db sqlite:///studio.db --port 8765
    """
    need("fastapi", "studio")
    _refuse_open_door(host, token, users)
    from pcl_app.studio import StudioSettings, default_address, run_server

    settings = StudioSettings(
        database=db or default_address(),
        token=token or (None if users is not None else secrets.token_urlsafe(24)),
        users=users,
        workers=workers,
        made_token=token is None and users is None,
    )
    run_server(settings, host, port)


def _refuse_open_door(host: str, token: str | None, users: Path | None) -> None:
    """Who can be reached from elsewhere must have been told who may come in."""
    try:
        here = ipaddress.ip_address(host).is_loopback
    except ValueError:
        here = host in NAMES_OF_THIS_MACHINE
    if not here and token is None and users is None:
        message = f"{host:.60} can be reached from elsewhere, and nobody has said who may come in"
        raise RequestError(Issue(Code.BAD_VALUE, message, "give --token or --users, or listen at 127.0.0.1"))
    if token is not None and len(token) < 8 and not here:
        raise RequestError(Issue(Code.BAD_VALUE, "the token can be guessed", "at least 8 characters"))
