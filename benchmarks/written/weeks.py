"""People with a week of training in mind, exactly or by rules."""

from collections.abc import Mapping
from itertools import pairwise

from benchmarks.written.making import DAYS, Wishes, free_slots, week

from pcl_core import Problem
from pcl_core.users.wishes import PairWish, Wish, always, at_least, at_most, never

TRAINING_EXACT: dict[str, Wishes] = {
    "Ilse, swims every day she can": week(
        "68, retired, swims in the public pool, walks there and back; nothing else ever.",
        "swimming",
        "walking swimming walking rest",
        "swimming rest",
        "walking swimming walking rest rest",
        "swimming walking",
        "walking swimming swimming walking",
        "rest walking",
    ),
    "Marko, beginner": week(
        "His doctor told him to move. Short walks, and a lot of rest; nothing on Fridays.",
        "rest",
        "walking rest rest rest",
        "walking rest",
        "rest walking rest walking rest",
        "rest rest",
        "walking walking rest rest",
        "walking rest",
    ),
    "Henriette, bad back": week(
        "A nurse with a slipped disc: what the physiotherapist allows, which is belly exercises and walking.",
        "abs",
        "walking abs rest walking",
        "walking rest",
        "abs walking rest abs walking",
        "walking walking",
        "walking abs walking rest",
        "walking rest",
    ),
    "Jonas, triathlete": week(
        "Swims and runs, squats in place of the bicycle; a brick session on Thursday, easy on Sunday afternoon.",
        "swimming",
        "running squats rest swimming",
        "running rest",
        "swimming swimming running rest squats",
        "rest swimming",
        "swimming squats running rest",
        "running walking",
    ),
    "Priya, variety": week(
        "Is bored at once: all seven activities in the week, and none twice on a day.",
        "squats",
        "swimming abs running weights",
        "walking pushups",
        "running weights abs walking squats",
        "swimming walking",
        "abs squats pushups running",
        "weights walking",
    ),
    "Dov, keeps the push-ups": week(
        "A sergeant who finds the week right as it is: a run on Thursday and on Saturday, and no sport on Sunday.",
        "pushups",
        "pushups pushups pushups pushups",
        "pushups pushups",
        "pushups pushups running pushups pushups",
        "pushups pushups",
        "running pushups pushups pushups",
        "rest rest",
    ),
    "Kofi, lifts weights": week(
        "The gym by a plan of his own: weights nearly every day, belly on Tuesday, legs on Thursday and Saturday.",
        "weights",
        "weights weights abs abs",
        "squats weights",
        "weights abs weights squats squats",
        "weights rest",
        "weights squats squats weights",
        "rest rest",
    ),
    "Yuki, marathon in spring": week(
        "Long run on Sunday, rest on the Monday after it, intervals on Thursday, some strength so that the knees hold.",
        "rest",
        "running walking running rest",
        "running rest",
        "running running walking rest abs",
        "rest walking",
        "running rest squats abs",
        "running running",
    ),
    "Lena, mother of a baby": week(
        "Has only the first half hour while the baby sleeps; Saturday belongs to her mother, Sunday to the pram.",
        "abs",
        "squats rest rest rest",
        "pushups rest",
        "abs pushups rest rest rest",
        "squats rest",
        "rest rest rest rest",
        "walking walking",
    ),
    "Nuria, climbs at the weekend": week(
        "Arms and core until Thursday, nothing from Friday on, because she hangs on a rock then; a walk on Sunday.",
        "pushups",
        "weights abs pushups rest",
        "abs pushups",
        "weights rest abs pushups walking",
        "rest rest",
        "rest rest rest rest",
        "walking rest",
    ),
    "Bernd, the same every day": week(
        "For twenty years push-ups before breakfast and a walk with the dog after it. Then he is done.",
        "pushups",
        "pushups walking rest rest",
        "pushups walking",
        "pushups walking rest rest rest",
        "pushups walking",
        "pushups walking rest rest",
        "pushups walking",
    ),
    "Stefano, weekend warrior": week(
        "At the office all week, an evening walk on Tuesday at best; makes up for it on Saturday and Sunday.",
        "rest",
        "rest rest rest walking",
        "rest rest",
        "rest rest rest rest rest",
        "rest rest",
        "running weights abs swimming",
        "swimming running",
    ),
    "Amélie, dancer": week(
        "Legs and core around rehearsals; the late slots are free of training when there is a performance.",
        "squats",
        "squats abs squats abs",
        "abs squats",
        "walking squats abs rest rest",
        "rest squats",
        "abs squats walking rest",
        "rest walking",
    ),
    "Tomasz, arm in a cast": week(
        "Broke his arm and is full of energy: everything that needs no arms.",
        "running",
        "running abs walking rest",
        "squats running",
        "running squats squats walking abs",
        "walking running",
        "squats abs running walking",
        "running walking",
    ),
}


def _all(free: Mapping[str, list[str]]) -> list[str]:
    return [name for names in free.values() for name in names]


def sore_shoulder(problem: Problem) -> list[Wish]:
    """Ruth's shoulder was operated: nothing with the arms; three runs at most, a pause on each long day."""
    free = free_slots(problem)
    slots = _all(free)
    rules: list[Wish] = [
        never(slots, "pushups", "weights", "swimming"),
        at_most(3, slots, "running"),
        at_least(4, slots, "abs"),
        at_most(6, slots, "rest"),
    ]
    rules += [at_least(1, free[day], "rest") for day in ("tue", "thu", "sat")]
    return rules


def half_marathon(problem: Problem) -> list[Wish]:
    """Hassan prepares for a half marathon with friends: four runs on fixed days, never two on a day, and rest on Monday and Friday."""
    free = free_slots(problem)
    slots = _all(free)
    rules: list[Wish] = [at_most(1, names, "running") for names in free.values()]
    rules += [
        *(at_least(1, free[day], "running") for day in ("tue", "thu", "sat", "sun")),
        always(free["mon"] + free["fri"], "rest"),
        at_least(2, free["tue"] + free["thu"], "squats"),
        at_most(3, slots, "pushups"),
        never(slots, "swimming"),
    ]
    return rules


def ladies_hours(problem: Problem) -> list[Wish]:
    """The pool has hours for women only on Tuesday and Thursday. Samira swims then; does not run; likes her free time."""
    free = free_slots(problem)
    slots = _all(free)
    pool = ("tue", "thu")
    return [
        *(at_least(1, free[day], "swimming") for day in pool),
        never([name for day in DAYS if day not in pool for name in free[day]], "swimming"),
        never(slots, "running", "weights"),
        at_least(6, slots, "rest"),
        at_most(4, slots, "pushups"),
    ]


def gym_buddy(problem: Problem) -> list[Wish]:
    """Carlos trains with a friend who does the same on Tuesday and Thursday, and on Saturday what was done on Wednesday."""
    free = free_slots(problem)
    rules: list[Wish] = [
        PairWish(first, second, True) for first, second in zip(free["tue"], free["thu"][1:], strict=True)
    ]
    rules += [PairWish(first, second, True) for first, second in zip(free["wed"], free["sat"], strict=False)]
    rules += [
        at_least(2, free["tue"], "weights"),
        at_least(1, free["wed"], "running"),
        always(free["sun"], "rest"),
        at_most(6, _all(free), "pushups"),
    ]
    return rules


def night_shifts(problem: Problem) -> list[Wish]:
    """Agata works nights from Wednesday: she sleeps through Thursday and Friday; else she wants fresh air every day."""
    free = free_slots(problem)
    rules: list[Wish] = [always(free["thu"] + free["fri"], "rest")]
    rules += [at_least(1, free[day], "walking") for day in ("mon", "tue", "wed", "sat", "sun")]
    rules += [at_most(1, free[day], "pushups") for day in ("tue", "wed", "sat", "sun")]
    rules += [never(_all(free), "squats")]
    return rules


def fewer_pushups(problem: Problem) -> list[Wish]:
    """Ben likes the week, it is only too much of the same: two push-ups a day at most, some abs, never an empty slot."""
    free = free_slots(problem)
    slots = _all(free)
    rules: list[Wish] = [at_most(2, names, "pushups") for names in free.values()]
    rules += [at_least(4, slots, "abs"), never(slots, "rest"), at_most(2, slots, "running")]
    return rules


def gentle(problem: Problem) -> list[Wish]:
    """Gerda is 77: walking, water, and rest; at most two things a day; the pool twice, but not on a Saturday, it is full."""
    free = free_slots(problem)
    slots = _all(free)
    rules: list[Wish] = [
        always(slots, "walking", "swimming", "rest"),
        at_least(2, slots, "swimming"),
        at_most(3, slots, "swimming"),
        never(free["sat"], "swimming"),
    ]
    rules += [at_most(2, names, "walking", "swimming") for names in free.values()]
    return rules


def a_bit_of_everything(problem: Problem) -> list[Wish]:
    """Noor wants each of seven activities twice and none more than four times, and not to begin as on the day before."""
    free = free_slots(problem)
    slots = _all(free)
    activities = ("pushups", "weights", "walking", "running", "squats", "abs", "swimming")
    rules: list[Wish] = [at_least(2, slots, activity) for activity in activities]
    rules += [at_most(4, slots, activity) for activity in activities]
    rules += [PairWish(free[before][0], free[after][0], False) for before, after in pairwise(DAYS)]
    return rules


TRAINING_RULES: dict[str, Wishes] = {
    "Ruth, operated shoulder": sore_shoulder,
    "Hassan, half marathon": half_marathon,
    "Samira, pool on two days": ladies_hours,
    "Carlos, trains with a friend": gym_buddy,
    "Agata, night shifts": night_shifts,
    "Ben, fewer push-ups": fewer_pushups,
    "Gerda, gentle": gentle,
    "Noor, a bit of everything": a_bit_of_everything,
}
