"""What a file declares before any decision: parameters, sets, tables, and checks on them."""

from collections import Counter
from collections.abc import Mapping
from itertools import pairwise

from pcl_core.authoring import data
from pcl_core.authoring.document import CsvSet, ProblemFile
from pcl_core.authoring.environment import as_members, known_truth
from pcl_core.authoring.findings import once
from pcl_core.authoring.infix import ExpressionError
from pcl_core.authoring.values import Expanded, Member, Scalar, describe
from pcl_core.authoring.workspace import Workspace
from pcl_core.errors import Code, DataPath, Issue, ProblemError, suggest
from pcl_core.ir.domains import AnyVariable, BoolVariable, CategoricalVariable, IntVariable
from pcl_core.ir.numbers import NumberError, exact

STEPS_A_MEMBER = 2


class Declarations:
    """Reads the data of a file into the workspace's names."""

    def __init__(self, work: Workspace, file: ProblemFile, given: Mapping[str, str]) -> None:
        self._work = work
        self._names = work.names
        self._file = file
        self._given = given
        self._files: dict[str, data.CsvFile] = {}

    def read(self) -> None:
        self._read_parameters()
        self._read_sets()
        self._read_tables()
        self._run_checks()
        if self._work.issues:  # what follows would only repeat what is wrong with the data
            raise ProblemError(once(self._work.issues))

    def _read_parameters(self) -> None:
        declared = self._file.parameters
        for name, default in declared.items():
            path = ("parameters", name)
            if self._work.claim(name, path, "parameter"):
                self._names.broken.add(name)
                with self._work.guard(path, f"parameter '{name}'"):
                    value = _parameter(default, self._given[name]) if name in self._given else default
                    self._names.values[name] = value if isinstance(value, (bool, str)) else exact(value)
                    self._names.broken.discard(name)
        for name in self._given:
            if name not in declared:
                hint = suggest(name, declared) or "it has no parameters"
                message = f"problem '{self._file.name}' has no parameter '{name}'"
                self._work.report(Issue(Code.BAD_PARAMETER, message, hint))

    def _read_sets(self) -> None:
        for name, spec in self._file.sets.items():
            path: DataPath = ("sets", name)
            if not self._work.claim(name, path, "set"):
                continue
            self._names.broken.add(name)
            with self._work.guard(path, f"set '{name}'"):
                members: list[Member]
                if isinstance(spec, CsvSet):
                    columns = [spec.column] if isinstance(spec.column, str) else spec.column
                    members = data.csv_members(self._csv(spec.csv, (*path, "csv")), columns, self._names.budget)
                elif isinstance(spec, list):
                    members = [data.member(item) for item in spec]
                else:
                    drawn = as_members(self._work.static(spec, path))
                    self._names.budget.spend(STEPS_A_MEMBER * len(drawn))
                    members = list(drawn)
                if not members:
                    raise ExpressionError(Code.EMPTY_DOMAIN, "a set needs at least one member")
                if len(set(members)) < len(members):
                    twice, _ = Counter(members).most_common(1)[0]
                    raise ExpressionError(Code.DUPLICATE_NAME, f"'{twice}' is listed twice")
                self._names.sets[name] = tuple(members)
                self._names.broken.discard(name)

    def _read_tables(self) -> None:
        for name, spec in self._file.tables.items():
            path: DataPath = ("tables", name)
            if not self._work.claim(name, path, "table"):
                continue
            self._names.broken.add(name)
            with self._work.guard(path, f"table '{name}'"):
                if (spec.values is None) == (spec.csv is None):
                    raise ExpressionError(Code.WRONG_SHAPE, "a table has either `values` or `csv`")
                if spec.column is not None and spec.csv is None:
                    raise ExpressionError(Code.WRONG_SHAPE, "`column` only goes with `csv`")
                axes = tuple(self._work.members_of(index, (*path, "index", at)) for at, index in enumerate(spec.index))
                file = self._csv(spec.csv, (*path, "csv")) if spec.csv is not None else None
                self._names.tables[name] = data.table(name, spec, axes, file, self._names.budget)
                self._names.broken.discard(name)

    def _csv(self, text: str, path: DataPath) -> data.CsvFile:
        relative = self._work.template(text, path)({})
        if relative not in self._files:
            self._files[relative] = data.read_csv(self._work.folder, relative, self._names.budget)
        return self._files[relative]

    def _run_checks(self) -> None:
        for at, check in enumerate(self._file.checks):
            with self._work.guard(("checks", at, "that"), "check"):
                if not known_truth(self._work.static(check.that, ("checks", at, "that")), "a check"):
                    where = self._work.document.location(("checks", at))
                    self._work.report(Issue(Code.CHECK_FAILED, check.message, None, where))


def _parameter(default: Scalar, text: str) -> Scalar:
    """A parameter given as text, of the same sort as its default."""
    if isinstance(default, str):
        return text
    if isinstance(default, bool):
        if text.lower() in ("true", "false"):
            return text.lower() == "true"
        raise ExpressionError(Code.BAD_PARAMETER, f"it is true or false, not '{text[:40]}'")
    try:
        number = exact(text)
    except NumberError as error:
        raise ExpressionError(Code.BAD_PARAMETER, str(error)) from None
    if isinstance(default, int) and not isinstance(number, int):
        raise ExpressionError(Code.BAD_PARAMETER, f"it is a whole number, not {text[:40]}")
    return number


def variable_of(name: str, domain: Expanded, label: str, unit: str) -> AnyVariable:
    """The variable that a domain makes: a Boolean, a range of whole numbers, or labels."""
    if domain is True:
        if unit:
            raise ExpressionError(Code.WRONG_SHAPE, "only numbers have a unit")
        return BoolVariable(name=name, label=label)
    if isinstance(domain, range) and not domain:
        message = f"variable '{name}' has no value to take: {domain.start}..{domain.stop - 1} is empty"
        raise ExpressionError(Code.EMPTY_DOMAIN, message)
    if isinstance(domain, range):
        return IntVariable(name=name, lower=domain.start, upper=domain.stop - 1, label=label, unit=unit)
    if not isinstance(domain, list):
        message = f"a domain is bool, a range a..b, or a set of labels or whole numbers, not {describe(domain)}"
        raise ExpressionError(Code.WRONG_KIND, message)
    if not domain:
        raise ExpressionError(Code.EMPTY_DOMAIN, f"variable '{name}' has no value to take")
    whole = sorted(item for item in domain if isinstance(item, int) and not isinstance(item, bool))
    if len(whole) == len(domain):
        if len(set(whole)) < len(whole):
            raise ExpressionError(Code.DUPLICATE_NAME, f"the domain of variable '{name}' lists a value twice")
        missing = next((number + 1 for number, after in pairwise(whole) if after > number + 1), None)
        if missing is not None:
            hint = f"use the range {whole[0]}..{whole[-1]}, and a constraint that the variable is `in` the set"
            raise ExpressionError(
                Code.WRONG_KIND, f"a domain of whole numbers has no gaps, and {missing} is not in it", hint
            )
        return IntVariable(name=name, lower=whole[0], upper=whole[-1], label=label, unit=unit)
    for item in domain:
        if not isinstance(item, str):
            message = f"a domain is all labels or all whole numbers, and has {describe(item)} in it"
            raise ExpressionError(Code.WRONG_KIND, message)
    if unit:
        raise ExpressionError(Code.WRONG_SHAPE, "only numbers have a unit")
    return CategoricalVariable(name=name, labels=tuple(map(str, domain)), label=label)
