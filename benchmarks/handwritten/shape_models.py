"""CP-SAT as one writes it for each of the shapes: built once, and given another objective for each query."""

from collections.abc import Callable, Mapping
from typing import Any

from benchmarks.handwritten import shape_data as data
from benchmarks.handwritten.cpsat_models import solved
from benchmarks.handwritten.data import Configuration, Outcome, Weights
from ortools.sat.python import cp_model


class ShapeModel:
    """Variables by name with the values they stand for, and what each feature is."""

    def __init__(self) -> None:
        self.model = cp_model.CpModel()
        self.variables: dict[str, Any] = {}
        self.prefix = ""
        """Labels are this and a number; without it, values are numbers."""
        self.features: dict[str, Any] = {}

    def choices(self, names: str, size: int) -> list[Any]:
        made = [self.model.new_int_var(0, size - 1, name) for name in names]
        self.variables.update(zip(names, made, strict=True))
        return made

    def entry(self, index: Any, entries: list[int]) -> Any:
        found = self.model.new_int_var(min(entries), max(entries), "")
        self.model.add_element(index, entries, found)
        return found

    def solve(self, w: Weights, x: Configuration) -> Outcome:
        self.model.maximize(
            cp_model.LinearExpr.weighted_sum(list(self.features.values()), [w[f] for f in self.features])
        )
        solver = solved(self.model)
        values = {name: self.valued(solver.value(variable)) for name, variable in self.variables.items()}
        return Outcome(round(solver.objective_value), values)

    def valued(self, value: int) -> int | str:
        return f"{self.prefix}{value}" if self.prefix else value


class Lookup(ShapeModel):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.prefix = "p"
        a, b, c = self.choices("abc", size)
        ways, charm = [way for row in data.rows(size, size) for way in row], data.row(size)
        self.features = {"there": self.way(a, b, ways), "on": self.way(b, c, ways)}
        self.features |= {f"charm_{name}": self.entry(place, charm) for name, place in self.variables.items()}
        self.model.add(a != c)

    def way(self, start: Any, end: Any, ways: list[int]) -> Any:
        index = self.model.new_int_var(0, len(ways) - 1, "")
        self.model.add(index == round(len(ways) ** 0.5) * start + end)
        return self.entry(index, ways)


class Different(ShapeModel):
    def __init__(self, size: int) -> None:
        super().__init__()
        seats = [self.model.new_int_var(0, size - 1, "") for _ in range(size)]
        self.variables = {f"x{at}": seat for at, seat in enumerate(seats)}
        self.model.add_all_different(seats)
        likings = zip(seats, data.rows(size, size), strict=True)
        self.features = {f"f{at}": self.entry(seat, likes) for at, (seat, likes) in enumerate(likings)}


class Wide(ShapeModel):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.prefix = "o"
        a, b = self.choices("ab", size)
        prices = data.row(size)
        for kind, row in enumerate(data.rows(data.KINDS, size)):
            self.features |= {f"worth{kind}_a": self.entry(a, row), f"worth{kind}_b": self.entry(b, row)}
        self.model.add(self.entry(a, prices) + self.entry(b, prices) <= data.MOST)


class Booleans(ShapeModel):
    """Cells of a block, what differs inside, and neighbours outside that move the objective."""

    def __init__(self, side: int) -> None:
        super().__init__()
        cells = {(r, c): self.model.new_bool_var("") for r in range(side) for c in range(side)}
        self.variables = {f"cell[{r},{c}]": cell for (r, c), cell in cells.items()}
        self.border: dict[str, tuple[Any, str]] = {}
        for (r, c), cell in cells.items():
            for name, at in ((f"h[{r},{c}]", (r, c + 1)), (f"v[{r},{c}]", (r + 1, c))):
                if at in cells:
                    differ = self.model.new_bool_var("")
                    self.model.add_bool_xor(cell, cells[at], ~differ)
                    self.features[name] = 2 * differ - 1
                else:
                    self.border[name] = cell, f"cell[{at[0]},{at[1]}]"

    def solve(self, w: Weights, x: Configuration) -> Outcome:
        for name, (cell, outside) in self.border.items():
            self.features[name] = 1 - 2 * cell if x[outside] else 2 * cell - 1
        return super().solve(w, x)

    def valued(self, value: int) -> int | str:
        return bool(value)


class Knapsack(ShapeModel):
    def __init__(self, size: int) -> None:
        super().__init__()
        taken = [self.model.new_bool_var("") for _ in range(size)]
        self.variables = {f"x{at}": it for at, it in enumerate(taken)}
        weights, weighted = data.row(size), cp_model.LinearExpr.weighted_sum
        self.model.add(weighted(taken, weights) <= sum(weights) // 3)
        self.features = {f"f{kind}": weighted(taken, row) for kind, row in enumerate(data.rows(data.KINDS, size))}

    def valued(self, value: int) -> int | str:
        return bool(value)


class Features(ShapeModel):
    """A Boolean for each value, and one for each pair of them that counts."""

    def __init__(self, size: int) -> None:
        super().__init__()
        self.prefix = "v"
        chosen = [[self.model.new_bool_var("") for _ in range(data.VALUES)] for _ in range(3)]
        for name, values in zip("abc", chosen, strict=True):
            self.model.add_exactly_one(values)
            self.variables[name] = cp_model.LinearExpr.weighted_sum(values, list(range(data.VALUES)))
        both: dict[tuple[int, int, int, int], Any] = {}
        for at, pair in enumerate(data.pairs(size)):
            if pair not in both:
                one, u, other, v = pair
                made = both[pair] = self.model.new_bool_var("")
                self.model.add_bool_or(~chosen[one][u], ~chosen[other][v], made)
                self.model.add_implication(made, chosen[one][u])
                self.model.add_implication(made, chosen[other][v])
            self.features[f"f{at}"] = both[pair]


class Domains(ShapeModel):
    def __init__(self, size: int) -> None:
        super().__init__()
        a, b, c = self.choices("abc", size)
        self.features = {"much_a": a, "much_b": b, "much_c": c}
        for name, difference in (("near", a - b), ("far", b - c)):
            self.features[name] = self.model.new_int_var(0, size - 1, "")
            self.model.add_abs_equality(self.features[name], difference)
        self.model.add(a + b + c <= 2 * size)


MODELS: Mapping[str, Callable[[int], ShapeModel]] = {
    "lookup": Lookup,
    "different": Different,
    "wide": Wide,
    "booleans": Booleans,
    "knapsack": Knapsack,
    "features": Features,
    "domains": Domains,
}
