"""What a ground problem is made of, and what follows from it: which features depend on which parts (I_p), and the
decomposition that an order gives (J_k).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Literal, TypeAlias

from pydantic import BeforeValidator, Field, StrictStr
from pydantic_core import PydanticCustomError

from pcl_core.errors import Code, Issue, Location, ProblemError, suggest
from pcl_core.ir.domains import Name, Outside, Text
from pcl_core.ir.nodes import Expr, Frozen
from pcl_core.ir.symbols import Symbols

Reach: TypeAlias = Literal["local", "global"]


def _version_one(value: object) -> object:
    if type(value) is not int or value != 1:
        raise PydanticCustomError(Code.WRONG_VERSION.value, "only version 1 of the format is known")
    return value


Version = Annotated[Literal[1], BeforeValidator(_version_one), Outside.CHECKED]


NameList = Annotated[tuple[StrictStr, ...], Field(fail_fast=True)]


class Definition(Frozen):
    """A named expression that others may refer to."""

    name: Name
    value: Expr
    label: Text = ""


class Constraint(Frozen):
    """A hard constraint: `require` must be true in every configuration."""

    name: Name
    require: Expr
    label: Text = ""


class Feature(Frozen):
    """A number (φ_i in the paper) that people may have preferences over.

    `reach` says whether judging it takes the whole configuration; it follows from the parts the feature
    touches unless it is set.
    """

    name: Name
    value: Expr
    label: Text = ""
    unit: Text = ""
    reach: Reach | None = None


class Part(Frozen):
    """A basic part p: the variables that are shown and improved together.

    `features` may declare I_p. It is derived in any case, and a difference is an error.
    """

    name: Name
    variables: NameList
    label: Text = ""
    features: Annotated[NameList | None, Outside.CHECKED] = None


@dataclass(frozen=True)
class Structure:
    """Parts and features by position in the problem; everything here is derived, nothing is declared."""

    feature_subsets: tuple[tuple[int, ...], ...]
    """I_p for each part: the features that mention one of its variables."""
    parts_of_feature: tuple[tuple[int, ...], ...]
    """For each feature the parts it depends on: the inverse of `feature_subsets`."""
    part_of_variable: dict[str, int]

    @cached_property
    def private_features(self) -> tuple[tuple[int, ...], ...]:
        """For each part the features that depend on no other part."""
        return tuple(
            tuple(feature for feature in subset if len(self.parts_of_feature[feature]) == 1)
            for subset in self.feature_subsets
        )

    @cached_property
    def degrees(self) -> tuple[int, ...]:
        """How many other parts each part shares a feature with: the node degrees of the GAI network, without building it."""
        neighbours: list[set[int]] = [set() for _ in self.feature_subsets]
        for parts in set(self.parts_of_feature):
            for part in parts:
                neighbours[part].update(parts)
        return tuple(len(found - {part}) for part, found in enumerate(neighbours))

    def reach(self, feature: int) -> Reach:
        """Global when a feature depends on more than two parts and on more than half of all."""
        touched = len(self.parts_of_feature[feature])
        return "global" if touched > max(2, len(self.feature_subsets) / 2) else "local"

    def decomposition(self, order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """J_k = I_k minus all I_j with j after k in the order (Eq. 3), by part position.

        Each feature goes to the last part in the order that it depends on, so the J_k partition the features.
        """
        if sorted(order) != list(range(len(self.feature_subsets))):
            raise ValueError("an order must list every part exactly once")
        rank = {part: position for position, part in enumerate(order)}
        owned: list[list[int]] = [[] for _ in self.feature_subsets]
        for feature, parts in enumerate(self.parts_of_feature):
            owned[max(parts, key=rank.__getitem__)].append(feature)
        return tuple(map(tuple, owned))

    def ignored(self, order: Sequence[int]) -> tuple[tuple[int, ...], ...]:
        """I_k \\ J_k: the features of each part that its own inference ignores, by part position."""
        return tuple(
            tuple(feature for feature in own if feature not in kept)
            for own, kept in zip(self.feature_subsets, map(set, self.decomposition(order)), strict=True)
        )


def derive_structure(parts: Sequence[Part], features: Sequence[Feature], symbols: Symbols) -> Structure:
    """Derive I_p from the variables that each feature mentions, definitions expanded."""
    part_of_variable = {name: position for position, part in enumerate(parts) for name in part.variables}
    subsets: list[list[int]] = [[] for _ in parts]
    touched_by: list[tuple[int, ...]] = []
    for index, feature in enumerate(features):
        mentioned = symbols.free_variables(feature.value)
        touched = sorted({part_of_variable[name] for name in mentioned if name in part_of_variable})
        touched_by.append(tuple(touched))
        for part in touched:
            subsets[part].append(index)
    return Structure(tuple(map(tuple, subsets)), tuple(touched_by), part_of_variable)


def coarser(parts: Sequence[Part], groups: Mapping[str, Sequence[str]]) -> tuple[Part, ...]:
    """Unions of parts as parts; a group takes the place of its first part, and parts in no group stay as they are."""
    group_of: dict[str, str] = {}
    known = {part.name: part for part in parts}
    for group, names in groups.items():
        for name in names:
            if name not in known or name in group_of:
                state = "is in two groups" if name in group_of else "does not exist"
                issue = Issue(Code.BAD_GROUPS, f"part '{name}' {state}", suggest(name, known), Location(subject=group))
                raise ProblemError(issue)
            group_of[name] = group
    merged: dict[str, Part] = {}
    for part in parts:
        owner = group_of.get(part.name)
        if owner is None:
            merged[part.name] = part
        else:
            before = merged[owner].variables if owner in merged else ()
            merged[owner] = Part(name=owner, variables=before + part.variables)
    if len(merged) != len(parts) - len(group_of) + sum(1 for names in groups.values() if names):
        raise ProblemError(Issue(Code.BAD_GROUPS, "a group has the name of a part that is not in it"))
    return tuple(merged.values())
