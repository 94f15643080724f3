"""What an experiment records: one row for each user and query, in a Parquet file with a fixed schema."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from pcl_app.experiments.measures import ALWAYS, RECORDED_MEASURES
from pcl_app.experiments.plan.settings import RECORDED, SETTINGS
from pcl_app.experiments.record.runs import ColumnValues, RecordedSettings, Run, Runs
from pcl_app.writing import make_folder, replacing
from pcl_core.documents import read_json, read_text
from pcl_core.errors import Code, Issue, Location, MissingDependencyError, ProblemError, RequestError, suggest

FILE_NAME = "traces.parquet"
CSV_NAME = "traces.csv"
MAX_DESCRIPTION = 50_000_000
RUN_FILE_NAME = "run.json"

MEASURED: dict[str, str] = {"user": "int32", **{name: measure.type for name, measure in RECORDED_MEASURES.items()}}
COLUMNS = {**MEASURED, **RECORDED, "cell": "string"}
ONLY_OF_SEVERAL = (*RECORDED, "cell")
"""The columns that tell cells apart."""

MAY_BE_EMPTY = frozenset(
    {
        *(name for name, measure in RECORDED_MEASURES.items() if measure.may_be_empty),
        *(name for name, kind in RECORDED.items() if kind == "float64"),
    }
)

BY_UTILITY = ("utility", "regret", "regret_bound")
"""Empty together, of people who have no utility, or not at all."""

TraceRows = Sequence[Mapping[str, object]]
ColumnsByName = Mapping[str, Sequence[object] | npt.NDArray[Any]]


def arrow() -> tuple[ModuleType, ModuleType]:
    """pyarrow and its Parquet module, imported when traces are first read or written."""
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError:
        issue = Issue(Code.MISSING_DEPENDENCY, "traces need pyarrow", "pip install 'pcl-elicit[experiments]'")
        raise MissingDependencyError(issue) from None
    return pyarrow, parquet


def schema(*, settings: bool = True) -> Any:
    """The pyarrow schema of traces, with the columns that tell several cells apart or without them."""
    pyarrow, _ = arrow()
    wanted = COLUMNS if settings else MEASURED
    types = {"bool": pyarrow.bool_(), **{name: getattr(pyarrow, name)() for name in ("int32", "int64", "float64")}}
    types["string"] = pyarrow.string()
    return pyarrow.schema([(name, types[kind]) for name, kind in wanted.items()])


def write_traces(path: Path, content: TraceRows | ColumnsByName, *, csv: bool = False) -> Path:
    """Write traces to a `.parquet` file, or to `traces.parquet` in a folder; with `csv`, also as text beside it.

    A reader never sees half a file: the content goes to a temporary file that then takes the name. The columns that
    tell cells apart are all there or all absent. Returns the path of the Parquet file.
    """
    pyarrow, parquet = arrow()
    target = path if path.suffix == ".parquet" else path / FILE_NAME
    where = Location(str(target))
    columns: ColumnsByName = content if isinstance(content, Mapping) else _turned(content)
    wanted = schema(settings=any(name in columns for name in ONLY_OF_SEVERAL))
    _check_columns(list(columns), wanted.names, where)
    try:
        table = pyarrow.table({name: columns[name] for name in wanted.names}, schema=wanted)
    except (pyarrow.ArrowException, OverflowError, TypeError, ValueError) as error:
        raise _bad(f"the values do not fit the columns: {_first_line(error)}", where) from None
    make_folder(target.parent)
    with replacing(target) as temporary:
        parquet.write_table(table, temporary)
    if csv:
        from pyarrow import csv as text

        with replacing(target.with_suffix(".csv")) as temporary:
            text.write_csv(table, temporary)
    return target


def _turned(rows: TraceRows) -> dict[str, list[object]]:
    """Rows as columns. Every row must have the columns of the first."""
    names = list(rows[0]) if rows else list(COLUMNS)
    for number, row in enumerate(rows):
        if row.keys() != rows[0].keys():
            odd = ", ".join(sorted(row.keys() ^ rows[0].keys()))
            raise _bad(f"row {number + 1} has other columns than the first row: {odd}", Location())
    return {name: [row[name] for row in rows] for name in names}


def read_traces(path: Path) -> Runs:
    """Read the traces in a folder (`traces.parquet`) or a file.

    A file without the columns that tell cells apart is one cell; what is known about it is taken from the `run.json`
    beside it, where there is one.
    """
    pyarrow, parquet = arrow()
    target = path / FILE_NAME if path.is_dir() else path
    where = Location(str(target))
    if not target.exists():
        hint = "a run is the folder given as --out to `pcl simulate`"
        message = f"the folder has no {FILE_NAME}" if path.is_dir() else "there is no such folder or file"
        raise RequestError(Issue(Code.FILE_NOT_FOUND, message, hint, where))
    try:
        # Read as one plain file: a folder called a=b must not become a column.
        table = parquet.ParquetFile(target).read()
    except (pyarrow.ArrowException, ValueError) as error:
        raise _bad(f"the file is damaged, or not Parquet: {_first_line(error)}", where) from None
    except OSError as error:
        # pyarrow reports damaged pages as plain OSError without a number.
        if error.errno is None:
            raise _bad(f"the file is damaged, or not Parquet: {_first_line(error)}", where) from None
        message = f"the file cannot be read: {error.strerror}"
        raise RequestError(Issue(Code.FILE_UNREADABLE, message, None, where)) from None
    several = any(name in table.column_names for name in ONLY_OF_SEVERAL)
    wanted = schema(settings=several)
    for name, measure in RECORDED_MEASURES.items():
        if name not in table.column_names and measure.before is not ALWAYS:
            field = wanted.field(name)
            table = table.append_column(field, pyarrow.array([measure.before] * table.num_rows, field.type))
    for name in RECORDED if several else ():
        if name not in table.column_names and SETTINGS[name].before is not None:
            field = wanted.field(name)
            table = table.append_column(field, pyarrow.array([SETTINGS[name].before] * table.num_rows, field.type))
    _check_columns(table.column_names, wanted.names, where)
    if not table.num_rows:
        raise _bad("the file has no rows: nothing was recorded", where)
    try:
        table = table.select(wanted.names).cast(wanted)
    except pyarrow.ArrowException as error:
        raise _bad(f"a column has values of another type: {_first_line(error)}", where) from None
    columns = {name: _array(table, name, where) for name in MEASURED}
    empty = {name: np.asarray(table.column(name).is_null()) for name in MEASURED}
    nobodys = np.all([empty[name] for name in BY_UTILITY], axis=0)
    for name in BY_UTILITY:
        if (empty[name] & ~nobodys).any():
            raise _bad(f"column '{name}' has empty values", where)
    for name, measure in RECORDED_MEASURES.items():
        if measure.finite and not np.isfinite(columns[name][~empty[name]]).all():
            raise _bad(f"column '{name}' has values that are not finite numbers", where)
    regret, bound = (columns[name].astype(np.float64) for name in ("regret", "regret_bound"))
    if (regret - bound > 1e-6 * (1 + np.abs(regret))).any():
        raise _bad("regret_bound is below regret in some rows; it is an upper bound of it", where)
    source = str(path if path.is_dir() or path.name != FILE_NAME else path.parent)
    if not several:
        return Runs((Run.of(_settings_beside(target), source, columns, where),))
    return Runs(tuple(_split(table, columns, source, where)))


def _check_columns(found: Sequence[str], wanted: Sequence[str], where: Location) -> None:
    missing = [name for name in wanted if name not in found]
    extra = [name for name in found if name not in wanted]
    issues = [Issue(Code.BAD_TRACES, f"column '{name}' is missing", None, where) for name in missing]
    issues += [
        Issue(Code.BAD_TRACES, f"column '{name:.80}' is not one of traces", suggest(name, wanted), where)
        for name in extra
    ]
    issues += [
        Issue(Code.BAD_TRACES, f"column '{name}' stands there {found.count(name)} times", None, where)
        for name in wanted
        if found.count(name) > 1
    ]
    if issues:
        raise RequestError(issues)


def _array(table: Any, name: str, where: Location) -> ColumnValues:
    """A column as numpy; where values may be absent, an absent number is NaN and an absent text is empty."""
    column = table.column(name)
    if column.null_count:
        if name not in MAY_BE_EMPTY:
            raise _bad(f"column '{name}' has empty values", where)
        column = column.fill_null("") if COLUMNS[name] == "string" else column.cast("float64").fill_null(float("nan"))
    values: ColumnValues = column.combine_chunks().to_numpy(zero_copy_only=False)
    return values


def _split(table: Any, columns: Mapping[str, ColumnValues], source: str, where: Location) -> list[Run]:
    """A run for each distinct setting, in the order in which the settings first appear."""
    codes, words = [], []
    for name in RECORDED:
        if name not in MAY_BE_EMPTY and table.column(name).null_count:
            raise _bad(f"column '{name}' has empty values", where)
        coded = table.column(name).combine_chunks().dictionary_encode(null_encoding="encode")
        codes.append(coded.indices.to_numpy(zero_copy_only=False))
        words.append(coded.dictionary.to_pylist())
    distinct, first, group = np.unique(np.stack(codes, axis=1), axis=0, return_index=True, return_inverse=True)
    found = []
    for number in np.argsort(first):
        values = {name: known[code] for name, known, code in zip(RECORDED, words, distinct[number], strict=True)}
        chosen = np.flatnonzero(group.reshape(-1) == number)
        found.append(
            Run.of(
                RecordedSettings.of(values), source, {name: column[chosen] for name, column in columns.items()}, where
            )
        )
    return found


def _settings_beside(target: Path) -> RecordedSettings:
    """What `run.json` says about the only cell of a file; nothing, where it says nothing."""
    path = target.with_name(RUN_FILE_NAME)
    try:
        document = read_json(read_text(path, str(path), MAX_DESCRIPTION), str(path), float).data
    except ProblemError as error:
        if error.code is Code.FILE_NOT_FOUND:
            return RecordedSettings.of({})
        raise RequestError([replace(issue, code=Code.BAD_TRACES) for issue in error.issues]) from None
    known: dict[str, object] = {}
    for candidate in (document, *(document.values() if isinstance(document, dict) else ())):
        if isinstance(candidate, dict):
            known = {**{name: candidate[name] for name in RECORDED if name in candidate}, **known}
    return RecordedSettings.of(known)


def _bad(message: str, where: Location) -> RequestError:
    return RequestError(Issue(Code.BAD_TRACES, message, None, where))


def _first_line(error: BaseException) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0][:200]
