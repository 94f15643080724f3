"""Where there is no browser it is said, and where one is needed that is a failure."""

import os
import subprocess
import sys

from tests.app.studio.browser.browsers import NOT_RUN

ONE = "tests/app/studio/browser/test_other_pages.py::test_what_is_not_there_is_a_page_that_says_so"


def run(**environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name not in ("CI", "PCL_BROWSER", "PATH")}
    command = [sys.executable, "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", ONE]
    return subprocess.run(command, env={**clean, "PATH": "/nowhere", **environment}, capture_output=True, text=True)


def test_without_a_browser_the_end_says_so_in_one_sentence() -> None:
    ended = run()
    assert ended.returncode == 0, ended.stdout
    assert NOT_RUN in ended.stdout


def test_where_everything_must_pass_a_missing_browser_is_a_failure() -> None:
    ended = run(CI="true")
    assert ended.returncode == 1, ended.stdout
    assert NOT_RUN in ended.stdout
