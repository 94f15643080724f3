"""What a person has changed in a proposal and not yet told."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pcl_core.ir.domains import Value


@dataclass(frozen=True)
class Draft:
    """Values that the person chose, and values that the solver put around them."""

    chosen: Mapping[str, Value] = field(default_factory=dict)
    completed: Mapping[str, Value] = field(default_factory=dict)
    before: "Draft | None" = None
    """For taking back one edit after the other."""

    def __bool__(self) -> bool:
        return bool(self.chosen)

    @property
    def values(self) -> dict[str, Value]:
        return {**self.completed, **self.chosen}

    def edited(self, values: Mapping[str, Value]) -> "Draft":
        return Draft({**self.chosen, **values}, self.completed, self)

    def filled(self, values: Mapping[str, Value]) -> "Draft":
        return Draft(self.chosen, {n: v for n, v in values.items() if n not in self.chosen}, self)

    def without(self, variable: str) -> "Draft":
        """After a pin: the variable is the elicitation's now, and the rest was proposed anew around it."""
        left = {name: value for name, value in self.chosen.items() if name != variable}
        return replace(self, chosen=left, completed={}, before=None)

    def changes(self, proposal: Mapping[str, Value]) -> dict[str, Value]:
        return {name: value for name, value in self.values.items() if proposal[name] != value}
