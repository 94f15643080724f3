"""What holds for all tests."""

import signal

import pytest

RESOURCES = "resources"
"""The property of a test under which it records a table of what something cost."""


def pytest_configure() -> None:
    """A run in the background may have been started with ctrl-C ignored, and whatever tests start would inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Times are measured and shown, not asserted."""
    for report in terminalreporter.getreports("passed") + terminalreporter.getreports("failed"):
        for name, table in report.user_properties:
            if name == RESOURCES:
                terminalreporter.section("resources")
                terminalreporter.write_line(str(table))
