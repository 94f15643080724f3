"""The page on the terminal shows what a person types and what comes back; here it is typed, in a terminal of 80 columns."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from tests.docs.pages import DOCS, blocks, is_shown

PAGE = DOCS / "how-to" / "elicit-in-the-terminal.md"
PCL = Path(sys.executable).parent / "pcl"
PROMPT = re.compile(r"^(?:draft)?> (.*)$", re.MULTILINE)
SECONDS = 60
TYPED = [block.text for block in blocks(PAGE) if not block.language and PROMPT.search(block.text)]
BEFORE = (
    ("training --log week.jsonl", ()),
    ("meals --log menu.jsonl", ("ask sat",)),
    ("training --log week.jsonl", ("1 = swim", "")),
    ("hotel --log hotel.jsonl", ()),
    ("training --log week.jsonl", ("1 = swim", "done", *["a"] * 6)),
)
"""For each block: the command, and what was typed before it begins."""


def typed(folder: Path, command: str, lines: list[str]) -> str:
    """All that a terminal shows while the lines are typed, each after a prompt."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 80, 0, 0))
    environment = {**os.environ, "TERM": "dumb", "NO_COLOR": "1", "COLUMNS": "80"}
    process = subprocess.Popen(
        [PCL, "elicit", *command.split()], stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder, env=environment
    )
    os.close(theirs)
    seen, left, limit = "", [*lines, "quit"], time.monotonic() + SECONDS
    try:
        while time.monotonic() < limit:
            if select.select([ours], [], [], 0.2)[0]:
                try:
                    seen += os.read(ours, 65536).decode().replace("\r", "")
                except OSError:  # the program has ended, and with it the terminal
                    break
            elif process.poll() is not None:
                break
            if left and re.search(r"(?:^|\n)(?:draft)?> $", seen):
                os.write(ours, f"{left.pop(0)}\n".encode())
                seen += os.read(ours, 65536).decode().replace("\r", "")
        process.wait(timeout=SECONDS)
    finally:
        process.kill()
        os.close(ours)
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seen)


@pytest.mark.parametrize("number", range(len(BEFORE)))
def test_a_terminal_shows_what_the_page_shows(number: int, tmp_path: Path) -> None:
    assert len(TYPED) == len(BEFORE)
    command, before = BEFORE[number]
    shown = re.sub(r"^\$ .*\n", "", TYPED[number])
    seen = typed(tmp_path, command, [*before, *PROMPT.findall(shown)])
    assert is_shown(shown, seen), seen
