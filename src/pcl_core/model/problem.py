"""The ground problem: flat, explicit data that programs exchange.

A `Problem` that exists is valid: names resolve, kinds fit, numbers stay exact, the parts partition the
variables, the initial configuration is feasible. It never changes; `replace` and `coarsen` return new ones.
"""

import hashlib
import json
import threading
from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Literal, Self, TypeVar
from weakref import WeakValueDictionary

from pydantic import Field, TypeAdapter, ValidationError, ValidationInfo, field_validator, model_validator

from pcl_core.documents import issues_from_validation
from pcl_core.errors import MAX_FINDINGS, Code, Issue, ProblemError, suggest
from pcl_core.ir.beside import InferenceBeside
from pcl_core.ir.domains import Facts, Name, Outside, Text, Value, Variable
from pcl_core.ir.infer import Inference
from pcl_core.ir.long_sums import LongSums
from pcl_core.ir.nodes import Frozen, Ref
from pcl_core.ir.registers import Registers
from pcl_core.ir.symbols import Symbols, Table
from pcl_core.model.assignment import Initial, check_feasible, check_values, in_order
from pcl_core.model.checks import ProblemChecks, check_problem
from pcl_core.model.elements import (
    Constraint,
    Definition,
    Feature,
    Part,
    Reach,
    Structure,
    Version,
    coarser,
    derive_structure,
)
from pcl_core.model.meaning import Display, Presentation, hash_of, meaning_of, presentation_of
from pcl_core.wording import html_table

T = TypeVar("T")

ADDED = {"display"}
"""Fields that the first ground files did not have; the former hash does not cover them."""


class Shared:
    """Things that were made of one problem, each for as long as somebody uses it. A copy of the problem starts anew."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        """Held while something is made: what is derived from a problem keeps notes that two must not write at once."""
        self._made: WeakValueDictionary[Hashable, Any] = WeakValueDictionary()

    def get(self, key: Hashable, make: Callable[[], T]) -> T:
        """What was made under this key and is still in use, or what `make` makes now."""
        with self.lock:
            found: T | None = self._made.get(key)
            if found is None:
                found = self._made[key] = make()
            return found

    def __reduce__(self) -> tuple[type["Shared"], tuple[()]]:
        return Shared, ()


class Problem(Frozen):
    """Variables, hard constraints, features and parts of one constructive problem."""

    pcl: Version = 1
    name: Name
    label: Text = ""
    description: Text = ""
    shared_only: Annotated[Literal["refuse", "allow"], Outside.CHECKED] = "refuse"
    variables: tuple[Variable, ...] = Field(min_length=1)
    tables: tuple[Table, ...] = ()
    definitions: tuple[Definition, ...] = ()
    constraints: tuple[Constraint, ...] = ()
    features: tuple[Feature, ...] = Field(min_length=1)
    parts: tuple[Part, ...] = Field(min_length=1)
    initial: Initial | None = None
    display: Annotated[Display | None, Outside.SHOWN] = None

    @field_validator("initial")
    @classmethod
    def _initial_in_order(cls, initial: Initial | None, info: ValidationInfo) -> Initial | None:
        return initial if initial is None else in_order(initial, info.data.get("variables", ()))

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        checks = ProblemChecks(self.symbols)
        checks.unique_names("variable", (variable.name for variable in self.variables))
        checks.unique_names("table", (table.name for table in self.tables))
        if self.display is not None:
            for side in ("rows", "columns"):
                checks.lanes(side, [lane.variables for lane in getattr(self.display, side)])
                checks.lane_values(side, [lane.values for lane in getattr(self.display, side)])
        issues = checks.issues + self._checked.issues
        if self.initial is not None:
            wrong = check_values(self.symbols, self.initial)
            issues += wrong or ([] if issues else check_feasible(self.symbols, self.constraints, self.initial))
        if issues:
            raise ProblemError(issues)
        return self

    @classmethod
    def create(cls, /, **fields: Any) -> Self:
        """Like the constructor, but whatever is wrong comes as one `ProblemError`."""
        try:
            return cls(**(fields | {name: _piecewise(name, fields[name]) for name in _PIECES if name in fields}))
        except ValidationError as error:
            raise ProblemError(issues_from_validation(error, cls.model_fields)) from None

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """The inverse of `to_json`. For files use `pcl_core.load`, whose errors have lines and columns."""
        try:
            fields = json.loads(text, parse_float=str)
        except (ValueError, RecursionError) as error:
            raise ProblemError(Issue(Code.SYNTAX, f"not JSON: {error}")) from None
        if not isinstance(fields, dict):
            raise ProblemError(Issue(Code.WRONG_SHAPE, "a ground problem is a JSON object"))
        return cls.create(**fields)

    def to_json(self) -> str:
        """Canonical JSON: every field, in the order of the model, without spaces; equal problems are equal text.

        Fields that were added to the format are written where they are used: who does not know them reads all others.
        """
        return self.model_dump_json(exclude={name for name in ADDED if getattr(self, name) is None})

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        members = zip(self.parts, self.structure.feature_subsets, strict=True)
        parts = {it.label or it.name: f"variables: {len(it.variables)}, features: {len(own)}" for it, own in members}
        sizes = {name: len(getattr(self, name)) for name in ("variables", "constraints", "features")}
        return html_table(self.label or self.name, {"about": self.description, **sizes, "parts": parts})

    def replace(self, **changes: Any) -> Self:
        """A new, checked problem with some fields changed."""
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        return type(self).create(**(fields | changes))

    def coarsen(self, groups: Mapping[str, Sequence[str]]) -> Self:
        """The same problem with unions of parts as parts; parts in no group stay as they are.

        A group takes the place of its first part, so the order of the parts is kept.
        """
        return self.replace(parts=coarser(self.parts, groups))

    @property
    def initial_configuration(self) -> dict[str, Value] | None:
        """x¹, where a learner starts: a new mapping that may be changed, or None where the problem declares none."""
        return None if self.initial is None else dict(self.initial)

    @cached_property
    def content_hash(self) -> str:
        """SHA-256 of what the problem means. Wording, and what is only said again, is outside it."""
        features = [
            feature.model_copy(update={"reach": None})
            if feature.reach is not None and feature.reach == self.structure.reach(position)
            else feature
            for position, feature in enumerate(self.features)
        ]
        return hash_of(meaning_of(self) | {"features": features})

    @cached_property
    def presentation(self) -> Presentation:
        """What people see: labels, units, descriptions, by name of what they belong to."""
        sections = ("variables", "definitions", "constraints", "features", "parts")
        return presentation_of(self, {section: getattr(self, section) for section in sections})

    @cached_property
    def presentation_hash(self) -> str:
        """SHA-256 of the presentation."""
        return hash_of(self.presentation.model_dump(exclude_defaults=True))

    @cached_property
    def former_hash(self) -> str:
        """SHA-256 of the whole canonical JSON: what logs and kept results went by when wording counted as meaning."""
        return hashlib.sha256(self.model_dump_json(exclude=ADDED).encode()).hexdigest()

    def goes_by(self, stored: str) -> bool:
        """Whether a hash that was stored with a log, a certificate or a result is this problem's, now or formerly."""
        return stored == self.content_hash or stored == self.former_hash

    @property
    def shared(self) -> Shared:
        """What others made of this problem and still use."""
        found: Shared = self.__dict__.setdefault("shared", Shared())  # at once: two threads must not get two
        return found

    @cached_property
    def symbols(self) -> Symbols:
        return Symbols(
            {variable.name: variable for variable in self.variables},
            {table.name: table for table in self.tables},
            {definition.name: definition.value for definition in self.definitions},
        )

    @cached_property
    def structure(self) -> Structure:
        """I_p, private features and J_k by position."""
        return derive_structure(self.parts, self.features, self.symbols)

    @cached_property
    def _checked(self) -> ProblemChecks:
        """All expressions, looked at once: what is wrong, and what is known of them."""
        return check_problem(
            self.symbols,
            self.definitions,
            self.constraints,
            self.features,
            self.parts,
            self.shared_only,
            lambda: self.structure,
        )

    @property
    def feature_facts(self) -> tuple[Facts, ...]:
        """Kinds and interval bounds of the features."""
        return self._checked.feature_facts

    @property
    def inference(self) -> Inference:
        """Kinds and bounds of any expression over this problem's names."""
        return self._checked.inference

    def inference_beside(self, given: Mapping[str, Value]) -> Inference:
        """The same where some variables have values."""
        return InferenceBeside(self.symbols, self.inference, self.long_sums, given)

    @cached_property
    def registers(self) -> Registers:
        """The definitions as registers; evaluators of expressions that refer to them start from a copy."""
        registers = Registers(self.symbols)
        for name in self.symbols.definition_order:
            registers.add(Ref(name=name))
        return registers

    @cached_property
    def long_sums(self) -> LongSums:
        """Sums over so many things that a part looks up its own terms in them."""
        expressions = [*(it.require for it in self.constraints), *(it.value for it in self.features)]
        return LongSums(self.symbols, self.inference, self.registers, expressions)

    @cached_property
    def constraint_labels(self) -> Mapping[str, str]:
        """What people see of constraints, by name; empty where nothing is said."""
        return {constraint.name: constraint.label for constraint in self.constraints}

    @cached_property
    def constraints_of_variable(self) -> Mapping[str, tuple[int, ...]]:
        """For each variable the constraints that mention it, by position."""
        found: dict[str, list[int]] = {name: [] for name in self.symbols.variables}
        for position, constraint in enumerate(self.constraints):
            for name in self.symbols.free_variables(constraint.require):
                found[name].append(position)
        return {name: tuple(positions) for name, positions in found.items()}

    def constraints_within(self, variables: Collection[str]) -> list[int]:
        """The constraints that mention no other variables, by position."""
        touching = self.constraints_of_variable
        mentioned = Counter([position for name in variables for position in touching.get(name, ())])
        sizes = self._variables_in_constraint
        return sorted([*self._constraints_on_nothing, *(at for at, count in mentioned.items() if count == sizes[at])])

    @cached_property
    def _variables_in_constraint(self) -> Counter[int]:
        return Counter([position for found in self.constraints_of_variable.values() for position in found])

    @cached_property
    def _constraints_on_nothing(self) -> frozenset[int]:
        mentioned = {position for positions in self.constraints_of_variable.values() for position in positions}
        return frozenset(range(len(self.constraints))) - mentioned

    def constraints_on(self, variables: Iterable[str]) -> tuple[int, ...]:
        """The constraints that some of the variables must satisfy, by position.

        Those that mention no variable belong to all: if one is false, whatever the parameters were, nothing is allowed.
        """
        touching = self.constraints_of_variable
        return tuple(sorted(self._constraints_on_nothing.union(*[touching[name] for name in variables])))

    def part_position(self, name: str) -> int:
        for position, part in enumerate(self.parts):
            if part.name == name:
                return position
        hint = suggest(str(name), [part.name for part in self.parts])
        raise ProblemError(Issue(Code.UNKNOWN_NAME, f"problem '{self.name}' has no part '{name}'", hint))

    def feature_reach(self, position: int) -> Reach:
        """Local or global: what the file says, else what follows from the parts it touches."""
        return self.features[position].reach or self.structure.reach(position)


PIECE = 500
_PIECES: dict[str, TypeAdapter[tuple[Any, ...]]] = {
    "variables": TypeAdapter(tuple[Variable, ...]),
    "tables": TypeAdapter(tuple[Table, ...]),
    "definitions": TypeAdapter(tuple[Definition, ...]),
    "constraints": TypeAdapter(tuple[Constraint, ...]),
    "features": TypeAdapter(tuple[Feature, ...]),
    "parts": TypeAdapter(tuple[Part, ...]),
}


def _piecewise(name: str, given: Any) -> Any:
    """A long list with its elements made piece by piece: a hundred thousand wrong ones are left after the first few.

    With a few wrong ones, or none, all of them are looked at again, together with the other fields.
    """
    if not isinstance(given, (list, tuple)) or len(given) <= PIECE:
        return given
    made: list[Any] = []
    wrong: list[Issue] = []
    for start in range(0, len(given), PIECE):
        try:
            made += _PIECES[name].validate_python(given[start : start + PIECE])
        except ValidationError as error:
            wrong += issues_from_validation(error, Problem.model_fields, (name, start))
            if len(wrong) > MAX_FINDINGS:
                raise ProblemError(wrong) from None
    return given if wrong else made


def ground_schema() -> dict[str, object]:
    """The JSON Schema of ground problems."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **Problem.model_json_schema(),
        "title": "pcl ground Problem",
    }
