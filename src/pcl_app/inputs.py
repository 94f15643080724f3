"""Files that commands are given: configurations, weights and tastes."""

from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pcl_core.documents import read_json, read_text
from pcl_core.elicitation import Taste
from pcl_core.errors import MAX_FINDINGS, Code, Issue, Location, PclError, RequestError, suggest
from pcl_core.model import Configuration, Problem, read_configuration

MAX_INPUT_BYTES = 12_000_000


def read_configuration_file(problem: Problem, path: Path, *, partial: bool = False) -> Configuration:
    """A configuration from a JSON object in a file; findings have its lines."""
    return parse_configuration(problem, read_input(path), str(path), partial=partial)


def read_input(path: Path) -> str:
    return read_text(path, str(path), MAX_INPUT_BYTES, pipes=True)


def parse_configuration(problem: Problem, text: str, file: str, *, partial: bool = False) -> Configuration:
    document = read_json(text, file)
    if not isinstance(document.data, dict):
        message = "a configuration is a JSON object from variable names to values"
        raise RequestError(Issue(Code.BAD_CONFIGURATION, message, None, Location(file, 1, 1)))
    raw: dict[str, Any] = document.data
    try:
        return read_configuration(problem, raw, partial=partial)
    except PclError as error:
        raise RequestError(document.located(error.issues), error.more) from None


def read_taste_file(path: Path) -> Taste:
    """What `taste` wrote at the end of an elicitation."""
    document = read_json(read_input(path), str(path), float)
    if not isinstance(document.data, dict):
        message = "a taste is a JSON object, as `pcl elicit` writes it"
        raise RequestError(Issue(Code.BAD_VALUE, message, None, Location(str(path), 1, 1)))
    try:
        return Taste.from_data(document.data)
    except PclError as error:
        raise RequestError(document.located(error.issues), error.more) from None


def read_weights_file(problem: Problem, path: Path) -> npt.NDArray[np.float64]:
    """Weights from a JSON list in feature order, or an object by feature name (missing ones are zero)."""
    return parse_weights(problem, read_input(path), str(path))


def parse_weights(problem: Problem, text: str, file: str) -> npt.NDArray[np.float64]:
    document = read_json(text, file)
    names = [feature.name for feature in problem.features]
    data: Any = document.data
    issues: list[Issue] = []
    if isinstance(data, list):
        if len(data) != len(names):
            message = f"expected {len(names)} weights, one for each feature, got {len(data)}"
            issues.append(Issue(Code.BAD_VALUE, message, "or give an object by feature name"))
        entries: list[tuple[str | int, Any]] = list(enumerate(data))
    elif isinstance(data, dict):
        entries = list(data.items())
        known = set(names)
        issues += [
            Issue(Code.UNKNOWN_NAME, f"there is no feature '{name}'", suggest(name, names), path=(name,))
            for name in islice((name for name in data if name not in known), MAX_FINDINGS + 1)
        ]
    else:
        issues.append(Issue(Code.BAD_VALUE, "weights are a JSON list, or an object by feature name"))
        entries = []
    for key, value in entries:
        if len(issues) > MAX_FINDINGS:
            break
        if isinstance(value, bool) or not isinstance(value, (int, Decimal)) or not np.isfinite(float(value)):
            issues.append(Issue(Code.BAD_VALUE, f"a weight is a finite number, not {value!s:.40}", path=(key,)))
    if issues:
        raise RequestError(document.located(issues))
    found = {(names[key] if isinstance(key, int) else key): float(value) for key, value in entries}
    return np.array([found.get(name, 0.0) for name in names])
