"""Names for what may stand somewhere: `Literal` aliases of index sets and domains."""

from collections.abc import Iterable, Sequence

from pcl_core.ir.domains import AnyVariable
from pcl_core.typed.naming import Identifiers, line, quoted
from pcl_core.typed.shape import Allowed, AxisMembers, allowed

MOST_NUMBERS = 100
"""A domain of more whole numbers is `int`."""
MOST_WORDS = 1000
"""An index set or domain of more members is `str`, or `int`."""


class Aliases:
    """The aliases of one module, in the order in which they were first needed."""

    def __init__(self, *taken: str) -> None:
        self.lines: list[str] = []
        self.identifiers = Identifiers(*taken)
        self._index_sets: dict[frozenset[str | int], str] = {}

    def of_values(self, base: str, variables: Iterable[AnyVariable]) -> str:
        """The type of what these variables may be; plain truth values need no alias."""
        found = allowed(variables)
        if found == Allowed(truth=True):
            return "bool"
        name = self.identifiers.of_type(base, "Value")
        self.lines += _alias(name, found, MOST_NUMBERS)
        return name

    def of_indices(self, base: str, suffix: str, members: AxisMembers) -> str:
        """The type of an index; equal sets have one alias, called after the first that needed it."""
        key = frozenset(members)
        if key not in self._index_sets:
            self._index_sets[key] = name = self.identifiers.of_type(base, suffix)
            numbers = tuple(member for member in members if isinstance(member, int))
            words = tuple(member for member in members if isinstance(member, str))
            self.lines += _alias(name, Allowed(words, numbers), MOST_WORDS)
        return self._index_sets[key]


def _alias(name: str, found: Allowed, most_numbers: int) -> list[str]:
    literals: list[str] = []
    plain = ["bool"] if found.truth else []
    comment: list[str] = []
    if len(found.numbers) > most_numbers:
        plain.append("int")
        comment = [f"# from {min(found.numbers)} to {max(found.numbers)}"]
    else:
        literals += map(str, found.numbers)
    if len(found.labels) > MOST_WORDS:
        plain.append("str")
    else:
        literals += map(quoted, found.labels)
    return [*comment, *_written(name, literals, plain)]


def _written(name: str, literals: Sequence[str], plain: Sequence[str]) -> list[str]:
    kinds = [f"Literal[{', '.join(literals)}]", *plain] if literals else plain
    whole = f"{name}: TypeAlias = {' | '.join(kinds)}"
    if len(literals) < 2 or line(whole) == whole:
        return [line(whole)]
    if not plain:
        return [f"{name}: TypeAlias = Literal[", *(f"    {literal}," for literal in literals), "]"]
    listed = ("    Literal[", *(f"        {literal}," for literal in literals), "    ]")
    return [f"{name}: TypeAlias = (", *listed, *(f"    | {kind}" for kind in plain), ")"]
