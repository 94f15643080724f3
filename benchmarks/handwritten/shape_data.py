"""Numbers that shapes are made of; nothing of pcl is used here."""

from random import Random

KINDS = 6
MOST = 100
VALUES = 10
ENDS = ((0, 1), (1, 2), (0, 2))


def rows(count: int, length: int) -> list[list[int]]:
    """Whole numbers from 1 to 100; the same ones every time."""
    random = Random(0)
    return [[random.randint(1, 100) for _ in range(length)] for _ in range(count)]


def row(length: int) -> list[int]:
    return rows(1, length)[0]


def pairs(count: int) -> list[tuple[int, int, int, int]]:
    """One of three variables and a value of it, and another one and a value of that."""
    random = Random(0)
    return [
        (one, random.randrange(VALUES), other, random.randrange(VALUES))
        for one, other in (ENDS[at % 3] for at in range(count))
    ]
