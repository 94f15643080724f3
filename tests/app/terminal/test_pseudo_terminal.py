"""The program on a pseudo-terminal: line editing, ctrl-C at the prompt and while solving, and going on afterwards."""

import json
import os
import pty
import re
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.app.hard import hard_problem
from tests.app.terminal.driving import ENVIRONMENT, IN_TURN, PCL, document, pcl_elicit

SECONDS = 40


STARTED: list[subprocess.Popen[bytes]] = []


@pytest.fixture(autouse=True)
def _nothing_left_running() -> Iterator[None]:
    yield
    while STARTED:
        program = STARTED.pop()
        if program.poll() is None:
            program.kill()
            program.wait()


class Terminal:
    """A program with a terminal of its own. What it shows is kept."""

    def __init__(self, folder: Path, *arguments: str, stdout: int | None = None) -> None:
        self._here, there = pty.openpty()
        environment = {**ENVIRONMENT, "TERM": "dumb"}
        self.program = subprocess.Popen(
            [PCL, "elicit", *arguments],
            stdin=there,
            stdout=there if stdout is None else stdout,
            stderr=there,
            cwd=folder,
            env=environment,
            preexec_fn=_own_terminal,
        )
        os.close(there)
        STARTED.append(self.program)
        self.shown = ""
        self._seen = 0

    def _read(self, until: float) -> bool:
        """Whether there may be more to read."""
        assert time.monotonic() < until, f"it takes too long:\n{self.shown}"
        if select.select([self._here], [], [], 0.2)[0]:
            try:
                found = os.read(self._here, 65536)
            except OSError:  # the other end is closed
                return False
            self.shown += found.decode()
            return bool(found)
        return True

    def wait_for(self, text: str) -> None:
        """Read until the text is shown, after what was waited for before."""
        until = time.monotonic() + SECONDS
        while text not in self.shown[self._seen :]:
            assert self._read(until), f"'{text}' did not come:\n{self.shown}"
        self._seen = self.shown.index(text, self._seen) + len(text)

    def interrupt(self) -> int:
        """Press ctrl-C until it is noticed: a line editor that is just about to wait for a key does not."""
        until = time.monotonic() + SECONDS
        self.type("\x03")
        pressed = time.monotonic()
        while self._read(until):
            if time.monotonic() - pressed > 3:
                self.type("\x03")
                pressed = time.monotonic()
        return self.end()

    def type(self, text: str) -> None:
        os.write(self._here, text.encode())

    def end(self) -> int:
        """Read to the end, then the exit code."""
        until = time.monotonic() + SECONDS
        while self._read(until):
            pass
        code = self.program.wait(SECONDS)
        os.close(self._here)
        return code


def _own_terminal() -> None:
    os.setsid()
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


def resume_command(shown: str) -> list[str]:
    found = re.search(r"To go on:\s+pcl elicit (.*?)\r\n", shown)
    assert found is not None, shown
    return found[1].split()


def test_ctrl_c_at_the_prompt_and_resume_to_the_same_state(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "training", *IN_TURN, "--log", "t.jsonl")
    terminal.wait_for("\n> ")
    terminal.type("1 = runn")
    terminal.type("\x7f\x7fn\r")
    terminal.wait_for("draft> ")
    terminal.type("done\r")
    terminal.wait_for("query 2: tue")
    terminal.wait_for("> ")
    terminal.type("pin 2 = abs\r")
    terminal.wait_for("pinned")
    terminal.wait_for("> ")
    terminal.type("3 = walk\r")
    terminal.wait_for("draft> ")
    assert terminal.interrupt() == 130
    assert "type: slot 3 = walking" in terminal.shown
    assert "Traceback" not in terminal.shown
    arguments = resume_command(terminal.shown)
    assert arguments == ["training", "--resume", "t.jsonl"]
    found = document(pcl_elicit(tmp_path, *arguments, "--format", "json", lines=""))
    assert found["queries"] == 2
    assert found["configuration"]["plan[mon,1]"] == "running"
    assert found["pins"] == {"plan[tue,2]": "abs"}
    again = Terminal(tmp_path, *arguments)
    again.wait_for("query 2: tue")
    again.wait_for("\n> ")
    again.type("\x04")
    assert again.end() == 0


def test_json_on_stdout_while_the_person_sees_the_terminal(tmp_path: Path) -> None:
    with (tmp_path / "out.json").open("wb") as out:
        terminal = Terminal(tmp_path, "grid", "--log", "g.jsonl", "--format", "json", stdout=out.fileno())
        for _ in range(4):
            terminal.wait_for("> ")
            terminal.type("a\r")
        assert terminal.end() == 0
    found = json.loads((tmp_path / "out.json").read_text())
    assert found["queries"] == 4
    assert found["certificate"] is not None
    assert "This is certified" in terminal.shown


@pytest.mark.parametrize("after", [1.5, 4.0])
def test_ctrl_c_while_solving(tmp_path: Path, after: float) -> None:
    hard_problem(tmp_path)
    terminal = Terminal(tmp_path, "sacks.yaml", "--weights", "w.json", "--log", "s.jsonl")
    terminal.wait_for("for help.")
    time.sleep(after)
    assert terminal.program.poll() is None
    pressed = time.monotonic()
    assert terminal.interrupt() == 130
    assert time.monotonic() - pressed < 10
    assert resume_command(terminal.shown) == ["sacks.yaml", "--resume", "s.jsonl"]
    limited = pcl_elicit(tmp_path, "sacks.yaml", "--resume", "s.jsonl", "--time-limit", "1", lines="")
    assert limited.returncode == 0
    assert "stopped by the time limit" in limited.stdout


def test_hanging_up_loses_nothing(tmp_path: Path) -> None:
    terminal = Terminal(tmp_path, "grid", *IN_TURN, "--log", "g.jsonl")
    terminal.wait_for("> ")
    terminal.type("a\r")
    terminal.wait_for("query 2")
    terminal.program.send_signal(signal.SIGKILL)
    terminal.end()
    found = document(pcl_elicit(tmp_path, "grid", "--resume", "g.jsonl", "--format", "json", lines=""))
    assert found["confirmed"] == {"block[0,0]": 1}
