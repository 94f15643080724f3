"""Modules of types made for tests: of the catalogue, of problems with strange names, and of large ones."""

from functools import cache
from types import ModuleType

import pcl_core as pcl
from pcl_core.typed import types_module

CATALOGUE = sorted(pcl.catalogue())
STRANGE_NAMES = (
    *(
        "class",
        "None",
        "a b",
        "a-b",
        "a_b",
        "1st",
        "_",
        "__init__",
        "tuple",
        "bool",
        "Values",
        "Many",
        "part",
        "ground",
    ),
    *(
        "ﬁne",
        "fine",
        "été",
        "日本",
        "🙂",
        "x\u200by",
        "x[a, b]",
        "x[]",
        "PlanValue",
        "PlanIndex1",
        "q" * 150,
        "q" * 151,
    ),
)
STRANGE_LABELS = ('"', "'", "\\", 'it\'s "so"', '""\'', "ünï", "a\u200bb", "\u00a0", "True", "\\n", "l" * 180)
LARGE = ("grid:side=64,part=8", "hotel-of-150-rooms", "1024-scalars", "mixed")


def strange() -> pcl.Problem:
    """Names that are keywords or no identifiers, or collide when they are made into some; labels with quotes."""
    build = pcl.ProblemBuilder('it\'s "strange" \\')
    flags = [build.boolean(name) for name in STRANGE_NAMES]
    plan = build.categorical("plan", STRANGE_LABELS, [1, 2], ["a", "b"])
    alone = build.categorical("alone", ["only " + "x" * 120])
    wide = build.integer("wide", 0, 10_000)
    few = build.integer("few", -3, 3, ["r1", "r2"])
    same = build.integer("plan", 0, 1)
    for number, flag in enumerate([*flags, same, wide]):
        build.feature(f"feature {number}", flag)
    build.feature("alone", pcl.count([alone == "only " + "x" * 120]))
    for row in (1, 2):
        build.feature(f"quotes[{row}]", pcl.count(plan[row, letter] == '"' for letter in "ab"))
        build.part(str(row), [plan[row, letter] for letter in "ab"])
    build.part("from", [*flags, same])
    build.part("Part", [alone])
    build.part('a "part"', [wide])
    for room in ("r1", "r2"):
        build.feature(f"few[{room}]", few[room])
        build.part(f"room[{room}]", [few[room]])
    return build.problem()


def mixed() -> pcl.Problem:
    """Arrays whose members are of different sorts, and a domain of very many labels; only ground problems have such."""
    build = pcl.ProblemBuilder("mixed")
    labels = [f"label number {number}" for number in range(9)]
    flags = [build.boolean("x[1]"), build.boolean("y[3]")]
    numbers = [build.integer("x[2]", 0, 3), build.integer("x[4]", 2, 5), build.integer("y[1]", 0, 1000)]
    words = [build.categorical("x[3]", labels), build.categorical("y[2]", labels)]
    many = build.categorical("z", [f"z{number}" for number in range(1001)])
    for number, it in enumerate([*flags, *numbers]):
        build.feature(f"feature {number}", it)
    build.feature("words", pcl.count([*(word == labels[0] for word in words), many == "z0"]))
    build.part("all", [*flags, *numbers, *words, many])
    return build.problem()


def hotel_of_150_rooms() -> pcl.Problem:
    build = pcl.ProblemBuilder("hotel of 150 rooms")
    rooms = [f"r{number}" for number in range(150)]
    kinds = [f"k{number}" for number in range(10)]
    beds = build.integer("beds", 0, 4, rooms)
    style = build.categorical("style", kinds, rooms)
    for room in rooms:
        build.feature(f"beds[{room}]", beds[room])
        for kind in kinds:
            build.feature(f"style[{room},{kind}]", pcl.count([style[room] == kind]))
        build.part(room, [beds[room], style[room]])
    return build.problem()


def scalars() -> pcl.Problem:
    """Many variables, and no indices to tell them apart by."""
    build = pcl.ProblemBuilder("scalars")
    for row in range(32):
        flags = [build.boolean(f"cell_{row}_{column}") for column in range(32)]
        for column, flag in enumerate(flags):
            build.feature(f"cell_{row}_{column}", flag)
        build.part(f"row {row}", flags)
    return build.problem()


@cache
def large(name: str) -> pcl.Problem:
    return {"hotel-of-150-rooms": hotel_of_150_rooms, "1024-scalars": scalars, "mixed": mixed}.get(
        name, lambda: pcl.load(name)
    )()


def module_of(problem: pcl.Problem) -> ModuleType:
    """The module of a problem's types, as if it had been written and imported."""
    made = ModuleType("made")
    exec(types_module(problem), vars(made))
    return made
