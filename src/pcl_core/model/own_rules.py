"""Rules of a person's own: hard constraints about values that join a problem while it is elicited for her.

    rule = read_rule(problem, "at_most", "plan[*,*]", ["running", "squats"], 3, "part")
    under(problem, (rule,))       # the problem, with her rules among its constraints

Variables, features and parts stay as they are, so whatever was learned, and every fact, goes on.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, TypeAlias, TypeVar, get_args

from pcl_core.errors import Code, Issue, RequestError, suggest
from pcl_core.ir.domains import MAX_NAME_LENGTH, BoolVariable, CategoricalVariable, Value
from pcl_core.ir.make import compare, conjunction, count, disjunction, member, negation
from pcl_core.ir.nodes import Node, Var
from pcl_core.ir.numbers import MAX_MAGNITUDE
from pcl_core.json_form import JsonForm
from pcl_core.model.assignment import fitting, refusal
from pcl_core.model.assignment import names as names_given
from pcl_core.model.elements import Constraint
from pcl_core.model.names import select
from pcl_core.model.own_words import constraint_name, in_words, shown_selection
from pcl_core.model.problem import Problem
from pcl_core.wording import in_a_row

RuleKind: TypeAlias = Literal["never", "always", "at_most", "at_least"]
Each: TypeAlias = Literal["part", "all"]
"""Whether values are counted in each part, or in all of them together."""
RULE_KINDS: tuple[RuleKind, ...] = get_args(RuleKind)
EACH: tuple[Each, ...] = get_args(Each)
Word = TypeVar("Word", bound=str)
OWN_LABEL = "a rule of your own"


@dataclass(frozen=True)
class RuleGroup:
    """Variables that are counted together: from `least` to `most` of them have a value that is listed for them."""

    wanted: tuple[tuple[str, tuple[Value, ...]], ...]
    least: int
    most: int

    def count(self, configuration: Mapping[str, Value], without: Collection[str] = ()) -> int:
        """How many have such a value in a configuration, those of some variables left out."""
        return sum(configuration[name] in values for name, values in self.wanted if name not in without)

    def touches(self, variables: Collection[str]) -> bool:
        return any(name in variables for name, _ in self.wanted)


@dataclass(frozen=True)
class OwnRule(JsonForm):
    """A rule as it was said."""

    FORM: ClassVar[tuple[str, ...]] = ("kind", "variables", "values", "count", "each", "words")
    kind: RuleKind
    variables: str | tuple[str, ...]
    """The selection, as it was written."""
    values: tuple[Value, ...]
    count: int | None
    each: Each
    words: str
    """The rule for people."""


@dataclass(frozen=True)
class BoundRule:
    """A rule with what it says of the variables of one problem."""

    rule: OwnRule
    groups: tuple[RuleGroup, ...]

    def obeyed_by(self, configuration: Mapping[str, Value]) -> bool:
        return all(group.least <= group.count(configuration) <= group.most for group in self.groups)

    def touches(self, variables: Collection[str]) -> bool:
        """Whether it says something about one of the variables."""
        return any(group.touches(variables) for group in self.groups)


def read_rule(
    problem: Problem,
    kind: str,
    variables: str | Iterable[str],
    values: object,
    count: object = None,
    each: str = "all",
) -> BoundRule:
    """A rule from what a person says; what cannot be meant is a `RequestError` with a suggestion."""
    chosen, where = _one_of(kind, RULE_KINDS, "rule"), _one_of(each, EACH, "way to count")
    selection = variables if isinstance(variables, str) else tuple(names_given(variables, "a selection of variables"))
    names = select(problem.symbols.variables, selection)
    listed = tuple(values) if isinstance(values, (list, tuple, set, frozenset)) else (values,)
    wanted = _wanted(problem, names, listed, selection)
    number = _count(count) if chosen in ("at_most", "at_least") else None
    if number is None and count is not None:
        raise RequestError(Issue(Code.BAD_VALUE, f"'{chosen}' is about all of them and counts nothing"))
    if chosen == "always" and (without := [name for name in names if name not in wanted]):
        raise RequestError(Issue(Code.BAD_VALUE, *refusal(problem.symbols.variables[without[0]], listed[0])))
    by_part = chosen in ("never", "always") or where == "part"
    if chosen == "at_least" and number and where == "part":
        _refuse_parts_without(problem, names, wanted, listed)
    groups = tuple(_groups(problem, wanted, chosen, number, by_part))
    words = in_words(problem, chosen, selection, names, listed, number, where == "part")
    said = tuple(value for value in listed if isinstance(value, (bool, int, str)))
    return BoundRule(OwnRule(chosen, selection, said, number, where, words), groups)


def bind(problem: Problem, rule: OwnRule) -> BoundRule:
    """A rule that was kept, for a problem."""
    return read_rule(problem, rule.kind, rule.variables, rule.values, rule.count, rule.each)


def broken_rules(rules: Iterable[BoundRule], configuration: Mapping[str, Value]) -> tuple[OwnRule, ...]:
    """The rules that a complete configuration breaks."""
    return tuple(bound.rule for bound in rules if not bound.obeyed_by(configuration))


def under(problem: Problem, rules: Sequence[BoundRule]) -> Problem:
    """The problem with these rules as further constraints, named as hers."""
    taken = {constraint.name for constraint in problem.constraints}
    further: list[Constraint] = []
    for bound in rules:
        name = _free(constraint_name(bound.rule.words, bound.rule.values, bound.rule.variables), taken)
        taken.add(name)
        require = conjunction(_require(problem, group) for group in bound.groups)
        further.append(Constraint(name=name, require=require, label=OWN_LABEL))
    return problem.replace(constraints=(*problem.constraints, *further), initial=None)


def _groups(
    problem: Problem, wanted: Mapping[str, tuple[Value, ...]], kind: RuleKind, number: int | None, by_part: bool
) -> Iterable[RuleGroup]:
    """What is counted together: each part by itself, or all."""
    named = {part.name: [name for name in part.variables if name in wanted] for part in problem.parts}
    gathered = {part: names for part, names in named.items() if names} if by_part else {"": list(wanted)}
    for part, names in gathered.items():
        least, most = 0, len(names)
        if kind in ("never", "at_most"):
            most = number or 0
        else:
            least = len(names) if number is None else number
        if least > len(names):
            message = f"{least} of them cannot be among {len(names)} variables" + (f" of part '{part}'" if part else "")
            raise RequestError(Issue(Code.BAD_VALUE, message, f"at most {len(names)}"))
        yield RuleGroup(tuple((name, wanted[name]) for name in names), least, most)


def _refuse_parts_without(
    problem: Problem, names: Sequence[str], wanted: Collection[str], values: Sequence[object]
) -> None:
    """At least so many in each part cannot be where a part that is meant has nothing that could be one of them."""
    where = problem.structure.part_of_variable
    able = {where[name] for name in wanted}
    unable = [problem.parts[part].name for part in sorted({where[name] for name in names} - able)]
    if unable:
        said = " or ".join(f"{value!s:.60}" for value in values)
        message = f"nothing that is meant in {in_a_row(unable)} can be {said}"
        raise RequestError(Issue(Code.BAD_VALUE, message, "say it for the other parts alone"))


def _require(problem: Problem, group: RuleGroup) -> Node:
    holds = [has_one_of(problem, name, values) for name, values in group.wanted]
    if group.most == 0:
        return conjunction(map(negation, holds))
    if group.least == len(holds):
        return conjunction(holds)
    return compare(count(holds), "<=", group.most) if group.least == 0 else compare(count(holds), ">=", group.least)


def has_one_of(problem: Problem, name: str, values: Sequence[Value]) -> Node:
    """Whether a variable has one of some values."""
    here = Var(name=name)
    if isinstance(problem.symbols.variables[name], BoolVariable):
        return disjunction([here if value else negation(here) for value in values])
    if len(values) == 1:
        return compare(here, "==", values[0])
    return member(here, [value for value in values if not isinstance(value, bool)])


def _wanted(
    problem: Problem, names: Sequence[str], values: Sequence[object], selection: str | tuple[str, ...]
) -> dict[str, tuple[Value, ...]]:
    """For each variable that can have some of the values, which; each value must be possible somewhere."""
    if not values:
        raise RequestError(Issue(Code.BAD_VALUE, "a rule is about at least one value", "say which"))
    known = problem.symbols.variables
    fits = [{name: value for name in names if (value := fitting(known[name], said)) is not None} for said in values]
    for said, found in zip(values, fits, strict=True):
        if not found:
            labels = [v.labels for name in names if isinstance(v := known[name], CategoricalVariable)]
            hint = suggest(str(said), [label for found_labels in labels for label in found_labels])
            message = f"nothing in {shown_selection(selection)} can be {said!r:.60}"
            raise RequestError(Issue(Code.BAD_VALUE, message, hint or refusal(known[names[0]], said)[1]))
    some = {name: tuple(dict.fromkeys(found[name] for found in fits if name in found)) for name in names}
    return {name: found for name, found in some.items() if found}


def _free(name: str, taken: Collection[str]) -> str:
    """A name that nothing has, and that is not too long for one."""
    most = MAX_NAME_LENGTH - 10
    short = name if len(name) <= most else name[: most - 1] + "…"
    number, free = 2, short
    while free in taken:
        free, number = f"{short} #{number}", number + 1
    return free


def _count(given: object) -> int:
    if not isinstance(given, int) or isinstance(given, bool) or given < 0:
        raise RequestError(Issue(Code.BAD_VALUE, f"'{given!s:.60}' is no number to count to", "write 0, 1, 2, ..."))
    if given > MAX_MAGNITUDE:
        raise RequestError(
            Issue(Code.NUMBER_TOO_LARGE, "there are not so many variables to count", "write 0, 1, 2, ...")
        )
    return given


def _one_of(given: str, known: tuple[Word, ...], what: str) -> Word:
    for word in known:
        if word == given:
            return word
    raise RequestError(Issue(Code.BAD_VALUE, f"there is no {what} '{given!s:.60}'", suggest(str(given), known)))
