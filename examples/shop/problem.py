"""What the shop sells, and what of it fits together: its problem, written in Python."""

from pathlib import Path

import pcl_core as pcl
from pcl_core.typed import types_module

TYPES = Path(__file__).with_name("computer_types.py")

PROCESSORS = {
    "thrifty": {"price": 90, "socket": 1, "watts": 35, "speed": 3},
    "solid": {"price": 180, "socket": 1, "watts": 65, "speed": 6},
    "fast": {"price": 320, "socket": 2, "watts": 105, "speed": 9},
}
BOARDS = {
    "small board": {"price": 80, "socket": 1, "size": 1, "wifi": 1},
    "plain board": {"price": 70, "socket": 1, "size": 2, "wifi": 0},
    "large board": {"price": 150, "socket": 2, "size": 3, "wifi": 1},
}
CARDS = {
    "no card": {"price": 0, "watts": 0, "games": 0, "noise": 0, "length": 0},
    "short card": {"price": 220, "watts": 115, "games": 4, "noise": 2, "length": 18},
    "long card": {"price": 520, "watts": 220, "games": 9, "noise": 4, "length": 31},
}
CASES = {
    "cube": {"price": 70, "size": 1, "length": 20, "litres": 14, "noise": 3},
    "tower": {"price": 50, "size": 3, "length": 36, "litres": 42, "noise": 2},
    "silent tower": {"price": 110, "size": 3, "length": 33, "litres": 46, "noise": 0},
}
SUPPLIES = {
    "350 W": {"price": 40, "watts": 350, "noise": 2},
    "550 W": {"price": 75, "watts": 550, "noise": 1},
    "silent 650 W": {"price": 120, "watts": 650, "noise": 0},
}
MEMORIES = {
    "8 GB": {"price": 25, "gigabytes": 8},
    "16 GB": {"price": 45, "gigabytes": 16},
    "64 GB": {"price": 150, "gigabytes": 64},
}
DISKS = {"500 GB": 40, "1 TB": 65, "4 TB": 190}
COLOURS = ("black", "white", "oak")
BUDGET = 1500


def computer() -> pcl.Problem:
    """A computer of seven components and a colour, in three parts."""
    build = pcl.ProblemBuilder("computer", label="Your computer")
    processor = build.categorical("processor", list(PROCESSORS), label="processor")
    board = build.categorical("board", list(BOARDS), label="board")
    memory = build.categorical("memory", list(MEMORIES), label="memory")
    card = build.categorical("card", list(CARDS), label="graphics card")
    disk = build.categorical("disk", list(DISKS), label="disk")
    case = build.categorical("case", list(CASES), label="case")
    supply = build.categorical("supply", list(SUPPLIES), label="power supply")
    colour = build.categorical("colour", COLOURS, label="colour")

    of_processor, of_board = build.table("of_processor", PROCESSORS), build.table("of_board", BOARDS)
    of_memory, of_card = build.table("of_memory", MEMORIES), build.table("of_card", CARDS)
    of_case, of_supply = build.table("of_case", CASES), build.table("of_supply", SUPPLIES)
    of_disk = build.table("of_disk", DISKS)

    inside = of_processor[processor, "price"] + of_board[board, "price"] + of_memory[memory, "price"]
    outside = of_case[case, "price"] + of_supply[supply, "price"]
    price = build.define("price", inside + of_card[card, "price"] + of_disk[disk] + outside, label="price")
    watts = of_processor[processor, "watts"] + of_card[card, "watts"]
    noise = of_card[card, "noise"] + of_case[case, "noise"] + of_supply[supply, "noise"]

    build.constraint("budget", price <= BUDGET, label=f"all of it costs at most {BUDGET} euros")
    build.constraint(
        "socket",
        of_processor[processor, "socket"] == of_board[board, "socket"],
        label="processor and board fit together",
    )
    build.constraint("size", of_board[board, "size"] <= of_case[case, "size"], label="the board fits the case")
    build.constraint("length", of_card[card, "length"] <= of_case[case, "length"], label="the card fits the case")
    build.constraint("power", watts + 150 <= of_supply[supply, "watts"], label="the supply has enough power")

    build.feature("price", price, label="price", unit="euros")
    build.feature("speed", of_processor[processor, "speed"], label="speed at work", unit="points")
    build.feature("games", of_card[card, "games"], label="speed in games", unit="points")
    build.feature("wifi", of_board[board, "wifi"], label="wireless network")
    build.feature("memory", of_memory[memory, "gigabytes"], label="memory", unit="GB")
    build.feature("noise", noise, label="noise", unit="points")
    build.feature("litres", of_case[case, "litres"], label="size", unit="litres")
    for size in DISKS:
        build.feature(f"disk of {size}", disk == size, label=f"a disk of {size}")
    for shade in COLOURS:
        build.feature(f"{shade}", colour == shade, label=shade)

    build.part("inside", [processor, board, memory], label="What it computes with")
    build.part("pictures", [card, disk], label="Pictures and files")
    build.part("outside", [case, supply, colour], label="What stands on the desk")
    return build.problem()


def write_types() -> None:
    """After a change above: `python -m examples.shop.problem`."""
    TYPES.write_text(types_module(computer()), encoding="utf-8")


if __name__ == "__main__":
    write_types()
