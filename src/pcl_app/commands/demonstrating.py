"""`pcl demo`: a whole elicitation, with a simulated athlete in front of it who knows what she wants."""

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.padding import Padding
from rich.text import Text

from pcl_app.output import console
from pcl_app.terminal.result import show_result
from pcl_app.terminal.view import View
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_app.writing import make_folder, remove_file
from pcl_core.alternatives import Listing
from pcl_core.authoring import load
from pcl_core.elicitation import Answer, Elicitation, Query, Settings
from pcl_core.model import Problem
from pcl_core.users import DEFINITE, WISHES, Shown, SimulatedPerson, definite

MAX_QUERIES = 60
INDENTED = (0, 0, 0, 4)
WANTS = "a week by rules"
IN_WORDS = (
    "An athlete wants no push-ups and no running; squats at least three times, weights or abs at most four times; swimming "
    "on Saturday, nothing but walking or rest on Sunday; every day a walk or a swim, and at most two rests in what can be "
    "planned. She tells nobody. She is shown one day at a time, and says what should be different."
)
AT_RANDOM = "An athlete has some rules for her week, drawn at random, which she tells nobody."


def demo(
    out: Annotated[Path, typer.Option(metavar="DIR", help="where the log goes")] = Path("pcl-demo"),
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**63 - 1, help="an athlete with other rules, drawn by this seed")
    ] = None,
) -> None:
    """Plan a training week with somebody who knows what she wants.

    She improves one day at a time, and what she says stays.

    Example: pcl demo
    """
    make_folder(out)
    week = load("training")
    names, shown = Vocabulary(week), console()
    view = View(week, names, shown)
    athlete = athlete_of(week, seed)
    log = out / "week.jsonl"
    remove_file(log)
    view.say(f"{week.label}: {week.description}\n")
    view.say(IN_WORDS if seed is None else AT_RANDOM)
    elicitation = Elicitation(week, log=log, settings=Settings.of("people", seed=seed or 0))
    view.say("\nThe week to start from:", "bold")
    view.configuration(elicitation.configuration, elicitation.standing)
    view.say("")
    typed, undone = _converse(elicitation, athlete, view)
    show_result(elicitation, view)
    met = "all that she wanted is there" if athlete.satisfied(elicitation.configuration) else "she is not satisfied"
    view.say(f"\n{elicitation.queries} answers, {typed} values typed, {undone} of them changed afterwards: {met}.")
    elicitation.close()
    view.verbatim(
        f"Every answer is in {log}\nNext: `pcl elicit training`, to be the athlete yourself, or this week in the studio:\n"
        f"  pcl serve --log {log}"
    )


def athlete_of(week: Problem, seed: int | None) -> SimulatedPerson:
    if seed is None:
        return definite(week, DEFINITE[WANTS][1])
    return WISHES["rules"](Listing(week), np.random.default_rng(seed))


def _converse(elicitation: Elicitation, athlete: SimulatedPerson, view: View) -> tuple[int, int]:
    """Ask and tell until the end; how many values she typed, and how many of them were proposed otherwise later."""
    typed, count, undone = dict[str, object](), 0, 0
    while elicitation.queries < MAX_QUERIES and (query := elicitation.ask()) is not None:
        undone += sum(typed.get(name, value) != value for name, value in query.proposal.items())
        answer = answer_of(elicitation.problem, athlete, query)
        typed |= answer.values
        count += len(answer.values)
        if len(query.parts) == 1:
            view.say(f"{query.number:2}  {query.label}: {', '.join(map(str, query.proposal.values()))}", "bold")
            view.show(Padding(Text(f"why: {query.why_text}", style="dim"), INDENTED, expand=False))
        else:
            view.say(f"{query.number:2}  {query.label}", "bold")
        said = view.one_line({name: str(value) for name, value in answer.values.items()}, len(query.parts))
        reply = f"she: {said}; that is how I want it" if said else "she: right as it is"
        view.show(Padding(Text(reply, style="green"), INDENTED, expand=False))
        elicitation.tell(answer)
    return count, undone


def answer_of(problem: Problem, athlete: SimulatedPerson, query: Query) -> Answer:
    """What she says: of several days, the first that is not right."""
    for part in query.parts:
        reply = athlete.reply(Shown(problem.part_position(part), dict(query.configuration), {}, query.number))
        if reply.kind == "improved":
            return query.improve(reply.values, final=reply.final)
    return query.accept()
