"""`pcl elicit`: a person in the terminal."""

import re
import shlex
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, get_args

import typer

from pcl_app.commands.options import BackendOption, FormatOption, ProblemArgument, TimeLimitOption
from pcl_app.completing import complete_learner, complete_order, complete_selection
from pcl_app.inputs import read_configuration_file, read_taste_file, read_weights_file
from pcl_app.output import Format, Worker, console
from pcl_app.own_strategies import check_learner, check_resumed, read_own_file, strategies_in_files
from pcl_app.streams import print_json
from pcl_app.terminal.reading import Lines, stdout_for_results
from pcl_app.terminal.result import result_document
from pcl_app.terminal.session import Session
from pcl_app.terminal.view import View
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_core.authoring import load
from pcl_core.elicitation import RECIPES, STARTS, Elicitation, Mode, Settings
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.learn import LEARNERS, ORDERINGS, SELECTIONS, STOPS
from pcl_core.model import Problem
from pcl_core.plugins import OwnFile
from pcl_core.solve import Options

UNSAFE = re.compile(r"[^\w.-]+")
MAX_STEM = 80
NOTHING_ASKED = "pcl: interrupted; nothing was asked yet"

PARTS_IN_TURN = "round-robin"
"""Where no recipe says otherwise, the parts come one after the other, which asks less often than parts at random."""


def elicit(
    problem: ProblemArgument,
    resume: Annotated[Path | None, typer.Option(metavar="LOG", help="go on from this log")] = None,
    log: Annotated[
        Path | None, typer.Option(metavar="FILE", help="a new log; default PROBLEM-DATE-TIME.jsonl here")
    ] = None,
    backend: BackendOption = "auto",
    time_limit: TimeLimitOption = None,
    recipe: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(RECIPES), help="mode, learner, select, order and stop in one word; default people"
        ),
    ] = None,
    mode: Annotated[
        str | None,
        typer.Option(
            metavar="|".join(get_args(Mode)),
            help="what stays: all you say (people, default), improvements, or nothing",
        ),
    ] = None,
    select: Annotated[
        str | None,
        typer.Option(
            help=f"part to ask about: {', '.join(SELECTIONS.own_names)}, or file.py:Name; default expected",
            autocompletion=complete_selection,
        ),
    ] = None,
    order: Annotated[
        str | None,
        typer.Option(
            help=f"order of the parts: {', '.join(ORDERINGS)}, file.py:name, or all of them; default declared",
            autocompletion=complete_order,
        ),
    ] = None,
    learner: Annotated[
        str | None,
        typer.Option(
            help=f"{', '.join(LEARNERS.own_names)}, or file.py:Name; default belief", autocompletion=complete_learner
        ),
    ] = None,
    stop: Annotated[
        str | None, typer.Option(metavar="|".join(STOPS), help="when it ends by itself; default certificate")
    ] = None,
    start: Annotated[
        str | None, typer.Option(metavar="|".join(STARTS), help="where it starts; default declared, else solver")
    ] = None,
    given: Annotated[Path | None, typer.Option(metavar="X.json", help="start from this configuration")] = None,
    weights: Annotated[Path | None, typer.Option(metavar="W.json", help="weights to start from; default zero")] = None,
    taste: Annotated[
        Path | None, typer.Option(metavar="FILE", help="what you liked another time, kept by 'taste' at its end")
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, max=2**63 - 1, help="for what is random; default 0")] = None,
    output: FormatOption = Format.TEXT,
) -> None:
    """Say how a product should be, part by part, in the terminal.

    What you say stays. What you like is learned from what you change, and the next proposals follow it.

    Everything told is in the log at once. Type ? for what can be typed; lines from a pipe work too.

    Example: pcl elicit training --log week.jsonl
    """
    if sys.stdin is None:
        message = "standard input is closed, so nothing can be told"
        raise RequestError(Issue(Code.BAD_VALUE, message, "use a terminal, or a pipe with lines"))
    loaded = load(problem)
    strategies = {"select": select, "order": order, "learner": learner}
    new: dict[str, object] = {
        "--log": log,
        "--recipe": recipe,
        "--mode": mode,
        **{f"--{name}": said for name, said in strategies.items()},
        "--stop": stop,
        "--taste": taste,
    }
    new |= {"--start": start, "--given": given, "--weights": weights, "--seed": seed}
    shown = console(stderr=output is Format.JSON)
    worker = Worker(shown)
    options = Options(time_limit)
    own = {name: read_own_file(said) for name, said in strategies.items() if said is not None}
    in_files = {name: said for name, said in own.items() if isinstance(said, OwnFile)}
    if "learner" in own and resume is None:
        check_learner(own["learner"], loaded)
    given_strategies = strategies_in_files(own.get("learner"), own.get("select"), own.get("order"))
    if resume is not None:
        for option, value in new.items():
            if value is not None and option.removeprefix("--") not in in_files:
                hint = "leave it out, or start anew without --resume"
                raise RequestError(Issue(Code.BAD_VALUE, f"{option} is for a new elicitation; a log has its own", hint))
        elicitation = worker.run_or_leave(
            lambda: Elicitation.resume(resume, loaded, backend=backend, options=options, strategies=given_strategies),
            NOTHING_ASKED,
        )
        check_resumed(elicitation.settings, in_files)
        path = resume
    else:
        if start is not None and given is not None:
            raise RequestError(Issue(Code.BAD_VALUE, "--start and --given are two places to start from", "give one"))
        said = {**{name: str(value) for name, value in own.items()}, "mode": mode, "stop": stop, "seed": seed}
        settings = settings_of(recipe, {name: value for name, value in said.items() if value is not None})
        first = start if given is None else read_configuration_file(loaded, given)
        known = None if weights is None else read_weights_file(loaded, weights)
        liked = None if taste is None else read_taste_file(taste)
        path = log or default_log(loaded, time.localtime())
        elicitation = worker.run_or_leave(
            lambda: Elicitation(
                loaded,
                backend=backend,
                options=options,
                settings=settings,
                strategies=given_strategies,
                start=first,
                weights=known,
                log=path,
                taste=liked,
            ),
            NOTHING_ASKED,
        )
    again = ["pcl", "elicit", problem, "--resume", str(path)]
    again += [word for name, said in in_files.items() for word in (f"--{name}", said.reference)]
    again += [] if backend == "auto" else ["--backend", backend]
    again += [] if time_limit is None else ["--time-limit", f"{time_limit:g}"]
    again += [] if output is Format.TEXT else ["--format", output.value]
    names = Vocabulary(loaded)
    view = View(loaded, names, shown)
    kept = str(taste or f"{_stem(loaded)}-taste.json")
    with stdout_for_results(output is Format.JSON and sys.stdin.isatty()):
        view.say(f"{loaded.label or loaded.name}: {loaded.description or loaded.name}")
        view.say(f"{'Everything you tell is saved at once in' if resume is None else 'Going on with'} {path}")
        if taste is not None:
            view.say(f"What you liked, in {taste}, is where this starts.")
            if elicitation.rules:
                view.say(f"Your rules hold again: {'; '.join(rule.words for rule in elicitation.rules)}")
        session = Session(elicitation, names, view, Lines(shown), worker, str(path), kept, problem)
        _converse(session, elicitation, view, worker, shlex.join(again), offering=output is Format.TEXT)
    if output is Format.JSON:
        print_json(result_document(elicitation, str(path)))
    elicitation.close()


def _converse(
    session: Session, elicitation: Elicitation, view: View, worker: Worker, again: str, *, offering: bool
) -> None:
    """Talk until the end, or until the person leaves; however that happens, she learns how to go on."""
    if elicitation.report:
        view.say(f"! {elicitation.report}", "yellow")
    view.say("Type '?' for help.")
    try:
        session.run(offering)
    except KeyboardInterrupt:
        view.say("")
        _farewell(session, view, again)
        worker.leave(130)
    except Exception:
        _farewell(session, view, again)
        raise
    if elicitation.finished:
        view.verbatim(f"The log is {session.log}. To take back the end, type 'undo' in:\n  {again}")
    else:
        _farewell(session, view, again)


def _farewell(session: Session, view: View, again: str) -> None:
    if session.untold:
        view.verbatim(f"The draft was not told. To have it again, type: {session.untold_line}")
    view.verbatim(f"Everything told is saved. To go on:\n  {again}")


def settings_of(recipe: str | None, said: Mapping[str, object]) -> Settings:
    """A recipe, `people` if none is named, with what is said beside it. Another mode alone changes only that."""
    if recipe is None and said.get("mode", "people") != "people":
        return Settings.of("keep", **{"select": PARTS_IN_TURN, **said})
    return Settings.of(recipe or "people", **said)


def default_log(problem: Problem, now: time.struct_time) -> Path:
    """A new name in the current folder: the problem, and when it started."""
    stem = _stem(problem) + time.strftime("-%Y%m%d-%H%M%S", now)
    for number in range(1, 1000):
        path = Path(f"{stem}.jsonl" if number == 1 else f"{stem}-{number}.jsonl")
        if not path.exists():
            return path
    return path


def _stem(problem: Problem) -> str:
    """The problem's name, as a file can have it."""
    return UNSAFE.sub("-", problem.name)[:MAX_STEM].strip("-.") or "problem"
