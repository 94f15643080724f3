"""A file of names and hashed passwords: a line for each person, `name:scrypt$cost$salt$hash`."""

import hashlib
import hmac
import os
import re
import secrets
from pathlib import Path

from pcl_core.errors import Code, Issue, Location, RequestError

COST, BLOCK, PARALLEL = 2**14, 8, 1
MEMORY = 64 * 1024 * 1024
NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,39}")
LINE = re.compile(rf"({NAME.pattern}):scrypt\$(\d+)\$([0-9a-f]{{32}})\$([0-9a-f]{{64}})")
LEAST_PASSWORD = 8
MAX_PASSWORD = 1000


class Passwords:
    """The people of a team. The file is read again when it changes, so that who is added can come in at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._read_at: tuple[int, int] | None = None
        self._lines: dict[str, str] = {}
        self.line("")  # what is wrong with the file is said now

    def line(self, name: str) -> str | None:
        """What the file has for a person: it changes with her password, and so does whatever is signed with it."""
        try:
            state = self._path.stat()
            if (state.st_mtime_ns, state.st_size) != self._read_at:
                self._lines = read_users(self._path)
                self._read_at = (state.st_mtime_ns, state.st_size)
        except OSError as error:
            message = f"the file of users cannot be read: {error.strerror}"
            raise RequestError(Issue(Code.FILE_UNREADABLE, message, None, Location(str(self._path)))) from None
        return self._lines.get(name)

    def fits(self, name: str, password: str) -> bool:
        """Takes as long for a name that is not there."""
        found = LINE.fullmatch(self.line(name) or hashed("nobody", secrets.token_hex()))
        assert found is not None
        known = hmac.compare_digest(_hash(password, bytes.fromhex(found[3]), int(found[2])), bytes.fromhex(found[4]))
        return known and self.line(name) is not None


def read_users(path: Path) -> dict[str, str]:
    found = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        match = LINE.fullmatch(line.strip())
        if match is None:
            hint = "`pcl serve --users FILE --add-user NAME` writes such lines"
            where = Location(str(path), number, 1)
            raise RequestError(Issue(Code.SYNTAX, "this is no line of a file of users", hint, where))
        found[match[1]] = line.strip()
    return found


def add_user(path: Path, name: str, password: str) -> bool:
    """Add a person, or give her another password; returns whether she is new."""
    if NAME.fullmatch(name) is None:
        hint = "small letters, digits, - and _; at most 40, and the first is a letter or a digit"
        raise RequestError(Issue(Code.BAD_NAME, f"'{name:.60}' cannot be the name of a user", hint))
    if not LEAST_PASSWORD <= len(password) <= MAX_PASSWORD:
        raise RequestError(Issue(Code.BAD_VALUE, f"a password has at least {LEAST_PASSWORD} characters"))
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    users = read_users(path) if path.exists() else {}
    kept = [line for line in before.splitlines() if not line.startswith(f"{name}:")]
    draft = path.with_name(f"{path.name}.new")
    with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.write("\n".join([*kept, hashed(name, password)]) + "\n")
    os.replace(draft, path)
    return name not in users


def hashed(name: str, password: str) -> str:
    salt = secrets.token_bytes(16)
    return f"{name}:scrypt${COST}${salt.hex()}${_hash(password, salt, COST).hex()}"


def _hash(password: str, salt: bytes, cost: int) -> bytes:
    text = password[:MAX_PASSWORD].encode("utf-8", "replace")
    return hashlib.scrypt(text, salt=salt, n=cost, r=BLOCK, p=PARALLEL, maxmem=MEMORY, dklen=32)
