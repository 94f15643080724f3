"""How often and how much: nobody keeps the others from being served."""

import time
from collections import OrderedDict
from collections.abc import Callable

from starlette.exceptions import HTTPException
from starlette.types import Message, Receive

from pcl_app.studio.errors import Refused, refused

MOST_KNOWN = 10_000


class Rate:
    """So many at once, and so many a second after that; for each key by itself."""

    def __init__(self, burst: float, a_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._burst = burst
        self._a_second = a_second
        self._clock = clock
        self._left: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def allows(self, key: str) -> bool:
        now = self._clock()
        left, then = self._left.pop(key, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._a_second)
        self._left[key] = (left - 1 if left >= 1 else left, now)
        if len(self._left) > MOST_KNOWN:
            self._left.popitem(last=False)
        return left >= 1

    def is_spent(self, key: str) -> bool:
        """Whether nothing is left; this does not count as one."""
        left, then = self._left.get(key, (self._burst, self._clock()))
        return left + (self._clock() - then) * self._a_second < 1


def too_often() -> Refused:
    return refused(429, "too-often", "this is too often", "wait a moment, and go on")


def too_large(limit: int) -> Refused:
    return refused(413, "file-too-large", f"this is larger than {limit:,} bytes", "send less")


class TooMuchError(HTTPException):
    """More is sent than was allowed; raised where it is read, in a form that whoever reads lets through."""

    def __init__(self, limit: int) -> None:
        super().__init__(413, str(too_large(limit)))


def bounded(receive: Receive, limit: int) -> Receive:
    """The same messages, as long as they are not too large together."""
    read = 0

    async def counted() -> Message:
        nonlocal read
        message = await receive()
        read += len(message.get("body", b""))
        if read > limit:
            raise TooMuchError(limit)
        return message

    return counted
