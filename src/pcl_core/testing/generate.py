"""Random problems that use the whole language and stay small enough to enumerate.

The generator draws from a `random.Random`, so a seed reproduces a problem, and Hypothesis can drive it with
`st.randoms(use_true_random=False)` and shrink what it finds.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal
from itertools import product
from random import Random
from typing import Literal, TypeAlias, get_args

from pcl_core.errors import PclError
from pcl_core.ir import make
from pcl_core.ir.domains import AnyVariable, BoolVariable, CategoricalVariable, IntVariable, Kind
from pcl_core.ir.language import kind_of
from pcl_core.ir.nodes import Node, Ref, Relation, Var
from pcl_core.ir.numbers import NumberError
from pcl_core.ir.symbols import Table
from pcl_core.model.configuration import Configuration
from pcl_core.model.elements import Constraint, Definition, Feature, Part
from pcl_core.model.problem import Problem

LABELS = ("red", "green", "blue", "grey")
LOWEST, HIGHEST = -2, 4
Numbers: TypeAlias = Literal["ordinary", "large", "tiny", "mixed"]
"""Sizes of constants: small ones, up to 10^9, decimals down to 10^-6, or all of them in one problem."""
NUMBERS: tuple[Numbers, ...] = get_args(Numbers)
_SORTS: dict[Numbers, tuple[Numbers, ...]] = {
    "ordinary": ("ordinary",),
    "large": ("large", "large", "ordinary"),
    "tiny": ("tiny", "tiny", "ordinary"),
    "mixed": ("large", "tiny", "ordinary"),
}
RELATIONS: tuple[Relation, ...] = ("==", "!=", "<", "<=", ">", ">=")


class ProblemGenerator:
    """Draws expressions and problems; `decimals` off keeps all ordinary numbers whole."""

    def __init__(
        self, random: Random, *, max_configurations: int = 600, decimals: bool = True, numbers: Numbers = "ordinary"
    ) -> None:
        self._random = random
        self._max_configurations = max_configurations
        self._decimals = decimals
        self._numbers = numbers
        self.variables: list[AnyVariable] = []
        self.tables: list[Table] = []
        self.definitions: list[Definition] = []

    def problem(self) -> Problem:
        """A problem with one to three parts; hard constraints may make it infeasible."""
        self._draw_variables()
        self._draw_tables()
        names = [variable.name for variable in self.variables]
        groups = self._partition(names)
        for position in range(self._random.randint(0, 2)):
            drawn = self.truth(2, names) if self._random.random() < 0.5 else self.number(2, names)
            self.definitions.append(Definition(name=f"d{position}", value=drawn))
        features = [
            Feature(name=f"own{position}", value=make.add(self._variable_as_number(group[0]), self.number(2, group)))
            for position, group in enumerate(groups)
        ]
        for position in range(self._random.randint(1, 4)):
            anchor = self._variable_as_number(self._random.choice(names))
            features.append(Feature(name=f"f{position}", value=make.add(anchor, self.number(3, names, refer=True))))
        constraints = [
            Constraint(name=f"c{position}", require=self.truth(3, names, refer=True))
            for position in range(self._random.randint(0, 3))
        ]
        return Problem.create(
            name="random",
            variables=tuple(self.variables),
            tables=tuple(self.tables),
            definitions=tuple(self.definitions),
            constraints=tuple(constraints),
            features=tuple(features),
            parts=tuple(Part(name=f"p{at}", variables=tuple(group)) for at, group in enumerate(groups)),
        )

    def _draw_variables(self) -> None:
        size = 1
        for position in range(self._random.randint(2, 6)):
            variable = self._draw_variable(f"x{position}")
            size *= variable.size
            if size > self._max_configurations and position >= 2:
                break
            self.variables.append(variable)

    def _draw_variable(self, name: str) -> AnyVariable:
        match self._random.randrange(3):
            case 0:
                return BoolVariable(name=name)
            case 1:
                lower = self._random.randint(LOWEST, 1)
                return IntVariable(name=name, lower=lower, upper=self._random.randint(lower, HIGHEST))
            case _:
                chosen = self._random.sample(LABELS, self._random.randint(1, len(LABELS)))
                return CategoricalVariable(name=name, labels=tuple(chosen))

    def _draw_tables(self) -> None:
        numbers = tuple(range(LOWEST, HIGHEST + 1))
        for name, axes in (("by_label", (LABELS,)), ("by_number", (numbers,)), ("by_both", (LABELS, numbers))):
            values = tuple(self._constant() for _ in range(math.prod(map(len, axes))))
            self.tables.append(Table(name=name, axes=axes, values=values))

    def _partition(self, names: Sequence[str]) -> list[list[str]]:
        shuffled = list(names)
        self._random.shuffle(shuffled)
        count = self._random.randint(1, min(3, len(shuffled)))
        return [sorted(shuffled[start::count]) for start in range(count)]

    def _constant(self) -> int | Decimal:
        sorts = _SORTS[self._numbers]
        match self._random.choice(sorts) if len(sorts) > 1 else sorts[0]:  # so that seeds of ordinary ones stay
            case "large":
                size = 10 ** self._random.randint(2, 9)
                # Neighbours of each other, and multiples, are what tolerances confuse.
                return self._random.choice((size, -size, size + 1, self._random.randint(-size, size)))
            case "tiny":
                return self._random.randint(-50, 50) * Decimal(1).scaleb(-self._random.randint(1, 6))
        if self._decimals and self._random.random() < 0.15:
            return Decimal(self._random.randint(-40, 40)) / 8
        return self._random.randint(-5, 5)

    def _of(self, names: Sequence[str], sort: type[AnyVariable]) -> list[str]:
        return [v.name for v in self.variables if v.name in names and isinstance(v, sort)]

    def _variable_as_number(self, name: str) -> Node:
        variable = next(v for v in self.variables if v.name == name)
        if isinstance(variable, CategoricalVariable):
            return make.lookup("by_label", [Var(name=name)])
        return Var(name=name)

    def _referred(self, names: Sequence[str], refer: bool, truth: bool) -> list[Node]:
        kinds = {variable.name: variable.kind for variable in self.variables}
        defined = {d.name: kind_of(d.value, lambda named: kinds[named.name]) for d in self.definitions if refer}
        return [Ref(name=name) for name, kind in defined.items() if (kind is Kind.TRUTH) is truth]

    def number(self, depth: int, names: Sequence[str], *, refer: bool = False) -> Node:
        """A number built from the given variables."""
        leaves: list[Node] = [Var(name=name) for name in self._of(names, IntVariable)]
        leaves += [make.lookup("by_label", [Var(name=name)]) for name in self._of(names, CategoricalVariable)]
        leaves += [*self._referred(names, refer, truth=False), make.node(self._constant())]
        if depth == 0:
            return self._random.choice(leaves)
        inner: Callable[[], Node] = lambda: self.number(depth - 1, names, refer=refer)  # noqa: E731
        match self._random.randrange(9):
            case 0:
                return make.linear(
                    [(self._constant(), inner()) for _ in range(self._random.randint(1, 3))], self._constant()
                )
            case 1:
                return make.multiply(self.truth(depth - 1, names, refer=refer), inner())
            case 2:
                return make.minimum([inner() for _ in range(self._random.randint(1, 3))])
            case 3:
                return make.maximum([inner() for _ in range(self._random.randint(1, 3))])
            case 4:
                return make.absolute(inner())
            case 5:
                return make.count(
                    [self.truth(depth - 1, names, refer=refer) for _ in range(self._random.randint(1, 3))]
                )
            case 6:
                return self._lookup(names)
            case 7:
                return make.choose(self.truth(depth - 1, names, refer=refer), inner(), inner())
            case _:
                return self._random.choice(leaves)

    def _lookup(self, names: Sequence[str]) -> Node:
        labelled = [Var(name=name) for name in self._of(names, CategoricalVariable)]
        numbered = [Var(name=name) for name in self._of(names, IntVariable)]
        label = self._random.choice(labelled) if labelled else make.node(self._random.choice(LABELS))
        number = self._random.choice(numbered) if numbered else make.node(self._random.randint(LOWEST, HIGHEST))
        keys = {"by_label": [label], "by_number": [number], "by_both": [label, number]}
        table = self._random.choice(list(keys))
        return make.lookup(table, keys[table])

    def truth(self, depth: int, names: Sequence[str], *, refer: bool = False) -> Node:
        """A truth value built from the given variables."""
        leaves: list[Node] = [Var(name=name) for name in self._of(names, BoolVariable)]
        leaves += self._referred(names, refer, truth=True)
        if depth == 0:
            return self._random.choice(leaves) if leaves else self._comparison(0, names, refer)
        inner: Callable[[], Node] = lambda: self.truth(depth - 1, names, refer=refer)  # noqa: E731
        match self._random.randrange(9):
            case 0:
                return make.conjunction([inner() for _ in range(self._random.randint(1, 3))])
            case 1:
                return make.disjunction([inner() for _ in range(self._random.randint(1, 3))])
            case 2:
                return make.negation(inner())
            case 3:
                return make.implies(inner(), inner())
            case 4:
                return make.iff(inner(), inner())
            case 5:
                return self._membership(names)
            case 6:
                return self._all_different(depth, names, refer)
            case _:
                return self._comparison(depth - 1, names, refer)

    def _comparison(self, depth: int, names: Sequence[str], refer: bool) -> Node:
        labelled = [v for v in self.variables if v.name in names and isinstance(v, CategoricalVariable)]
        if labelled and self._random.random() < 0.4:
            variable = self._random.choice(labelled)
            others: list[Node] = [make.node(self._random.choice(variable.labels))]
            others += [Var(name=v.name) for v in labelled if set(v.labels) & set(variable.labels)]
            return make.compare(Var(name=variable.name), self._random.choice(("==", "!=")), self._random.choice(others))
        left, right = (self.number(depth, names, refer=refer) for _ in range(2))
        return make.compare(left, self._random.choice(RELATIONS), right)

    def _membership(self, names: Sequence[str]) -> Node:
        variable = self._random.choice([v for v in self.variables if v.name in names])
        if isinstance(variable, CategoricalVariable):
            chosen = self._random.sample(variable.labels, self._random.randint(1, len(variable.labels)))
            return make.member(Var(name=variable.name), chosen)
        listed = self._random.sample(range(LOWEST, HIGHEST + 1), self._random.randint(1, 3))
        return make.member(Var(name=variable.name), listed)

    def _all_different(self, depth: int, names: Sequence[str], refer: bool) -> Node:
        labelled = [Var(name=name) for name in self._of(names, CategoricalVariable)]
        if len(labelled) > 1 and self._random.random() < 0.5:
            return make.all_different(labelled)
        return make.all_different(
            [self.number(depth - 1, names, refer=refer) for _ in range(self._random.randint(2, 3))]
        )


def random_problem(
    seed: int, *, max_configurations: int = 600, decimals: bool = True, numbers: Numbers = "ordinary"
) -> Problem:
    """The random problem with this number; drawn again where its numbers are larger than the language allows."""
    random = Random(seed)
    while True:
        drawing = ProblemGenerator(random, max_configurations=max_configurations, decimals=decimals, numbers=numbers)
        try:
            return drawing.problem()
        except (PclError, NumberError):
            if numbers == "ordinary":
                raise


def random_configuration(problem: Problem, random: Random) -> Configuration:
    """Values drawn from the domains; hard constraints are not looked at."""
    return {variable.name: random.choice(variable.values()) for variable in problem.variables}


def all_configurations(problem: Problem) -> Iterator[Configuration]:
    """Every assignment of the variables, feasible or not, the last variable varying fastest."""
    names = [variable.name for variable in problem.variables]
    for values in product(*(variable.values() for variable in problem.variables)):
        yield dict(zip(names, values, strict=True))
