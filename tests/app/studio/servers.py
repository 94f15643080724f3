"""Studios for tests: a server in a thread of this process, with real workers, or a process of its own."""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import uvicorn
from fastapi import FastAPI

from pcl_app.studio import StudioSettings, create_app

TOKEN = "token-for-tests"
PCL = Path(sys.executable).parent / "pcl"
LINK = re.compile(r"http://127\.0\.0\.1:(\d+)/")


@contextmanager
def studio(settings: StudioSettings) -> Iterator[tuple[FastAPI, str]]:
    """A running studio: the application, and its address."""
    app = create_app(settings)
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        while not server.started:
            assert thread.is_alive(), "the server did not start"
            time.sleep(0.01)
        port = server.servers[0].sockets[0].getsockname()[1]
        yield app, f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()


@contextmanager
def served(database: str, *options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """`pcl serve` in a process of its own, and its address. Whoever kills it may."""
    command = [str(PCL), "serve", "--db", database, "--port", "0"]
    command += [] if "--users" in options else ["--token", TOKEN]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True, env=os.environ) as process:
        try:
            assert process.stdout is not None
            found = LINK.search(process.stdout.readline())
            assert found is not None, "the link is printed"
            yield process, f"http://127.0.0.1:{found[1]}"
        finally:
            process.terminate()
            process.wait()


def caller(address: str, token: str | None = TOKEN) -> httpx.Client:
    """Somebody who calls the API."""
    headers = {} if token is None else {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=f"{address}/api/v1", headers=headers, timeout=60)


def sqlite_in(folder: Path) -> str:
    return f"sqlite:///{folder}/studio.db"
