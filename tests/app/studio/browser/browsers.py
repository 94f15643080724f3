"""A real browser for tests: any Chromium or Chrome that is found."""

import os
import shutil
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
ELSEWHERE = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
QUIETLY = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)
NOT_RUN = (
    "The browser tests were not run, since no Chromium was found; to get one: `apt-get install chromium`, "
    "or name one in PCL_BROWSER."
)


def find_browser() -> str | None:
    """The path of a browser; PCL_BROWSER names one."""
    named = os.environ.get("PCL_BROWSER")
    found = [named] if named else [shutil.which(name) for name in NAMES] + [it for it in ELSEWHERE if Path(it).exists()]
    return next((path for path in found if path), None)


def must_run() -> bool:
    """Where everything has to pass, a browser that is missing is a failure."""
    return os.environ.get("CI", "").lower() == "true"
