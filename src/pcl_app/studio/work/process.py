"""A worker process: it takes one command after another from a pipe until the pipe ends."""

import logging
import signal
from importlib import import_module
from importlib.util import find_spec
from multiprocessing.connection import Connection
from typing import Any

from sqlalchemy.exc import DBAPIError

from pcl_app.studio.errors import STATUS, Refused, a_bug, refused, refused_by_core, try_again
from pcl_app.studio.storage import opened
from pcl_app.studio.work.commands import COMMANDS, JsonData
from pcl_app.studio.work.describing import describe
from pcl_app.studio.work.drafts import PAGES
from pcl_app.studio.work.errands import Done, Errand
from pcl_app.studio.work.live import Lives, new_row
from pcl_app.studio.work.simulating import People
from pcl_core.elicitation import Settings, Taste
from pcl_core.errors import Code, PclError

ATTEMPTS = 4
"""How often somebody else may be first before a command is refused."""
NEVER_REPEATED = {"undo"}
"""Taking back what somebody else said meanwhile is not what was meant."""

IDLE_SECONDS = 0.3

logger = logging.getLogger(__name__)


def work(pipe: Connection, address: str) -> None:
    """The life of a worker. Who sent the last command may be gone when it is done; then nobody needs more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C is for the server, which ends its workers
    clerk, ready = Clerk(address), False
    try:
        while True:
            if not ready and clerk.has_worked and not pipe.poll(IDLE_SECONDS):
                get_ready()
                ready = True
            task = pipe.recv()
            pipe.send(clerk.do(task))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return


def get_ready() -> None:
    """A change that cannot be is explained by a solver that takes a moment to import: better while nobody waits."""
    if find_spec("ortools") is not None:
        import_module("ortools.sat.sat_parameters_pb2")
        import_module("ortools.sat.python.cp_model_helper")


class Clerk:
    """Does one task after the other."""

    def __init__(self, address: str) -> None:
        self.has_worked = False
        self._lives = Lives(opened(address))
        self._people = People(self._lives.shelf)

    def do(self, task: Errand) -> Done:
        try:
            return Done(self._attempts(task))
        except Refused as refusal:
            answer = refusal
        except PclError as error:
            answer = refused_by_core(error.data())
            if answer.status not in (409, 422):
                logger.warning("%s: %s", task.command, error)
        except DBAPIError as error:
            logger.warning("%s: the database did not answer: %s", task.command, error.orig)
            self._forget(task)
            answer = try_again("the database did not answer")
        except Exception:
            logger.exception("%s failed", task.command)
            self._forget(task)
            answer = a_bug()
        return Done(status=answer.status, error=answer.error)

    def _attempts(self, task: Errand) -> Any:
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._do(task)
            except PclError as error:
                if error.code is not Code.LOG_MOVED_ON or attempt == ATTEMPTS or task.command in NEVER_REPEATED:
                    raise
        raise AssertionError("the last attempt returns or raises")

    def _do(self, task: Errand) -> Any:
        if task.command == "catalogue":
            return list(self._lives.shelf.names)
        if task.command == "describe":
            return describe(self._lives.shelf, task.person, **task.arguments)
        if task.command == "simulate":
            return self._people.simulate(**task.arguments)
        if task.command == "create":
            return self._create(task)
        assert task.elicitation is not None
        live = self._lives.of(task.elicitation, task.person)
        self.has_worked = True
        if task.seen is not None and task.seen != live.elicitation.events:
            message = "this has changed since you looked: in another window, or by another program"
            raise refused(STATUS[Code.LOG_MOVED_ON], Code.LOG_MOVED_ON, message, "look at it again, and then decide")
        return (COMMANDS | PAGES)[task.command](live, **task.arguments)

    def _create(self, task: Errand) -> JsonData:
        given = task.arguments
        row = new_row(task.person, given["problem"], given["uploaded"], given["title"], task.elicitation)
        self._lives.tidy()
        if given["events"] is not None:
            live = self._lives.take_over(row, given["events"])
        else:
            taste = None if given["taste"] is None else Taste.from_data(given["taste"])
            live = self._lives.begin(row, Settings.of(given["recipe"], **given["settings"]), taste)
        return COMMANDS["look"](live) or {}

    def _forget(self, task: Errand) -> None:
        if task.elicitation is not None:
            self._lives.forget(task.elicitation)
