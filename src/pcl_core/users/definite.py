"""Four people who want something definite, one each for the four ways in which people do."""

from collections.abc import Callable, Mapping

import numpy as np

from pcl_core.alternatives.listing import Listing
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.model.problem import Problem
from pcl_core.users.drawing import WISHES
from pcl_core.users.people import Wishing
from pcl_core.users.wishes import Wish, always, at_least, at_most, exactly, never

WEEK = {
    "mon": "weights",
    "tue": "running abs walking squats",
    "wed": "swimming walking",
    "thu": "walking abs rest weights walking",
    "fri": "running abs",
    "sat": "swimming walking squats rest",
    "sun": "walking walking",
}
"""What stands in the slots in which there is time."""


def one_week(problem: Problem) -> list[Wish]:
    """Exactly one week of training, without a single push-up."""
    free = _free_slots(problem)
    return [
        exactly({name: plan for day, line in WEEK.items() for name, plan in zip(free[day], line.split(), strict=True)})
    ]


def week_by_rules(problem: Problem) -> list[Wish]:
    """No push-ups, no running; something for the legs on most days, swimming at the weekend, not too much of anything."""
    free = _free_slots(problem)
    slots = [name for names in free.values() for name in names]
    rules: list[Wish] = [
        never(slots, "pushups", "running"),
        at_least(3, slots, "squats"),
        at_most(4, slots, "weights", "abs"),
        at_least(1, free["sat"], "swimming"),
        always(free["sun"], "walking", "rest"),
    ]
    rules += [at_most(2, names, "rest") for names in free.values()]
    rules += [at_least(1, names, "walking", "swimming") for names in free.values()]
    return rules


def family_menu(problem: Problem) -> list[Wish]:
    """One child cannot eat nuts, another nothing hot; Friday is fish, Saturday pizza, Sunday the roast; every meal is cooked."""
    meals = [variable.name for variable in problem.variables]
    days = {part.name: part.variables for part in problem.parts}
    return [
        never(meals, "green salad with nuts", "stir-fried tofu with peanuts", "vegetable curry", "chicken curry"),
        never(meals, "chili with beans", "vegetable soup", "lentil stew", "bread and cheese"),
        exactly(
            {
                "menu[fri,dinner]": "salmon with broccoli",
                "menu[sat,dinner]": "pizza",
                "menu[sun,lunch]": "roast chicken",
            }
        ),
        at_least(1, days["wed"], "pancakes"),
        at_least(1, days["mon"], "pasta with minced meat"),
        at_least(2, meals, "omelette with spinach"),
        at_least(1, meals, "fish fingers"),
        at_most(1, meals, "pasta with tomatoes"),
        never((name for name in meals if name != "menu[sun,lunch]"), "roast chicken"),
        at_most(3, meals, "pancakes", "pizza"),
    ]


def one_computer(problem: Problem) -> list[Wish]:
    """A quiet computer for games, down to the last component."""
    wanted = {
        "case": "silent tower",
        "board": "B650 large",
        "processor": "Ryzen 7 7800X3D",
        "memory": "32 GB DDR5",
        "card": "RTX 4070",
        "drive": "2 TB NVMe",
        "disk": "no disk",
        "supply": "650 W gold",
        "cooler": "tower cooler",
    }
    return [exactly(wanted)]


DEFINITE: Mapping[str, tuple[str, Callable[[Problem], list[Wish]]]] = {
    "wants exactly one week": ("training", one_week),
    "a week by rules": ("training", week_by_rules),
    "a family's menu": ("meals", family_menu),
    "wants exactly one PC": ("pc", one_computer),
}
"""By what they want: their problem in the catalogue, and their wishes."""

WISHERS = (*WISHES, *DEFINITE)
"""Everybody without a utility, by name: drawn at random for any problem, or written down for one."""


def definite(problem: Problem, wishes: Callable[[Problem], list[Wish]]) -> Wishing:
    return Wishing(Listing(problem), tuple(wishes(problem)))


def check_wisher(name: str, problem: Problem) -> None:
    """Refuse somebody whose wishes are about another problem."""
    if name in DEFINITE and DEFINITE[name][0] != problem.name:
        message = f"'{name}' is somebody for the problem '{DEFINITE[name][0]}', not for '{problem.name}'"
        raise RequestError(Issue(Code.BAD_VALUE, message, f"take one of {', '.join(WISHES)}"))


def wisher(name: str, listing: Listing, generator: np.random.Generator) -> Wishing:
    """Somebody who wants something definite; only who is drawn at random depends on the generator."""
    check_wisher(name, listing.problem)
    return (
        Wishing(listing, tuple(DEFINITE[name][1](listing.problem)))
        if name in DEFINITE
        else WISHES[name](listing, generator)
    )


def _free_slots(problem: Problem) -> dict[str, list[str]]:
    """The slots of each day in which there is time: those that the start has something in."""
    start = problem.initial_configuration
    assert start is not None
    return {part.name: [name for name in part.variables if start[name] != "rest"] for part in problem.parts}
