"""From an authored file to the ground problem: read the data, run the loops, expand the expressions.

Every finding is collected; an object that fails is reported once and what depends on it stays silent.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from pcl_core.authoring.data import ground_table
from pcl_core.authoring.declarations import Declarations, variable_of
from pcl_core.authoring.document import (
    ConstraintSpec,
    DefinitionSpec,
    FeatureSpec,
    PartSpec,
    ProblemFile,
    VariableSpec,
)
from pcl_core.authoring.environment import STEPS_A_NODE, Bindings, Expansion, Loop, afford_turns, bindings
from pcl_core.authoring.findings import first_of_each, once
from pcl_core.authoring.infix import ExpressionError
from pcl_core.authoring.initial import read_display, read_initial
from pcl_core.authoring.operations import selected_variables
from pcl_core.authoring.values import Array, Expanded, Member, StaticTable, as_node, axes_of, indexed, matching
from pcl_core.authoring.workspace import Template, Workspace
from pcl_core.documents import Document
from pcl_core.errors import Code, DataPath, Issue, ProblemError
from pcl_core.ir.domains import AnyVariable, IntVariable
from pcl_core.ir.language import children
from pcl_core.ir.nodes import In, Lookup, Node, Ref, Var
from pcl_core.ir.symbols import Table
from pcl_core.model.assignment import SUBJECT
from pcl_core.model.elements import Constraint, Definition, Feature, Part
from pcl_core.model.problem import Problem

STEPS_A_LABEL = 4


class Grounding:
    """One expansion of one file."""

    def __init__(
        self, document: Document, file: ProblemFile, folder: Path | None, parameters: Mapping[str, str], limit: int
    ) -> None:
        self._file = file
        self._parameters = parameters
        self._work = Workspace(document, folder, limit)
        self._names = self._work.names
        self._origins: dict[str, list[DataPath]] = {}
        self._tables_read: set[str] = set()
        self._undecided: list[tuple[DataPath, list[Loop], Expansion]] = []

    def run(self) -> Problem:
        file = self._file
        Declarations(self._work, file, self._parameters).read()
        variables = [v for name, spec in file.variables.items() for v in self._variables(name, spec)]
        self._declare_definitions()
        definitions = [d for name, spec in file.definitions.items() for d in self._definitions(name, spec)]
        self._check_undecided()
        constraints = [c for at, spec in enumerate(file.constraints) for c in self._constraints(at, spec)]
        features = [f for at, spec in enumerate(file.features) for f in self._features(at, spec)]
        feature_names = [feature.name for feature in features]
        parts = [p for at, spec in enumerate(file.parts) for p in self._parts(at, spec, feature_names)]
        initial = read_initial(self._work, file.initial, variables)
        display = read_display(self._work, file, variables)
        tables = [t for table in self._names.tables.values() for t in self._tables(table)]
        if self._work.issues:
            raise ProblemError(once(self._work.issues))
        try:
            return Problem.create(
                name=file.name,
                label=file.label,
                description=file.description,
                shared_only=file.shared_only,
                variables=tuple(variables),
                tables=tuple(tables),
                definitions=tuple(definitions),
                constraints=tuple(constraints),
                features=tuple(features),
                parts=tuple(parts),
                initial=initial,
                display=display,
            )
        except ProblemError as error:
            found = first_of_each(error.issues, self._origins)
            raise ProblemError(once([self.located(issue) for issue in found]), error.more) from None

    def located(self, issue: Issue) -> Issue:
        """A finding about a ground object, at the place in the file that the object came from."""
        sort, position = (*issue.path, None, None)[:2]
        origins = self._origins.get(str(sort), [])
        if isinstance(position, int) and position < len(origins):
            return replace(
                issue, location=self._work.document.location(origins[position], subject=issue.location.subject)
            )
        subject = SUBJECT if sort == "initial" else None
        return replace(issue, location=self._work.document.location((str(sort),) if sort else (), subject=subject))

    def _tables(self, table: StaticTable) -> list[Table]:
        """The table if an expression reads it at a decision, else nothing: it was only data."""
        made: list[Table] = []
        if table.name in self._tables_read:
            with self._work.guard(("tables", table.name), f"table '{table.name}'"):
                if any(isinstance(key, tuple) for axis in table.axes for key in axis):
                    raise ExpressionError(Code.WRONG_KIND, "a table over tuples cannot be read at a decision")
                made.append(ground_table(table))
        self._origins.setdefault("tables", []).extend([("tables", table.name)] * len(made))
        return made

    def _variables(self, name: str, spec: VariableSpec) -> list[AnyVariable]:
        path: DataPath = ("variables", name)
        made: list[AnyVariable] = []
        if not self._work.claim(name, path, "variable"):
            return made
        self._names.broken.add(name)
        with self._work.guard((*path, "domain"), f"variable '{name}'"):
            loops, bound = self._work.loops(self._work.index(spec.index, path), (*path, "index"))
            domain = self._domain(spec, (*path, "domain"), bound)
            label = self._work.template(spec.label, (*path, "label"), bound)
            cells: dict[tuple[Member, ...], Node] = {}
            env: Bindings = {}
            for _ in self._turns(loops, env):
                key = tuple(env[target] for loop in loops for target in loop.targets)
                full = self._names.budget.text(indexed(name, key))
                values = domain(env)
                if isinstance(values, list):
                    self._names.budget.spend(STEPS_A_LABEL * len(values))
                made.append(variable_of(full, values, label(env), spec.unit))
                cells[key] = Var(name=full)
            self._names.arrays[name] = Array(name, axes_of(cells), cells)
            self._names.kinds.update((v.name, v.kind) for v in made)
            self._names.varying.update(
                v.name for v in made if isinstance(v, IntVariable) and not 0 <= v.lower <= v.upper <= 1
            )
            self._names.broken.discard(name)
        self._origins.setdefault("variables", []).extend([path] * len(made))
        return made

    def _domain(self, spec: VariableSpec, path: DataPath, bound: frozenset[str]) -> Callable[[Bindings], Expanded]:
        if isinstance(spec.domain, list):
            labels: list[Expanded] = list(spec.domain)
            return lambda env: labels
        if spec.domain == "bool":
            return lambda env: True
        made = self._work.expand(spec.domain, path, bound)
        if not made.static:
            raise ExpressionError(Code.NOT_STATIC, "a domain must be known before solving")
        return made.run

    def _declare_definitions(self) -> None:
        """Definitions may refer to each other in any order, so all their names exist before any is expanded."""
        for name, spec in self._file.definitions.items():
            path: DataPath = ("definitions", name)
            if not self._work.claim(name, path, "definition"):
                continue
            self._names.broken.add(name)
            with self._work.guard((*path, "index"), f"definition '{name}'"):
                loops, _ = self._work.loops(self._work.index(spec.index, path), (*path, "index"))
                env: Bindings = {}
                cells: dict[tuple[Member, ...], Node] = {}
                for _ in self._turns(loops, env):
                    key = tuple(env[target] for loop in loops for target in loop.targets)
                    cells[key] = Ref(name=self._names.budget.text(indexed(name, key)))
                self._names.arrays[name] = Array(name, axes_of(cells), cells)
                self._names.broken.discard(name)

    def _definitions(self, name: str, spec: DefinitionSpec) -> list[Definition]:
        path: DataPath = ("definitions", name)
        made: list[Definition] = []
        if name not in self._names.arrays or name in self._file.variables:
            return made
        with self._work.guard((*path, "value"), f"definition '{name}'"):
            loops, bound = self._work.loops(self._work.index(spec.index, path), (*path, "index"))
            value = self._work.expand(spec.value, (*path, "value"), bound)
            label = self._work.template(spec.label, (*path, "label"), bound)
            env: Bindings = {}
            for _ in self._turns(loops, env):
                key = tuple(env[target] for loop in loops for target in loop.targets)
                node, full = self._node(value, env), indexed(name, key)
                made.append(Definition(name=full, value=node, label=label(env)))
                self._names.define(full, node, value.number)
            if self._names.undecided:
                self._undecided.append((path, loops, value))
                self._names.undecided = False
        self._origins.setdefault("definitions", []).extend([(*path, "value")] * len(made))
        return made

    def _check_undecided(self) -> None:
        """Expand once more what uses a definition as a condition that stands further down, now that all are known."""
        budget = self._names.budget
        spent = budget.spent
        for path, loops, value in self._undecided:
            budget.left += budget.spent  # it was paid for the first time
            with self._work.guard((*path, "value"), f"definition '{path[-1]}'"):
                env: Bindings = {}
                for _ in self._turns(loops, env):
                    value.run(env)
        budget.left += budget.spent - spent

    def _turns(self, loops: list[Loop], env: Bindings) -> Iterator[Bindings]:
        budget = self._names.budget
        afford_turns(loops, budget)
        for _ in bindings(loops, env, budget):
            budget.node()  # what is made in each turn has a name, a place in a list, and more
            yield env

    def _node(self, value: Expansion, env: Bindings) -> Node:
        """An expanded expression, counted against the limit; the tables it reads are noted."""
        node = as_node(value.run(env))
        budget, pending = self._names.budget, [node]
        while pending:  # what is shared counts each time it is met, for it is written out each time
            current = pending.pop()
            budget.node()
            if isinstance(current, Lookup):
                self._tables_read.add(current.table)
            elif isinstance(current, In):
                budget.spend(STEPS_A_LABEL * len(current.values))
            below = children(current)
            budget.afford(STEPS_A_NODE * len(below))
            pending.extend(below)
        return node

    def _constraints(self, at: int, spec: ConstraintSpec) -> list[Constraint]:
        made: list[Constraint] = []
        path: DataPath = ("constraints", at)
        with self._work.guard((*path, "require"), f"constraint '{spec.name}'"):
            for env, name, label, value in self._objects(spec, path, (*path, "require"), spec.require):
                if value.number:
                    message, hint = "a constraint must be true or false, not a number", "compare it with something"
                    raise ExpressionError(Code.WRONG_KIND, message, hint)
                made.append(Constraint(name=name, require=self._node(value, env), label=label))
        self._origins.setdefault("constraints", []).extend([(*path, "require")] * len(made))
        return made

    def _features(self, at: int, spec: FeatureSpec) -> list[Feature]:
        made: list[Feature] = []
        path: DataPath = ("features", at)
        with self._work.guard((*path, "value"), f"feature '{spec.name}'"):
            for env, name, label, value in self._objects(spec, path, (*path, "value"), spec.value):
                node = self._node(value, env)
                made.append(Feature(name=name, value=node, label=label, unit=spec.unit, reach=spec.reach))
        self._origins.setdefault("features", []).extend([(*path, "value")] * len(made))
        return made

    def _objects(
        self, spec: ConstraintSpec | FeatureSpec | PartSpec, path: DataPath, where: DataPath, text: str
    ) -> Iterator[tuple[Bindings, str, str, Expansion]]:
        """For every binding of `foreach` that passes `if`: the bindings, the name, the label, the expression."""
        loops, bound = self._work.turns(spec.foreach, spec.only_if, path)
        value = self._work.expand(text, where, bound)
        name = self._work.template(spec.name, (*path, "name"), bound)
        label = self._work.template(spec.label, (*path, "label"), bound)
        suffix = not name.placeholders
        env: Bindings = {}
        for _ in self._turns(loops, env):
            key_values = tuple(env[target] for loop in loops for target in loop.targets)
            full = self._names.budget.text(indexed(name(env), key_values)) if suffix else name(env)
            yield env, full, label(env), value

    def _parts(self, at: int, spec: PartSpec, feature_names: Sequence[str]) -> list[Part]:
        made: list[Part] = []
        path: DataPath = ("parts", at)
        listed = isinstance(spec.variables, list)
        selections = list(spec.variables) if isinstance(spec.variables, list) else [spec.variables]
        with self._work.guard((*path, "variables"), f"part '{spec.name}'"):
            if not selections:
                raise ExpressionError(Code.EMPTY_PART, "a part needs variables")
            patterns: list[Template] | None = None
            others: list[Expansion] | None = None
            places: list[DataPath] = [
                (*path, "variables", at) if listed else (*path, "variables") for at in range(len(selections))
            ]
            budget = self._names.budget
            for env, name, label, first in self._objects(spec, path, places[0], selections[0]):
                bound = frozenset(env)
                if others is None:
                    others = [self._work.expand(s, p, bound) for s, p in zip(selections[1:], places[1:], strict=True)]
                chosen = [
                    variable
                    for made_of in (first, *others)
                    for variable in selected_variables(made_of.run(env), "a part")
                ]
                budget.spend(STEPS_A_LABEL * len(chosen))
                if spec.features is not None and patterns is None:
                    patterns = [self._work.template(p, (*path, "features"), bound) for p in spec.features]
                budget.spend(2 * len(patterns or ()) * len(feature_names))
                declared = None if patterns is None else matching([p(env) for p in patterns], feature_names)
                made.append(Part(name=name, label=label, variables=tuple(chosen), features=declared))
        self._origins.setdefault("parts", []).extend([(*path, "variables")] * len(made))
        return made
