"""`pcl serve`: the studio, on a web server of its own."""

import getpass
import ipaddress
import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer

from pcl_app.streams import say
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
    add_user: Annotated[
        str | None, typer.Option(metavar="NAME", help="add a person to the file of users, or give her a new password")
    ] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="take over this log of pcl elicit, and open the studio on it")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, max=64, help="processes that solve; default one for each core")
    ] = None,
) -> None:
    """Open the studio: elicitation on web pages, and the HTTP API.

    It listens on this machine only, unless you say otherwise; then it needs a token or users.

    Example: pcl serve --db sqlite:///studio.db --port 8765
    """
    need("fastapi", "studio")
    if add_user is not None:
        _add_user(users, add_user)
        return
    _refuse_open_door(host, token, users)
    from pcl_app.studio import StudioSettings, default_address, run_server

    settings = StudioSettings(
        database=db or default_address(),
        token=token or (None if users is not None else secrets.token_urlsafe(24)),
        users=users,
        workers=workers,
        made_token=token is None and users is None,
    )
    run_server(settings, host, port, log)


def _add_user(users: Path | None, name: str) -> None:
    from pcl_app.studio import add_user

    if users is None:
        raise RequestError(Issue(Code.BAD_VALUE, "a person is added to a file of users", "say which with --users FILE"))
    if sys.stdin.isatty():
        password = getpass.getpass(f"A password for {name}: ")
        if getpass.getpass("The same again: ") != password:
            raise RequestError(Issue(Code.BAD_VALUE, "these are two passwords", "try again"))
    else:
        password = sys.stdin.readline().rstrip("\n")
    new = add_user(users, name, password)
    say(f"{name} {'can come in' if new else 'has a new password'}: {users}")


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
