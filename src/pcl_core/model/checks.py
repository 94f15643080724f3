"""What must hold between the pieces of a problem; all findings at once, each with its place."""

from collections.abc import Callable, Iterable, Sequence
from graphlib import CycleError, TopologicalSorter
from typing import Literal

from pcl_core.errors import MAX_FINDINGS, Code, DataPath, Issue, Location, ProblemError, suggest
from pcl_core.ir.domains import UNKNOWN, Facts, Kind, is_labelled
from pcl_core.ir.infer import Inference
from pcl_core.ir.nodes import MAX_DEPTH, Node
from pcl_core.ir.symbols import Symbols, referenced_definitions
from pcl_core.model.elements import Constraint, Definition, Feature, Part, Structure

MAX_LISTED = 5
MAX_MENTIONS = 2_000_000


class ProblemChecks:
    """Collects what is wrong with the pieces of a problem."""

    def __init__(self, symbols: Symbols) -> None:
        self.issues: list[Issue] = []
        self._symbols = symbols
        self._path: DataPath = ()
        self._subject = ""
        self.inference = Inference(symbols, self._report)
        self.feature_facts: tuple[Facts, ...] = ()

    def _report(self, code: Code, message: str, hint: str | None = None) -> None:
        issue = Issue(code, message, hint, Location(subject=self._subject), self._path)
        if issue not in self.issues[-MAX_LISTED:]:
            self.issues.append(issue)
            if len(self.issues) > MAX_FINDINGS:
                raise ProblemError(self.issues)

    def _at(self, sort: str, position: int, name: str, *rest: str | int) -> None:
        self._path = (f"{sort}s", position, *rest)
        self._subject = f"{sort} '{name}'"

    def unique_names(self, sort: str, names: Iterable[str]) -> None:
        seen: set[str] = set()
        for position, name in enumerate(names):
            if name in seen:
                self._at(sort, position, name, "name")
                self._report(Code.DUPLICATE_NAME, f"there is already a {sort} of this name", "give each its own name")
            seen.add(name)

    def _facts(self, node: Node) -> Facts:
        try:
            return self.inference.facts(node)
        except RecursionError:  # far beyond the limit, which inference reports by itself
            self._report(Code.TOO_DEEP, f"the expression is nested more than {MAX_DEPTH} nodes deep", "use lists")
            return UNKNOWN

    def definitions(self, definitions: Sequence[Definition]) -> None:
        """Infer definitions in the order they depend on each other; a circle is reported once."""
        position = {definition.name: index for index, definition in enumerate(definitions)}
        broken: set[str] = set()
        graph = {name: used & position.keys() for name, used in self._symbols.references.items()}
        while True:
            try:
                order = list(TopologicalSorter(graph).static_order())
                break
            except CycleError as error:
                circle: list[str] = error.args[1]
                self._at("definition", position[circle[0]], circle[0], "value")
                shown = " -> ".join(circle if len(circle) <= MAX_LISTED else [*circle[:MAX_LISTED], "..."])
                self._report(Code.CYCLIC_DEFINITION, f"it is defined by itself: {shown}", "break the circle")
                for name in circle:
                    self.inference.define(name, UNKNOWN)
                    broken.add(name)
                    graph.pop(name, None)
        for name in order:
            if name in broken:
                continue
            index = position[name]
            self._at("definition", index, name, "value")
            self.inference.define(name, self._facts(definitions[index].value))

    def constraints(self, constraints: Sequence[Constraint]) -> None:
        for position, constraint in enumerate(constraints):
            self._at("constraint", position, constraint.name, "require")
            kind = self._facts(constraint.require).kind
            if kind in (Kind.NUMBER, Kind.LABEL):
                self._report(
                    Code.WRONG_KIND, f"a constraint must be true or false, not {kind}", "compare it with something"
                )

    def features(self, features: Sequence[Feature]) -> None:
        found = list[Facts]()
        for position, feature in enumerate(features):
            self._at("feature", position, feature.name, "value")
            found.append(self._facts(feature.value))
            if found[-1].kind is Kind.LABEL:
                self._report(Code.WRONG_KIND, "a feature must be a number, not a label", "read a table at the label")
        self.feature_facts = tuple(found)

    def mentions(
        self, definitions: Sequence[Definition], constraints: Sequence[Constraint], features: Sequence[Feature]
    ) -> None:
        """Definitions are shared, but which variables each expression depends on is written out; names must be right."""
        total = 0
        by_name = {definition.name: position for position, definition in enumerate(definitions)}
        named, used_in = self._symbols.references, referenced_definitions
        groups: tuple[tuple[str, str, Iterable[tuple[int, str, frozenset[str]]]], ...] = (
            ("definition", "value", ((by_name[name], name, named[name]) for name in self._symbols.definition_order)),
            ("constraint", "require", ((at, it.name, used_in(it.require)) for at, it in enumerate(constraints))),
            ("feature", "value", ((at, it.name, used_in(it.value)) for at, it in enumerate(features))),
        )
        for sort, field, expressions in groups:
            for position, name, used in expressions:
                total += sum(len(self._symbols.free_in_definition(definition)) for definition in used)
                if total > MAX_MENTIONS:
                    self._at(sort, position, name, field)
                    message = (
                        f"with all definitions written out, variables are mentioned more than {MAX_MENTIONS:,} times"
                    )
                    self._report(Code.TOO_MANY_NODES, message, "refer to smaller definitions")
                    return

    def partition(self, parts: Sequence[Part]) -> None:
        """Parts partition the variables."""
        owner: dict[str, str] = {}
        twice: dict[str, tuple[int, list[str]]] = {}
        for position, part in enumerate(parts):
            self._at("part", position, part.name, "variables")
            if not part.variables:
                self._report(Code.EMPTY_PART, "it has no variables", "give it some, or remove it")
            for name in part.variables:
                if name not in self._symbols.variables:
                    hint = suggest(name, self._symbols.variables)
                    self._report(Code.UNKNOWN_NAME, f"unknown variable '{name}'", hint)
                elif name in owner:
                    twice.setdefault(owner[name], (position, []))[1].append(name)
                owner.setdefault(name, part.name)
        for first, (position, names) in twice.items():
            self._at("part", position, parts[position].name, "variables")
            message = f"variable '{names[0]}' is already in part '{first}'{_more(len(names) - 1)}"
            self._report(Code.VARIABLE_IN_TWO_PARTS, message, "each variable belongs to exactly one part")
        lost = [(at, name) for at, name in enumerate(self._symbols.variables) if name not in owner]
        if lost:
            self._at("variable", *lost[0])
            self._report(Code.VARIABLE_WITHOUT_PART, f"it belongs to no part{_more(len(lost) - 1)}", "add it to a part")

    def lanes(self, side: str, lanes: Sequence[Sequence[str]]) -> None:
        """Rows, or columns, of a display: variables, each in one of them at most."""
        seen: set[str] = set()
        self._subject = "display"
        for position, names in enumerate(lanes):
            self._path = ("display", side, position, "variables")
            for name in names:
                if name not in self._symbols.variables:
                    hint = suggest(name, self._symbols.variables)
                    self._report(Code.UNKNOWN_NAME, f"unknown variable '{name}'", hint)
                elif name in seen:
                    self._report(Code.DUPLICATE_NAME, f"variable '{name}' stands in two of the {side}")
                seen.add(name)

    def lane_values(self, side: str, lanes: Sequence[Sequence[str]]) -> None:
        """Labels in rows, or columns, of a display; one may be in several, and some variable can take it."""
        self._subject = "display"
        known = filter(is_labelled, self._symbols.variables.values() if any(lanes) else ())
        labels = {label for variable in known for label in variable.labels}
        for position, values in enumerate(lanes):
            self._path = ("display", side, position, "values")
            for value in values:
                if value not in labels:
                    self._report(Code.UNKNOWN_NAME, f"no variable can be '{value}'")

    def structure(
        self,
        parts: Sequence[Part],
        features: Sequence[Feature],
        structure: Structure,
        shared_only: Literal["refuse", "allow"],
    ) -> None:
        """The paper's rules: every feature has a part, every part a feature of its own; declared I_p are right."""
        for position, touched in enumerate(structure.parts_of_feature):
            if not touched:
                self._at("feature", position, features[position].name, "value")
                message = "it mentions no variable, so it is the same for every configuration"
                self._report(Code.FEATURE_WITHOUT_VARIABLES, message, "remove it, or make it depend on a variable")
        shared = [at for at in range(len(parts)) if not structure.private_features[at] and shared_only == "refuse"]
        for message, of_no_feature in (
            ("every feature of it also depends on another part", False),
            ("no feature depends on it", True),
        ):
            alike = [at for at in shared if (not structure.feature_subsets[at]) is of_no_feature]
            if alike:
                self._at("part", alike[0], parts[alike[0]].name)
                hint = "add a feature that depends on this part alone, or say `shared_only: allow`"
                self._report(Code.NO_PRIVATE_FEATURE, f"{message}{_more(len(alike) - 1)}", hint)
        for position, part in enumerate(parts):
            if part.features is not None:
                self._at("part", position, part.name, "features")
                self._declared(set(part.features), {features[i].name for i in structure.feature_subsets[position]})

    def _declared(self, declared: set[str], derived: set[str]) -> None:
        differences = [
            f"{what} {', '.join(names[:MAX_LISTED])}{' ...' if len(names) > MAX_LISTED else ''}"
            for what, names in (
                ("missing", sorted(derived - declared)),
                ("not depending on it", sorted(declared - derived)),
            )
            if names
        ]
        if differences:
            message = "the declared features are not the ones that depend on it: " + "; ".join(differences)
            self._report(Code.DECLARED_FEATURES_DIFFER, message, "leave `features` out, it is derived")


def _more(others: int) -> str:
    """How many others have the same wrong with them."""
    return f"; the same for {others} more" if others else ""


def check_problem(
    symbols: Symbols,
    definitions: Sequence[Definition],
    constraints: Sequence[Constraint],
    features: Sequence[Feature],
    parts: Sequence[Part],
    shared_only: Literal["refuse", "allow"],
    structure: Callable[[], Structure],
) -> ProblemChecks:
    """Everything that is wrong, and what is known of each expression otherwise.

    Structure is only looked at once the names and kinds are right.

    Who has more findings than anyone would read gets the first, as an error.
    """
    checks = ProblemChecks(symbols)
    checks.unique_names("definition", (definition.name for definition in definitions))
    checks.unique_names("constraint", (constraint.name for constraint in constraints))
    checks.unique_names("feature", (feature.name for feature in features))
    checks.unique_names("part", (part.name for part in parts))
    checks.definitions(definitions)
    checks.constraints(constraints)
    checks.features(features)
    checks.partition(parts)
    if not checks.issues:
        checks.mentions(definitions, constraints, features)
    if not checks.issues:
        checks.structure(parts, features, structure(), shared_only)
    checks.inference.report = _already_checked
    return checks


def _already_checked(code: Code, message: str, hint: str | None) -> None:
    raise AssertionError(f"a checked problem is wrong after all: {code}: {message}")
