"""The workers: processes in which everything is worked out that may take long, hang or die.

The server sends a worker one task at a time and waits beside the event loop. An elicitation always goes to the same worker,
which has it in memory. A worker that dies or takes too long is replaced; who waited for it is asked to try again, and whoever
stands behind is served by the next one.
"""

import asyncio
import logging
import multiprocessing
import os
import zlib
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess

from pcl_app.studio.errors import Refused, try_again
from pcl_app.studio.work.errands import Done, Errand

NURSERY = "pcl_app.studio.work.nursery"
WORKERS = multiprocessing.get_context("forkserver")
"""A process that has one thread imports what workers need, and is copied: the next worker is there in milliseconds."""
WORKERS.set_forkserver_preload([NURSERY])

A_MOMENT = 0.01

logger = logging.getLogger(__name__)


class Seat:
    """A place for a worker. Its thread waits for it, so that one task is with it at a time and the others wait here."""

    def __init__(self, address: str, limit: float) -> None:
        self._address = address
        self.limit = limit
        """Seconds that a command may take."""
        self.pending = 0
        """How many tasks are here, with the worker or waiting for it."""
        self._waiting = ThreadPoolExecutor(1, thread_name_prefix="studio-worker")
        self._worker: ForkServerProcess | None = None
        self._pipe: Connection | None = None
        self._closed = False

    def start(self) -> None:
        """Have a worker sit down before anybody needs it."""
        self._waiting.submit(self._seated)

    async def do(self, task: Errand) -> Done:
        self.pending += 1
        try:
            return await asyncio.wrap_future(self._waiting.submit(self._do, task))
        finally:
            self.pending -= 1

    def close(self) -> None:
        """Whatever the worker is doing ends: an event is written whole or not at all."""
        self._closed = True
        worker = self._worker
        if worker is not None:
            worker.kill()  # its thread sees that the pipe has ended, and waits no longer
        self._waiting.shutdown(wait=True, cancel_futures=True)
        self._dismiss()

    def _do(self, task: Errand) -> Done:
        try:
            pipe = self._seated()
            pipe.send(task)
            if pipe.poll(self.limit):
                done = pipe.recv()
                assert isinstance(done, Done)
                return done
            logger.warning("%s took longer than %g seconds; its worker is replaced", task.command, self.limit)
        except (EOFError, OSError):
            if not self._closed:
                logger.warning("a worker died at %s and is replaced", task.command)
        self._dismiss()
        if not self._closed:
            self._waiting.submit(self._seated)
        found = try_again()
        return Done(status=found.status, error=found.error)

    def _seated(self) -> Connection:
        if self._closed:
            raise BrokenPipeError
        if self._pipe is None or self._worker is None or not self._worker.is_alive():
            self._dismiss()
            ours, theirs = WORKERS.Pipe()
            worker = WORKERS.Process(target=_sit_down, args=(theirs, self._address), daemon=True, name="studio worker")
            worker.start()
            theirs.close()  # so that it ends here when it ends there
            self._worker, self._pipe = worker, ours
        return self._pipe

    def _dismiss(self) -> None:
        worker, pipe, self._worker, self._pipe = self._worker, self._pipe, None, None
        if pipe is not None:
            pipe.close()
        if worker is not None:
            worker.kill()
            worker.join()


class Crew:
    """All seats. Which of them an elicitation has follows from its id."""

    def __init__(self, address: str, workers: int | None, limit: float) -> None:
        count = workers or len(os.sched_getaffinity(0))
        self.seats = [Seat(address, limit) for _ in range(count)]

    def start(self) -> None:
        for seat in self.seats:
            seat.start()

    async def do(self, task: Errand) -> object:
        """Have a task done. What is refused is raised."""
        done = await self._seat_for(task).do(task)
        if done.status != 200:
            raise Refused(done.status, done.error)
        return done.data

    async def idle(self, key: str) -> None:
        """Until nobody waits for the worker that such tasks go to."""
        while self.seat_of(key).pending:
            await asyncio.sleep(A_MOMENT)

    def close(self) -> None:
        for seat in self.seats:
            seat.close()

    def seat_of(self, key: str) -> Seat:
        return self.seats[zlib.crc32(key.encode("utf-8", "replace")) % len(self.seats)]

    def _seat_for(self, task: Errand) -> Seat:
        return self.seat_of(task.elicitation or str(task.arguments.get("uploaded") or task.arguments.get("problem")))


def _sit_down(pipe: Connection, address: str) -> None:
    """In the new process, which has imported what it needs; the server has not, and need not."""
    from pcl_app.studio.work.nursery import work

    work(pipe, address)
