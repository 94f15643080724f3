"""How values and names are written on a page."""

from collections.abc import Mapping, Sequence

from pcl_app.studio.fields import field_names
from pcl_app.studio.forms import ProblemForm, RuleForm, VariableForm
from pcl_core.json_form import Value

OWN = "yours: "
"""How the name of a constraint begins that is a rule of the person's own."""


def show(value: Value) -> str:
    """A value for people."""
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def capital(text: str) -> str:
    """With a capital at the start, as a heading has it; what has capitals of its own stays as it is."""
    return text[:1].upper() + text[1:] if text.islower() else text


class Called:
    """What a problem's things are called."""

    def __init__(self, problem: ProblemForm, own_rules: Sequence[RuleForm] = ()) -> None:
        self.problem = problem
        self.own_rules = own_rules
        self.variables: Mapping[str, VariableForm] = {it["name"]: it for it in problem["variables"]}
        self.parts: Mapping[str, str] = {it["name"]: capital(it["label"]) for it in problem["parts"]}
        self.members: Mapping[str, list[str]] = {it["name"]: it["variables"] for it in problem["parts"]}
        self.fields: Mapping[str, str] = field_names(list(self.variables))
        self.rules: Mapping[str, str] = {it["name"]: it["label"] for it in problem["constraints"]}

    def short(self, variable: str) -> str:
        return self.variables[variable]["short"]

    def part_of(self, variable: str) -> str:
        return self.variables[variable]["part"]

    def rule(self, name: str) -> str:
        """A constraint in the author's words, or a rule in the person's own."""
        if not name.startswith(OWN):
            return self.rules.get(name, name)
        said = [rule["words"] for rule in self.own_rules if name.startswith(f"{OWN}{rule['words']}")]
        return max(said, key=len, default=name.removeprefix(OWN))
