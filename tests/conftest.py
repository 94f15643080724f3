"""What holds for all tests."""

import signal


def pytest_configure() -> None:
    """A run in the background may have been started with ctrl-C ignored, and whatever tests start would inherit that."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
