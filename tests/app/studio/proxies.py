"""nginx before servers, set up as the how-to says, with a certificate of its own."""

import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NGINX = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
OPENSSL = shutil.which("openssl")
NOT_TRIED = (
    "The page about a proxy was not tried, since nginx or openssl was not found; to get them: "
    "`apt-get install nginx-light openssl`."
)
HOW_TO = Path(__file__).parents[3] / "docs" / "how-to" / "run-the-studio.md"
AROUND = """
daemon off; pid {folder}/nginx.pid; error_log stderr; worker_processes 1;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
    {said}
}}
"""


def free_port() -> int:
    with socket.socket() as place:
        place.bind(("127.0.0.1", 0))
        return int(place.getsockname()[1])


def as_said(first: int, second: int, port: int, folder: Path) -> str:
    """The block of the how-to, with ports and a certificate of this machine."""
    found = re.search(r"```nginx\n(.*?)```", HOW_TO.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None
    said = found[1]
    for before, after in (
        ("127.0.0.1:8701", f"127.0.0.1:{first}"),
        ("127.0.0.1:8702", f"127.0.0.1:{second}"),
        ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
        ("/etc/ssl/studio.example.pem", str(folder / "certificate.pem")),
        ("/etc/ssl/studio.example.key", str(folder / "certificate.key")),
    ):
        assert before in said
        said = said.replace(before, after)
    return said


def certified(folder: Path) -> ssl.SSLContext:
    """A certificate for this machine that nobody else vouches for, and what trusts it."""
    assert OPENSSL is not None
    command = "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=127.0.0.1 -addext subjectAltName=IP:127.0.0.1"
    files = ("-out", str(folder / "certificate.pem"), "-keyout", str(folder / "certificate.key"))
    subprocess.run([OPENSSL, *command.split(), *files], check=True, capture_output=True)
    return ssl.create_default_context(cafile=folder / "certificate.pem")


@contextmanager
def proxied(folder: Path, first: int, second: int) -> Iterator[tuple[str, ssl.SSLContext]]:
    """The address of a proxy before two servers, and what trusts its certificate."""
    assert NGINX is not None
    port, trusting, settings = free_port(), certified(folder), folder / "nginx.conf"
    settings.write_text(AROUND.format(folder=folder, said=as_said(first, second, port, folder)))
    with subprocess.Popen([NGINX, "-c", str(settings), "-p", str(folder)]) as process:
        try:
            for _ in range(200):
                with socket.socket() as place:
                    if place.connect_ex(("127.0.0.1", port)) == 0:
                        break
                assert process.poll() is None, "nginx takes what the page says"
                time.sleep(0.05)
            yield f"https://127.0.0.1:{port}", trusting
        finally:
            process.terminate()
