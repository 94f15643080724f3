"""A problem at a glance: its parts in order, what each accounts for, and what they share."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from pcl_core import gai_network
from pcl_core.model import Problem
from pcl_core.wording import counted

MAX_ROWS = 40
MAX_NAMES = 6


class ProblemSummary:
    """What `pcl show` prints, as data and as text."""

    def __init__(self, problem: Problem, order: Sequence[int], order_name: str) -> None:
        self._problem = problem
        self._order = order
        self._order_name = order_name
        self._owned = problem.structure.decomposition(order)

    def data(self) -> dict[str, object]:
        problem, structure = self._problem, self._problem.structure
        names = [feature.name for feature in problem.features]
        network = gai_network(problem)
        return {
            "name": problem.name,
            "label": problem.label,
            "description": problem.description,
            "hash": problem.content_hash,
            "order": [problem.parts[part].name for part in self._order],
            "order_name": self._order_name,
            "parts": [
                {
                    "name": problem.parts[part].name,
                    "label": problem.parts[part].label,
                    "variables": list(problem.parts[part].variables),
                    "features": [names[i] for i in structure.feature_subsets[part]],
                    "owned": [names[i] for i in self._owned[part]],
                    "private": [names[i] for i in structure.private_features[part]],
                }
                for part in self._order
            ],
            "features": [
                {
                    "name": feature.name,
                    "label": feature.label,
                    "unit": feature.unit,
                    "reach": problem.feature_reach(index),
                    "parts": [problem.parts[part].name for part in structure.parts_of_feature[index]],
                    "lower": problem.feature_facts[index].bounds[0],
                    "upper": problem.feature_facts[index].bounds[1],
                }
                for index, feature in enumerate(problem.features)
            ],
            "shared": [
                {"parts": [first, second], "features": shared["features"]}
                for first, second, shared in network.edges(data=True)
            ],
            "constraints": [constraint.name for constraint in problem.constraints],
            "variables": [variable.name for variable in problem.variables],
        }

    def print(self, console: Console) -> None:
        problem = self._problem
        reaches = [problem.feature_reach(index) for index in range(len(problem.features))]
        local, spread = reaches.count("local"), reaches.count("global")
        console.print(Text(problem.label or problem.name, style="bold"), Text(f"({problem.name})"))
        if problem.description:
            console.print(Text(problem.description))
        console.print(
            f"{counted(len(problem.parts), 'part')}, {counted(len(problem.variables), 'variable')}, "
            f"{counted(len(problem.constraints), 'constraint')}, {counted(len(problem.features), 'feature')} "
            f"({local} local, {spread} global)\n"
        )
        console.print(self._part_table())
        console.print(
            "\n|I| features that depend on the part, |J| those it accounts for in this order, |I∖J| the rest."
        )
        self._print_shared(console)

    def _part_table(self) -> Table:
        structure = self._problem.structure
        degrees = structure.degrees
        table = Table(title=f"parts in {self._order_name} order", title_justify="left", box=None, pad_edge=False)
        for key in ("#", "part", "variables", "|I|", "|J|", "|I∖J|", "own", "neighbours"):
            table.add_column(key, justify="left" if key == "part" else "right")
        for rank, part in enumerate(self._order[:MAX_ROWS]):
            every, owned = structure.feature_subsets[part], self._owned[part]
            table.add_row(
                str(rank + 1),
                Text(self._problem.parts[part].name),
                str(len(self._problem.parts[part].variables)),
                str(len(every)),
                str(len(owned)),
                str(len(every) - len(owned)),
                str(len(structure.private_features[part])),
                str(degrees[part]),
            )
        if len(self._order) > MAX_ROWS:
            table.caption = f"... and {len(self._order) - MAX_ROWS} more; --format json lists all"
        return table

    def _print_shared(self, console: Console) -> None:
        """Local features by the parts that share them; global ones once."""
        problem = self._problem
        shared: dict[tuple[int, ...], list[str]] = {}
        spread: list[str] = []
        for index, parts in enumerate(problem.structure.parts_of_feature):
            if problem.feature_reach(index) == "global":
                spread.append(problem.features[index].name)
            elif len(parts) > 1:
                shared.setdefault(parts, []).append(problem.features[index].name)
        if shared:
            table = Table(title="\nshared local features", title_justify="left", box=None, pad_edge=False)
            table.add_column("parts")
            table.add_column("features")
            for parts, names in list(shared.items())[:MAX_ROWS]:
                table.add_row(_listed([problem.parts[part].name for part in parts]), _listed(names))
            if len(shared) > MAX_ROWS:
                table.caption = f"... and {len(shared) - MAX_ROWS} more; --format json lists all"
            console.print(table)
        if spread:
            console.print(Text(f"\nglobal features: {', '.join(spread)}"))


def _listed(names: Sequence[str]) -> Text:
    more = f" ... ({len(names)} in all)" if len(names) > MAX_NAMES else ""
    return Text(", ".join(names[:MAX_NAMES]) + more)
