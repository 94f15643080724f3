"""Ctrl-C at any line."""

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any


def interrupted(call: Callable[[], object], at: int, inside: tuple[str, ...]) -> bool:
    """Run a call and press ctrl-C at the line number `at` that it runs in some files; False if it ended before."""
    lines = 0

    def within(frame: FrameType, event: str, argument: object) -> Any:
        nonlocal lines
        if event in ("line", "return"):
            lines += 1
            if lines == at:
                raise KeyboardInterrupt
        return within

    def called(frame: FrameType, event: str, argument: object) -> Any:
        # While an object is removed, a generator too, Python itself holds interrupts back.
        removing = frame.f_code.co_name in ("__del__", "<genexpr>") or (
            frame.f_back and frame.f_back.f_code.co_name == "__del__"
        )
        here = any(part in frame.f_code.co_filename for part in inside)
        return within if here and not removing else None

    before = sys.gettrace()
    sys.settrace(called)
    try:
        call()
    except KeyboardInterrupt:
        return True
    finally:
        sys.settrace(before)
    return False
