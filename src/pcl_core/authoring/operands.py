"""What operators and functions are applied to: constants, names, indices and lists in an expression."""

import ast
from abc import ABC, abstractmethod

from pcl_core.authoring.environment import (
    AlreadyReportedError,
    Expansion,
    Names,
    scalar,
)
from pcl_core.authoring.functions import FUNCTIONS
from pcl_core.authoring.infix import ExpressionError, Source
from pcl_core.authoring.operations import (
    distinct,
    read_array,
    read_table,
)
from pcl_core.authoring.spelling import TRUTHS
from pcl_core.authoring.values import StaticTable, simplified
from pcl_core.documents import has_surrogates
from pcl_core.errors import Code, suggest
from pcl_core.ir.nodes import Node
from pcl_core.ir.numbers import NumberError, exact


class Operands(ABC):
    """Prepares what an expression of one text is put together from."""

    def __init__(self, names: Names, source: Source) -> None:
        self._names = names
        self._source = source

    @abstractmethod
    def prepare(self, tree: ast.expr, bound: frozenset[str]) -> Expansion:
        """Any expression, which an index or a list may have in it."""

    def _error(self, tree: ast.AST, code: Code, message: str, hint: str | None = None) -> ExpressionError:
        return ExpressionError(code, message, hint, self._source.offset(tree))

    def _constant(self, tree: ast.Constant) -> Expansion:
        value = tree.value
        if isinstance(value, float):
            value = self._source.segment(tree).replace("_", "")  # as written: a float would be rounded
        elif isinstance(value, (bool, str)):
            fixed = value
            if isinstance(value, str) and has_surrogates(value):
                raise self._error(tree, Code.NOT_TEXT, "a label has half of a surrogate pair in it")
            return Expansion(lambda env: fixed, True)
        elif not isinstance(value, int):
            raise self._error(tree, Code.BAD_EXPRESSION, "only numbers, labels in quotes, True and False are constants")
        try:
            number = exact(value)
        except NumberError as error:
            raise self._error(tree, error.code, str(error)) from None
        return Expansion(lambda env: number, True)

    def _name(self, tree: ast.Name, bound: frozenset[str]) -> Expansion:
        name, names = tree.id, self._names
        if name in bound:
            return Expansion(lambda env: env[name], True)
        if name in ("true", "false"):
            return Expansion(lambda env: name == "true", True)
        if name in names.broken:
            raise AlreadyReportedError(name)
        if name in names.values:
            value = names.values[name]
            return Expansion(lambda env: value, True)
        if name in names.sets:
            members = names.members(name)
            return Expansion(lambda env: members, True)
        if name in names.arrays and () in names.arrays[name].cells:
            node = simplified(names.arrays[name].cells[()])
            return Expansion(lambda env: node, not isinstance(node, Node))
        target = names.arrays.get(name) or names.tables.get(name)
        if target is not None:
            hint = f"write {name}[{', '.join('*' * len(target.axes))}] for all of it"
            raise self._error(tree, Code.WRONG_KIND, f"'{name}' needs an index in square brackets", hint)
        raise self._unknown(tree, name, bound)

    def _unknown(self, tree: ast.AST, name: str, bound: frozenset[str]) -> ExpressionError:
        message, hint = f"unknown name '{name}'", None
        if name in FUNCTIONS:
            message, hint = f"'{name}' is a function, not a name", f"write {name}(...)"
        elif name.lower() in TRUTHS:
            hint = f"write {name.lower()}"
        elif any(name in members for members in self._names.sets.values()):
            hint = f"for the label write '{name}' in quotes"
        else:
            hint = suggest(name, [*bound, *self._names.all()])
        return self._error(tree, Code.UNKNOWN_NAME, message, hint)

    def _subscript(self, tree: ast.Subscript, bound: frozenset[str]) -> Expansion:
        if not isinstance(tree.value, ast.Name):
            raise self._error(tree, Code.BAD_EXPRESSION, "only names can have an index")
        name = tree.value.id
        if name in self._names.broken:
            raise AlreadyReportedError(name)
        target = self._names.arrays.get(name) or self._names.tables.get(name)
        if target is None:
            if name in bound or name in self._names.sets or name in self._names.values:
                hint = f"loop over it: for k in {name}" if name in self._names.sets else None
                raise self._error(tree, Code.WRONG_KIND, f"'{name}' has no indices", hint)
            raise self._unknown(tree.value, name, bound)
        items = tree.slice.elts if isinstance(tree.slice, ast.Tuple) else [tree.slice]
        keys = [self._index(item, bound) for item in items]
        if isinstance(target, StaticTable):
            table = target
            fixed = all(key is None or key.static for key in keys)
            return Expansion(lambda env: read_table(table, keys, env, self._names.budget), fixed)
        array = target
        return Expansion(lambda env: read_array(array, keys, env, self._names.budget), False)

    def _index(self, item: ast.expr, bound: frozenset[str]) -> Expansion | None:
        """One index; None for the wildcard."""
        if isinstance(item, ast.Slice):
            return None
        return self.prepare(item, bound)

    def _collection(self, tree: ast.Tuple | ast.List | ast.Set, bound: frozenset[str]) -> Expansion:
        items = [self.prepare(item, bound) for item in tree.elts]
        static = all(item.static for item in items)
        if isinstance(tree, ast.Tuple):
            return Expansion(lambda env: tuple(scalar(item.run(env)) for item in items), static)
        if isinstance(tree, ast.Set):
            number = any(item.number for item in items)
            return Expansion(lambda env: distinct([item.run(env) for item in items]), static, number)
        return Expansion(lambda env: [item.run(env) for item in items], static, any(item.number for item in items))

    def _targets(self, target: ast.expr) -> tuple[str, ...]:
        items = target.elts if isinstance(target, ast.Tuple) else [target]
        if not all(isinstance(item, ast.Name) for item in items):
            raise self._error(target, Code.BAD_EXPRESSION, "a loop variable is a plain name")
        return tuple(item.id for item in items if isinstance(item, ast.Name))
