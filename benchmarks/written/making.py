"""How people are written down who want something definite: in lines of a week, a menu, a trip, or by pieces."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from pcl_core import Problem
from pcl_core.ir import Value
from pcl_core.users.wishes import Wish, exactly

Wishes: TypeAlias = Callable[[Problem], list[Wish]]

DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def free_slots(problem: Problem) -> dict[str, list[str]]:
    """The slots of each day in which there is time: those that the start has something in."""
    start = problem.initial_configuration
    assert start is not None
    return {part.name: [name for name in part.variables if start[name] != "rest"] for part in problem.parts}


def week(story: str, *lines: str) -> Wishes:
    """Seven lines from Monday on: what stands in the slots in which there is time."""

    def wishes(problem: Problem) -> list[Wish]:
        free = free_slots(problem)
        plans = dict(zip(DAYS, lines, strict=True))
        return [exactly({name: plan for day in DAYS for name, plan in zip(free[day], plans[day].split(), strict=True)})]

    wishes.__doc__ = story
    return wishes


def computer(story: str, **parts: str) -> Wishes:
    def wishes(problem: Problem) -> list[Wish]:
        assert set(parts) == {variable.name for variable in problem.variables}
        return [exactly(parts)]

    wishes.__doc__ = story
    return wishes


def menu(story: str, *lines: str) -> Wishes:
    """Seven lines from Monday on, "lunch / dinner"."""

    def wishes(problem: Problem) -> list[Wish]:
        values: dict[str, Value] = {}
        for day, line in zip(DAYS, lines, strict=True):
            noon, evening = line.split(" / ")
            values |= {f"menu[{day},lunch]": noon, f"menu[{day},dinner]": evening}
        return [exactly(values)]

    wishes.__doc__ = story
    return wishes


def trip(story: str, *lines: str) -> Wishes:
    """Four lines from Thursday on, "morning / afternoon / evening"."""

    def wishes(problem: Problem) -> list[Wish]:
        values: dict[str, Value] = {}
        for day, line in zip(("thu", "fri", "sat", "sun"), lines, strict=True):
            for time, place in zip(("morning", "afternoon", "evening"), line.split(" / "), strict=True):
                values[f"plan[{day},{time}]"] = place
        return [exactly(values)]

    wishes.__doc__ = story
    return wishes


def flat(story: str, places: Mapping[str, str]) -> Wishes:
    def wishes(problem: Problem) -> list[Wish]:
        values = {f"place[{piece}]": spot for piece, spot in places.items()}
        assert set(values) == {variable.name for variable in problem.variables}
        return [exactly(values)]

    wishes.__doc__ = story
    return wishes
