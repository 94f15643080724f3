"""Sets and tables of a problem file: inline, computed, or from CSV files beside it."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import product
from pathlib import Path

from pcl_core.authoring.document import Cells, TableSpec
from pcl_core.authoring.environment import Budget
from pcl_core.authoring.infix import ExpressionError
from pcl_core.authoring.values import Member, Scalar, StaticTable
from pcl_core.documents import MAX_DATA_BYTES, read_text, refuse_controls
from pcl_core.errors import Code, DataPath, Issue, Location, ProblemError, suggest
from pcl_core.ir.numbers import NumberError, exact
from pcl_core.ir.symbols import Table

STEPS_A_CELL = 6
STEPS_AN_ENTRY = 12


@dataclass(frozen=True)
class CsvFile:
    """The header and rows of a CSV file, each row with its line number."""

    name: str
    header: list[str]
    rows: list[tuple[int, list[str]]]

    def column(self, name: str) -> int:
        if name not in self.header:
            hint = suggest(name, self.header)
            raise ProblemError(Issue(Code.TABLE_DATA, f"there is no column '{name}'", hint, Location(self.name, 1, 1)))
        return self.header.index(name)

    def wrong(self, line: int, message: str, hint: str | None = None) -> ProblemError:
        return ProblemError(Issue(Code.TABLE_DATA, message, hint, Location(self.name, line, 1)))


def read_csv(folder: Path | None, relative: str, budget: Budget) -> CsvFile:
    """A CSV file that lies beside the problem file; paths that lead elsewhere are refused."""
    if folder is None:
        raise ExpressionError(Code.TABLE_DATA, "a problem given as text cannot have CSV files", "write the data inline")
    path = folder / relative
    try:
        real = path.resolve(strict=True)
    except FileNotFoundError:
        real = path.resolve()
    except (ValueError, OSError, RuntimeError):  # a name that no file can have, or links in a circle
        real = Path("/")
    beside = not Path(relative).is_absolute() and real.is_relative_to(folder.resolve())
    if not beside:
        raise ExpressionError(
            Code.TABLE_DATA, f"'{relative:.80}' does not lie beside the problem file", "move it there"
        )
    if not path.exists():
        raise ExpressionError(Code.FILE_NOT_FOUND, f"there is no file '{relative:.80}' beside the problem file")
    text = read_text(path, str(path), MAX_DATA_BYTES)
    refuse_controls(text, str(path), comments=False)
    budget.spend(STEPS_A_CELL * (text.count(",") + text.count("\n") + text.count("\r")))
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        rows = [(lines.line_num, [cell.strip() for cell in row]) for row in lines if any(cell.strip() for cell in row)]
    except csv.Error as error:
        where = Location(str(path), max(1, lines.line_num), 1)
        raise ProblemError(Issue(Code.SYNTAX, f"not valid CSV: {error}", None, where)) from None
    if not rows:
        raise ProblemError(Issue(Code.TABLE_DATA, "the file has no header", None, Location(str(path), 1, 1)))
    found = CsvFile(str(path), rows[0][1], rows[1:])
    if len(set(found.header)) < len(found.header):
        raise found.wrong(1, "two columns have the same name")
    for line, row in found.rows:
        if len(row) != len(found.header):
            raise found.wrong(line, f"expected {len(found.header)} columns, got {len(row)}")
    return found


def csv_members(file: CsvFile, columns: Sequence[str], budget: Budget) -> list[Member]:
    """The distinct values of a column, or of several as tuples, in the order of the file."""
    positions = [file.column(name) for name in columns]
    budget.spend(STEPS_A_CELL * len(file.rows) * len(positions))
    found = [tuple(_key(row[at]) for at in positions) for _, row in file.rows]
    return list(dict.fromkeys(item[0] if len(positions) == 1 else item for item in found))


def _key(text: str) -> int | str:
    return int(text) if text.lstrip("-").isdecimal() and text.isascii() and len(text) < 16 else text


def member(value: object) -> Member:
    """A set's member from inline data: a label, a whole number, or a tuple of these."""
    if isinstance(value, list):
        return tuple(_scalar(item) for item in value)
    return _scalar(value)


def _scalar(value: object) -> Scalar:
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        message = f"a set holds labels or whole numbers, not {value!s:.40}"
        raise ExpressionError(Code.WRONG_KIND, message, "put words such as true or null in quotes")
    return value


def table(
    name: str, spec: TableSpec, axes: tuple[tuple[Member, ...], ...], file: CsvFile | None, budget: Budget
) -> StaticTable:
    """A table with an entry for every combination of its sets' members."""
    if file is not None:
        entries = _long_entries(spec, file) if spec.column is not None else _wide_entries(len(axes), file)
    else:
        assert spec.values is not None
        entries = _inline_entries(spec.values, axes, (), ("tables", name, "values"))
    budget.spend(sum(map(len, axes)))
    text_keys = [{str(key): key for key in axis} for axis in axes]
    cells: dict[tuple[Member, ...], int | Decimal] = {}
    for keys, (number, line) in entries:
        budget.spend(STEPS_AN_ENTRY)
        for axis, key in zip(text_keys, keys, strict=True):
            if key not in axis:
                message = f"'{key}' is not a member of the table's index set"
                if file is not None:
                    raise file.wrong(line, message, suggest(key, axis))
                raise ExpressionError(Code.TABLE_DATA, message, suggest(key, axis))
        cells[tuple([axis[key] for axis, key in zip(text_keys, keys, strict=True)])] = number
    for combination in product(*axes):
        if combination not in cells:
            at = ", ".join(map(str, combination))
            raise ExpressionError(Code.TABLE_DATA, f"table '{name}' has no value for [{at}]", "add it to the data")
    return StaticTable(name, axes, cells)


def _inline_entries(
    cells: Cells | list[int | Decimal], axes: tuple[tuple[Member, ...], ...], keys: tuple[str, ...], place: DataPath
) -> Iterator[tuple[tuple[str, ...], tuple[int | Decimal, int]]]:
    depth = len(keys)
    if isinstance(cells, dict) and depth < len(axes):
        for key, inner in cells.items():
            yield from _inline_entries(inner, axes, (*keys, key), (*place, key))
    elif isinstance(cells, list) and depth == len(axes) - 1:
        if len(cells) != len(axes[-1]):
            where = f" at {', '.join(keys)}" if keys else ""
            message = f"expected {len(axes[-1])} values{where}, got {len(cells)}"
            raise _misplaced(message, place, "give one for each member of the last index set")
        for at, (last, value) in enumerate(zip(axes[-1], cells, strict=True)):
            yield (*keys, str(last)), (_number(value, (*place, at)), 0)
    elif isinstance(cells, (int, Decimal)) and depth == len(axes):
        yield keys, (_number(cells, place), 0)
    else:
        message = f"the data is nested {depth + isinstance(cells, (dict, list))} deep at [{', '.join(keys)}]"
        raise _misplaced(f"{message}, but the table has {len(axes)} indices", place)


def _misplaced(message: str, place: DataPath, hint: str | None = None) -> ExpressionError:
    wrong = ExpressionError(Code.TABLE_DATA, message, hint)
    wrong.path = place
    return wrong


def _number(value: int | Decimal, place: DataPath) -> int | Decimal:
    try:
        return exact(value)
    except NumberError as error:
        wrong = ExpressionError(error.code, str(error))
        wrong.path = place
        raise wrong from None


def _long_entries(spec: TableSpec, file: CsvFile) -> Iterator[tuple[tuple[str, ...], tuple[int | Decimal, int]]]:
    assert spec.column is not None
    keys = [file.column(name) for name in spec.index]
    value = file.column(spec.column)
    seen: set[tuple[str, ...]] = set()
    for line, row in file.rows:
        at = tuple(row[key] for key in keys)
        if at in seen:
            raise file.wrong(line, f"the table already has a value for [{', '.join(at)}]", "keep one of them")
        seen.add(at)
        yield at, (_csv_number(file, line, row[value]), line)


def _wide_entries(axes: int, file: CsvFile) -> Iterator[tuple[tuple[str, ...], tuple[int | Decimal, int]]]:
    seen: set[tuple[str, ...]] = set()
    for line, row in file.rows:
        at = tuple(row[: axes - 1])
        if at in seen:
            raise file.wrong(line, f"the table already has a row for [{', '.join(at)}]", "keep one of them")
        seen.add(at)
        for column, text in zip(file.header[axes - 1 :], row[axes - 1 :], strict=True):
            yield (*at, column), (_csv_number(file, line, text), line)


def _csv_number(file: CsvFile, line: int, text: str) -> int | Decimal:
    try:
        return exact(text)
    except NumberError as error:
        code = Code.TABLE_DATA if error.code is Code.WRONG_SHAPE else error.code
        raise ProblemError(Issue(code, str(error), None, Location(file.name, line, 1))) from None


def ground_table(table: StaticTable) -> Table:
    """The table as expressions read it at decisions."""
    axes = tuple(tuple(key for key in axis if isinstance(key, (int, str))) for axis in table.axes)
    return Table(name=table.name, axes=axes, values=tuple(table.cells[keys] for keys in product(*table.axes)))
