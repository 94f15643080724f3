"""What holds for all tests."""

import signal
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from tests.app.studio.browser.browsers import NOT_RUN, QUIETLY, find_browser, must_run
from tests.app.studio.proxies import NOT_TRIED

from pcl_app.threads import one_thread

if TYPE_CHECKING:
    from playwright.sync_api import Browser

RESOURCES = "resources"
"""The property of a test under which it records a table of what something cost."""


def pytest_configure() -> None:
    """What all processes of a run inherit.

    There are as many as cores, so each computes with one thread. A run in the background may have been started with ctrl-C
    ignored, and whatever tests start would be deaf to it.
    """
    one_thread()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def browser() -> "Iterator[Browser]":
    """One for all tests of a process: Playwright does not run twice in it."""
    from playwright.sync_api import sync_playwright

    path = find_browser()
    if path is None:
        if must_run():
            pytest.fail(NOT_RUN)
        pytest.skip(NOT_RUN)
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=list(QUIETLY))
        yield started
        started.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    _show_resources(terminalreporter)
    _show_campaign(terminalreporter)
    _show_missing(terminalreporter, "browser", NOT_RUN)
    _show_missing(terminalreporter, "proxy", NOT_TRIED)


def _show_missing(terminalreporter: pytest.TerminalReporter, what: str, sentence: str) -> None:
    """Nobody should believe that pages were tried in a browser, or behind a proxy, when there was none."""
    reasons = [str(report.longrepr) for report in terminalreporter.getreports("skipped")]
    if any(sentence in reason for reason in reasons):
        terminalreporter.section(what)
        terminalreporter.write_line(sentence)


def _show_resources(terminalreporter: pytest.TerminalReporter) -> None:
    """Times are measured and shown, not asserted."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, table in report.user_properties:
            if name == RESOURCES:
                terminalreporter.section("resources")
                terminalreporter.write_line(str(table))


def _show_campaign(terminalreporter: pytest.TerminalReporter) -> None:
    """How many requests of the campaign each backend refused, by the size of their numbers."""
    counts: dict[str, Counter[tuple[str, bool]]] = {}
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, value in report.user_properties:
            if name == "campaign" and report.when == "call":
                backend, numbers, refused = value
                counts.setdefault(backend, Counter())[numbers, refused] += 1
    if not counts:
        return
    kinds = sorted({numbers for count in counts.values() for numbers, _ in count})
    terminalreporter.section("campaign: refused of asked, by the size of numbers")
    terminalreporter.write_line(f"{'':14}" + "".join(f"{kind:>14}" for kind in kinds))
    for backend, count in counts.items():
        cells = [f"{count[kind, True]} of {count[kind, True] + count[kind, False]}" for kind in kinds]
        terminalreporter.write_line(f"{backend:14}" + "".join(f"{cell:>14}" for cell in cells))
