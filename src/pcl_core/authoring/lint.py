"""Warnings for authors: what is allowed, and probably not meant. Each has a code and a remedy.

What is said is true: it follows from the problem, or it is proven by looking at all values, or it is not said at all.
A comment in the file, `# lint: allow CODE` with the reason behind it, switches a warning off: on a line of its own for the
whole file, at the end of a line for what is found on that line.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from statistics import median

import numpy as np

from pcl_core.authoring.telling import OutOfWorkError, Telling
from pcl_core.errors import Code, Issue, Location
from pcl_core.ir.language import children
from pcl_core.ir.nodes import AllDifferent, Node
from pcl_core.ir.vector import VectorEvaluator
from pcl_core.model.names import family_names, split_name
from pcl_core.model.problem import Problem

FAR = 100
"""Features whose ranges differ by more than this factor are told of."""
LARGER, MANY = 4, 8
"""A part is far larger than others with so many times the variables that they have, and at least so many."""
SAMPLES = 64
MAX_SIZE = 500_000
"""Nodes of all expressions, spelled out, of a problem that is looked at value by value."""
MAX_SAMPLED = 100_000
"""Registers of features of which values are drawn."""
MAX_VALUES = 1_000
"""Of a variable: with more of them nobody names two."""
MAX_OF_A_CODE = 5
ALWAYS, NEVER = frozenset({True}), frozenset({False})

_ALLOW = re.compile(r"#\s*lint:\s*allow\s+([a-z-]+(?:\s*,\s*[a-z-]+)*)")


def lint(problem: Problem) -> tuple[Issue, ...]:
    """All warnings about a problem; their paths say which variable, constraint, feature or part they are about."""
    found: list[Issue] = []
    for check in (_parts, _lonely) if _is_huge(problem) else (_alike_values, _scales, _parts, _constraints, _lonely):
        told = list(check(problem))
        more = len(told) - MAX_OF_A_CODE
        if more > 0:
            last = told[MAX_OF_A_CODE - 1]
            told[MAX_OF_A_CODE - 1 :] = [replace(last, message=f"{last.message}; and {more} more like this")]
        found += told
    return tuple(found)


def not_allowed(issues: Iterable[Issue], text: str) -> tuple[Issue, ...]:
    """The warnings, with lines, that no comment in the text of their file switches off."""
    everywhere: set[str] = set()
    on_line: dict[int, set[str]] = defaultdict(set)
    for number, line in enumerate(text.splitlines(), 1):
        for match in _ALLOW.finditer(line):
            codes = {code.strip() for code in match[1].split(",")}
            (everywhere if not line[: match.start()].strip() else on_line[number]).update(codes)
    return tuple(
        issue
        for issue in issues
        if issue.code not in everywhere and issue.code not in on_line.get(issue.location.line or 0, ())
    )


def _is_huge(problem: Problem) -> bool:
    """Whether spelling all expressions out would take too long: `all_different` compares each with each."""
    pending: list[Node] = [it.value for it in problem.definitions] + [it.value for it in problem.features]
    pending += [it.require for it in problem.constraints]
    size = 0
    while pending and size <= MAX_SIZE:
        node = pending.pop()
        below = children(node)
        size += len(below) ** 2 if isinstance(node, AllDifferent) else 1
        pending += below
    return size > MAX_SIZE


def _issue(code: Code, section: str, position: int, name: str, message: str, hint: str) -> Issue:
    return Issue(code, message, hint, Location(subject=f"{section.removesuffix('s')} '{name}'"), (section, position))


def _alike_values(problem: Problem) -> Iterator[Issue]:
    """Values of a variable that no feature tells apart; variables of one array with the same finding are told of once."""
    features: dict[str, list[int]] = defaultdict(list)
    by_size = sorted(range(len(problem.features)), key=lambda at: len(_mentioned(problem, at)))
    for position in by_size:
        for name in _mentioned(problem, position):
            features[name].append(position)
    telling, found = Telling(problem), dict[tuple[str, tuple[str, ...]], list[int]]()
    with suppress(OutOfWorkError):  # what was found until then is true all the same
        for at, variable in enumerate(problem.variables):
            if variable.size <= MAX_VALUES:
                classes = telling.classes(variable.name, features[variable.name])
                allowed = telling.allowed(variable.name)
                groups: dict[int, list[str]] = defaultdict(list)
                for value, group, possible in zip(variable.values(), classes.tolist(), allowed.tolist(), strict=True):
                    if possible:
                        groups[group].append(_word(value))
                for values in groups.values():
                    if len(values) > 1:
                        found.setdefault((split_name(variable.name)[0], tuple(values)), []).append(at)
    for (_, alike), positions in found.items():
        first = problem.variables[positions[0]]
        message = f"no feature tells {_listed(alike)} apart{_others(positions)}"
        hint = "add a feature that differs between them, such as whether one of them is taken, or leave one out"
        yield _issue(Code.ALIKE_VALUES, "variables", positions[0], first.name, message, hint)


def _mentioned(problem: Problem, feature: int) -> Collection[str]:
    return problem.symbols.free_variables(problem.features[feature].value)


def _word(value: object) -> str:
    return (
        ("true" if value else "false")
        if isinstance(value, bool)
        else f"'{value}'"
        if isinstance(value, str)
        else str(value)
    )


def _scales(problem: Problem) -> Iterator[Issue]:
    """A range that is attained at least, constraints aside, against one that is not exceeded."""
    registers, roots = problem.registers.copied(), list[int]()
    for feature in problem.features:
        roots.append(registers.add(feature.value))
        if len(registers.items) > MAX_SAMPLED:
            break
    evaluator, random = VectorEvaluator(registers, roots), np.random.default_rng(0)
    domains = [registers.coding.domain(problem.symbols.variables[name]) for name in evaluator.variables]
    columns = [[domain[at] for at in random.integers(len(domain), size=SAMPLES)] for domain in domains]
    values = evaluator.evaluate(np.array(columns, dtype=np.int64))
    units = 10.0 ** np.array(evaluator.places)
    attained = (values.max(axis=1) - values.min(axis=1)) / units
    bounds = [facts.bounds for facts in problem.feature_facts[: len(roots)]]
    most = np.array([float(high - low) for low, high in bounds])
    varying = np.flatnonzero(most > 0)
    if not len(varying):
        return
    wide, narrow = int(np.argmax(attained)), int(varying[np.argmin(most[varying])])
    if attained[wide] > FAR * most[narrow]:
        count = int((attained > FAR * most[narrow]).sum())
        message = (
            f"it ranges over {attained[wide]:.10g} or more, and '{problem.features[narrow].name}' over "
            f"{most[narrow]:.10g} at most{f'; {count} features range as far' if count > 1 else ''}"
        )
        hint = "count it in a larger unit, or allow it: the recipe for people scales features, the paper's does not"
        yield _issue(Code.SCALES_DIFFER, "features", wide, problem.features[wide].name, message, hint)


def _parts(problem: Problem) -> Iterator[Issue]:
    private = problem.structure.private_features
    without = [at for at, own in enumerate(private) if not own]
    if without:
        message = f"it has no feature of its own{_others(without)}"
        hint = "add a feature that depends on this part alone, or join it with a neighbour"
        yield _issue(Code.SHARED_PART, "parts", without[0], problem.parts[without[0]].name, message, hint)
    sizes = [len(part.variables) for part in problem.parts]
    for at, size in enumerate(sizes):
        others = sizes[:at] + sizes[at + 1 :]
        if others and size >= MANY and size > LARGER * median(others):
            message = f"it has {size} variables, the others {median(others):g} (median)"
            hint = "divide it into parts that people can look at as one"
            yield _issue(Code.LARGE_PART, "parts", at, problem.parts[at].name, message, hint)


def _constraints(problem: Problem) -> Iterator[Issue]:
    """Constraints that never hold, and arrays of constraints of which none can ever fail."""
    telling, arrays = Telling(problem), defaultdict[str, list[int]](list)
    for at, constraint in enumerate(problem.constraints):
        arrays[split_name(constraint.name)[0]].append(at)
    with suppress(OutOfWorkError):  # the rest stays unknown
        for positions in arrays.values():
            truths = [telling.truths(at) for at in positions]
            never = [at for at, truth in zip(positions, truths, strict=True) if truth == NEVER]
            if never:
                message = f"it holds for no values of its variables{_others(never)}"
                hint = "it makes everything impossible: mend it, or leave it out with `if`"
                name = problem.constraints[never[0]].name
                yield _issue(Code.NEVER_HOLDS, "constraints", never[0], name, message, hint)
            elif all(truth == ALWAYS for truth in truths):
                message = f"it holds for all values of its variables{_others(positions)}"
                hint = "leave it out, or see whether a number in it is what it should be"
                name = problem.constraints[positions[0]].name
                yield _issue(Code.ALWAYS_HOLDS, "constraints", positions[0], name, message, hint)


def _lonely(problem: Problem) -> Iterator[Issue]:
    """A feature whose index names a part, while no other part has one of its kind: families are how parts teach others."""
    families = family_names(problem)
    members = Counter(families)
    for at, family in enumerate(families):
        own = problem.structure.parts_of_feature[at]
        if "*" in family and members[family] == 1 and len(own) == 1 and len(problem.parts) > 1:
            message = f"only part '{problem.parts[own[0]].name}' has a feature of its family {family}"
            hint = "give it to the other parts too, or name it without that index"
            yield _issue(Code.LONELY_FEATURE, "features", at, problem.features[at].name, message, hint)


def _others(positions: Sequence[int]) -> str:
    count = len(positions) - 1
    return f"; the same of {count} like it" if count else ""


def _listed(values: Sequence[str]) -> str:
    shown = values if len(values) <= 4 else [*values[:3], f"{len(values) - 3} others"]
    return f"{', '.join(shown[:-1])} and {shown[-1]}"
