"""The sections `initial` and `display`, which need the variables: values entry by entry, and how they are laid out.

A later entry of `initial` overrides an earlier one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, TypeAlias

from pcl_core.authoring.document import InitialSpec, ProblemFile
from pcl_core.authoring.environment import Bindings, Expansion, afford_turns, bindings
from pcl_core.authoring.infix import ExpressionError
from pcl_core.authoring.operations import selected_variables
from pcl_core.authoring.values import Member
from pcl_core.authoring.workspace import Workspace
from pcl_core.errors import Code, DataPath, Issue, suggest
from pcl_core.ir.domains import AnyVariable, CategoricalVariable, Value, is_labelled
from pcl_core.ir.nodes import Var
from pcl_core.model.assignment import fitting, refusal
from pcl_core.model.meaning import Display, Lane

MAX_SHOWN = 60
STEPS_A_VALUE = 3

_Labels: TypeAlias = Mapping[str, None]
"""Every label that some variable can have, in order."""


def read_initial(
    work: Workspace, entries: Sequence[InitialSpec], variables: Iterable[AnyVariable]
) -> dict[str, Value] | None:
    """Values by ground name; None where no entry applies, so that `if` can leave out the whole section."""
    known = {variable.name: variable for variable in variables}
    labels = _labels(known.values()) if entries else {}
    found: dict[str, Value] = {}
    for at, spec in enumerate(entries):
        path: DataPath = ("initial", at)
        texts = spec.target if isinstance(spec.target, list) else [spec.target]
        with work.guard((*path, "set"), f"initial value of '{', '.join(texts)[:MAX_SHOWN]}'"):
            for name, value in _values(work, spec, path, known, labels):
                found[name] = value
    return found or None


def _labels(variables: Iterable[AnyVariable]) -> _Labels:
    domains = {variable.labels for variable in variables if isinstance(variable, CategoricalVariable)}
    return {label: None for labels in sorted(domains) for label in labels}


def _values(
    work: Workspace, spec: InitialSpec, path: DataPath, known: Mapping[str, AnyVariable], labels: _Labels
) -> Iterator[tuple[str, Value]]:
    if not spec.target:
        raise ExpressionError(Code.WRONG_SHAPE, "at least one selection is needed")
    loops, bound = work.turns(spec.foreach, spec.only_if, path)
    targets = [(work.expand(text, place, bound), place) for text, place in _places(spec, path)]
    source = _Source(work, spec.to, (*path, "to"), bound, labels)
    env: Bindings = {}
    afford_turns(loops, work.names.budget)
    for _ in bindings(loops, env, work.names.budget):
        for target, place in targets:
            names = _selected(target, place, env)
            work.names.budget.spend(STEPS_A_VALUE * len(names))
            for name in names:
                yield name, source.value(known[name], env)


def _places(spec: InitialSpec, path: DataPath) -> list[tuple[str, DataPath]]:
    if isinstance(spec.target, list):
        return [(text, (*path, "set", at)) for at, text in enumerate(spec.target)]
    return [(spec.target, (*path, "set"))]


def _selected(target: Expansion, place: DataPath, env: Bindings) -> list[str]:
    try:
        return selected_variables(target.run(env), "`set`")
    except ExpressionError as error:
        error.path = error.path or place
        raise


class _Source:
    """What `to` says: an expression, or the bare label of a variable that can have it."""

    def __init__(self, work: Workspace, text: str, path: DataPath, bound: frozenset[str], labels: _Labels) -> None:
        known = text in bound or work.names.has(text) or text in work.names.broken
        self._path = path
        self._bare = text if text in labels and not known else None
        self._expansion: Expansion | None = None
        try:
            self._expansion = work.expand(text, path, bound)
        except ExpressionError as error:
            if self._bare is None:
                if error.code is Code.UNKNOWN_NAME and text.isidentifier():
                    error.hint = suggest(text, [*labels, *bound, *work.names.all()])
                raise
        if self._expansion is not None and not self._expansion.static:
            raise self._wrong(Code.NOT_STATIC, "an initial value must be known before solving")

    def value(self, variable: AnyVariable, env: Bindings) -> Value:
        if self._bare is not None and isinstance(variable, CategoricalVariable) and self._bare in variable.labels:
            return self._bare
        value = self._bare if self._expansion is None else self._expansion.run(env)
        if isinstance(value, (list, tuple, range)):
            raise self._wrong(Code.WRONG_KIND, "an initial value is a single value, not a list")
        checked = fitting(variable, value)
        if checked is None:
            raise self._wrong(Code.BAD_CONFIGURATION, *refusal(variable, value))
        return checked

    def _wrong(self, code: Code, message: str, hint: str | None = None) -> ExpressionError:
        error = ExpressionError(code, message, hint)
        error.path = self._path
        return error


def read_display(work: Workspace, file: ProblemFile, variables: Sequence[AnyVariable]) -> Display | None:
    """The display that a file declares, or None. Variables must be expanded already."""
    if file.display is None:
        return None
    with work.guard(("display",), "display"):
        return Display(
            board=file.display.board,
            rows=_lanes(work, file, "rows", file.display.rows, variables),
            columns=_lanes(work, file, "columns", file.display.columns, variables),
        )
    return None


def _lanes(
    work: Workspace,
    file: ProblemFile,
    side: Literal["rows", "columns"],
    word: str | tuple[str, str] | None,
    variables: Sequence[AnyVariable],
) -> tuple[Lane, ...]:
    """A lane for each member of a set, with all variables that have it at the index of that name.

    A table over one index says in which lane each of its members stands: lanes in the order of their numbers. So does a
    table over labels that variables take, or a pair of them, for who takes a label.
    """
    if word is None:
        return ()
    ends = [work.names.tables.get(it) for it in ((word, word) if isinstance(word, str) else word)]
    taken = {label for variable in variables if is_labelled(variable) for label in variable.labels}
    covered = [
        {key[0]: cell for key, cell in table.cells.items() if len(key) == 1} for table in ends if table is not None
    ]
    meant = taken.issuperset if isinstance(word, str) else lambda labels: not taken.isdisjoint(labels)
    if len(covered) == 2 and covered[0] and all(map(meant, covered)):
        first, last = covered
        return tuple(
            Lane(label=str(at), variables=(), values=tuple(str(it) for it in first if first[it] <= at <= last[it]))
            for at in range(int(min(first.values())), int(max(last.values())) + 1)
        )
    indices = {name: list(spec.index) for name, spec in file.variables.items() if spec.index}
    if not isinstance(word, str):
        if all(name in work.names.arrays for name in indices):  # what is wrong with a variable is told there
            where = work.document.location(("display", side), subject="display")
            work.report(
                Issue(Code.UNKNOWN_NAME, f"'{word[0]}' and '{word[1]}' are not two tables over labels", None, where)
            )
        return ()
    known = {index for indexed in indices.values() for index in indexed}
    table = work.names.tables.get(word) if word not in known else None
    by = file.tables[word].index[0] if table is not None and len(table.axes) == 1 else word
    if by not in known and all(name in work.names.arrays for name in indices):
        where = work.document.location(("display", side), subject="display")
        work.report(Issue(Code.UNKNOWN_NAME, f"no variable has the index '{word}'", suggest(word, known), where))
    lanes: dict[Member, list[str]] = {}
    for name, indexed in indices.items():
        if by in indexed and name in work.names.arrays:
            for key, node in work.names.arrays[name].cells.items():
                assert isinstance(node, Var)
                member = key[indexed.index(by)]
                lanes.setdefault(member if table is None else table.cells[(member,)], []).append(node.name)
    if table is not None:
        lanes = {number: lanes[number] for number in sorted(lanes)}
    return tuple(Lane(label=str(member), variables=tuple(names)) for member, names in lanes.items())
