"""Expanding infix expressions: a tree is turned into a closure once and called for every binding of `foreach`.

What is known in advance is computed, what depends on decision variables becomes nodes of the IR. A file that
expands to a hundred thousand nodes is parsed once a line, not once a node.
"""

import ast
import re

from pcl_core.authoring.environment import (
    MAX_LOOPS,
    STEPS_A_PARSE,
    AlreadyReportedError,
    Bindings,
    Expansion,
    Loop,
    Names,
    bindings,
    known_truth,
    truth,
)
from pcl_core.authoring.functions import FUNCTIONS, Function, instead_of
from pcl_core.authoring.infix import ExpressionError, parse
from pcl_core.authoring.narrowing import Narrowing, names_in
from pcl_core.authoring.operands import Operands
from pcl_core.authoring.operations import (
    combine_sets,
    compare,
    difference,
    divide,
    is_truth,
    numeric,
    times,
    whole_range,
)
from pcl_core.authoring.values import Expanded, Members, as_node, is_list, simplified
from pcl_core.errors import Code
from pcl_core.ir import make
from pcl_core.ir.nodes import And, Or, Sum
from pcl_core.ir.numbers import NumberError, exact

STEPS_AN_ARGUMENT = 3
STEPS_A_TURN = 5
_NAME = re.compile(r"[^\W\d]\w*")


def expansion(text: str, names: Names, bound: frozenset[str] = frozenset()) -> Expansion:
    """Parse and prepare an expression that may use the loop variables in `bound`."""
    budget = names.budget
    budget.spend(STEPS_A_PARSE)
    try:
        tree, source = parse(text)
    except ExpressionError:
        if not names.broken.isdisjoint(_NAME.findall(text)):  # a variable called `if`, for one
            raise AlreadyReportedError(text) from None
        raise
    made, cost = _Preparation(names, source).prepare(tree, bound), _size(tree)
    budget.spend(cost)

    def run(env: Bindings) -> Expanded:
        budget.spend(cost)
        return made.run(env)

    return Expansion(run, made.static, made.number)


def narrowing(text: str, names: Names, loop: Loop, around: frozenset[str]) -> Narrowing:
    """The `if` of a `foreach`, for its last loop."""
    tree, source = parse(text)
    prepare = _Preparation(names, source).prepare
    return Narrowing(loop.members, loop.targets, around, [tree], prepare, names.budget)


def _size(tree: ast.AST) -> int:
    """How much there is to compute in an expression, once."""
    return sum(1 for node in ast.walk(tree) if isinstance(node, (ast.expr, ast.comprehension)))


class _Preparation(Operands):
    def prepare(self, tree: ast.expr, bound: frozenset[str]) -> Expansion:
        made = self._dispatch(tree, bound)
        offset = self._source.offset(tree)
        inner, budget = made.run, self._names.budget

        def located(env: Bindings) -> Expanded:
            try:
                value = inner(env)
                if isinstance(value, (Sum, And, Or)):  # what was put together may be long, and is checked anew
                    budget.spend(STEPS_AN_ARGUMENT * len(value.args))
                elif isinstance(value, list):
                    budget.spend(len(value))
                return value
            except ExpressionError as error:
                error.offset = error.offset or offset
                raise
            except NumberError as error:
                raise ExpressionError(error.code, str(error), offset=offset) from None

        return made if isinstance(tree, (ast.Name, ast.Constant)) else Expansion(located, made.static, made.number)

    def _dispatch(self, tree: ast.expr, bound: frozenset[str]) -> Expansion:
        match tree:
            case ast.Constant():
                return self._constant(tree)
            case ast.Name():
                return self._name(tree, bound)
            case ast.Subscript():
                return self._subscript(tree, bound)
            case ast.Tuple() | ast.List() | ast.Set():
                return self._collection(tree, bound)
            case ast.BinOp(op=ast.Add() | ast.Sub()):
                return self._sum(tree, bound)
            case ast.BinOp():
                return self._binary(tree, bound)
            case ast.UnaryOp():
                return self._unary(tree, bound)
            case ast.BoolOp():
                return self._logic(tree, bound)
            case ast.Compare():
                return self._comparison(tree, bound)
            case ast.IfExp():
                return self._choice(tree, bound)
            case ast.Call():
                return self._call(tree, bound)
            case ast.GeneratorExp():
                hint = "write sum(... for ...), and a list without `for`"
                raise self._error(tree, Code.BAD_EXPRESSION, "a loop stands alone in a function", hint)
            case _:
                raise self._error(tree, Code.BAD_EXPRESSION, "this has a meaning only as an index: x[*]")

    def _sum(self, tree: ast.BinOp, bound: frozenset[str]) -> Expansion:
        """a + b - c as one flat sum, read along the chain in a loop."""
        terms: list[tuple[int, Expansion]] = []
        current: ast.expr = tree
        while isinstance(current, ast.BinOp) and isinstance(current.op, (ast.Add, ast.Sub)):
            terms.append((-1 if isinstance(current.op, ast.Sub) else 1, self.prepare(current.right, bound)))
            current = current.left
        terms.append((1, self.prepare(current, bound)))
        terms.reverse()
        budget = self._names.budget

        def run(env: Bindings) -> Expanded:
            total, others = 0, []
            for sign, term in terms:
                value = term.run(env)
                if type(value) is int:
                    total += sign * value
                elif isinstance(value, (list, range)):
                    return difference([(sign, term.run(env)) for sign, term in terms], budget)
                else:
                    others.append((sign, numeric(value, "+ and -")))
            return simplified(make.linear(others, exact(total))) if others else exact(total)

        static = all(term.static for _, term in terms)
        return Expansion(run, static, not static)

    def _binary(self, tree: ast.BinOp, bound: frozenset[str]) -> Expansion:
        left, right = self.prepare(tree.left, bound), self.prepare(tree.right, bound)
        static, names = left.static and right.static, self._names
        match tree.op:
            case ast.Mult():
                return Expansion(lambda env: times(left.run(env), right.run(env), names.varying), static, not static)
            case ast.LShift():
                return Expansion(lambda env: whole_range(left.run(env), right.run(env)), static)
            case ast.BitOr() | ast.BitAnd():
                sign = "|" if isinstance(tree.op, ast.BitOr) else "&"
                return Expansion(lambda env: combine_sets(sign, left.run(env), right.run(env), names.budget), static)
            case ast.FloorDiv():
                return Expansion(lambda env: divide(left.run(env), right.run(env))[0], static)
            case _:
                return Expansion(lambda env: divide(left.run(env), right.run(env))[1], static)

    def _unary(self, tree: ast.UnaryOp, bound: frozenset[str]) -> Expansion:
        arg = self.prepare(tree.operand, bound)
        if isinstance(tree.op, ast.Not):
            names = self._names
            return Expansion(
                lambda env: simplified(make.negation(truth(arg.run(env), "not", names, arg.number))), arg.static
            )
        sign = -1 if isinstance(tree.op, ast.USub) else 1
        if isinstance(tree.operand, ast.Constant):
            fixed = simplified(make.linear(((sign, numeric(arg.run({}), "-")),)))
            return Expansion(lambda env: fixed, True)
        return Expansion(
            lambda env: simplified(make.linear(((sign, numeric(arg.run(env), "-")),))), arg.static, not arg.static
        )

    def _logic(self, tree: ast.BoolOp, bound: frozenset[str]) -> Expansion:
        args = [self.prepare(value, bound) for value in tree.values]
        static = all(arg.static for arg in args)
        word = "and" if isinstance(tree.op, ast.And) else "or"
        if static:  # only here does the first decisive operand end the reading, as in Python

            def decide(env: Bindings) -> Expanded:
                verdict = word == "and"
                for arg in args:
                    if known_truth(arg.run(env), word) is not verdict:
                        return not verdict
                return verdict

            return Expansion(decide, True)
        combine, names = make.conjunction if word == "and" else make.disjunction, self._names
        return Expansion(
            lambda env: simplified(combine([truth(arg.run(env), word, names, arg.number) for arg in args])), False
        )

    def _comparison(self, tree: ast.Compare, bound: frozenset[str]) -> Expansion:
        sides = [self.prepare(side, bound) for side in (tree.left, *tree.comparators)]
        ops = tree.ops
        if len(ops) == 1:
            op, (left, right) = ops[0], sides
            return Expansion(
                lambda env: self._compared(op, left.run(env), right.run(env)), left.static and right.static
            )

        def run(env: Bindings) -> Expanded:
            values = [side.run(env) for side in sides]
            pairs = zip(ops, values, values[1:], strict=False)
            return simplified(make.conjunction(as_node(self._compared(op, left, right)) for op, left, right in pairs))

        return Expansion(run, all(side.static for side in sides))

    def _compared(self, op: ast.cmpop, left: Expanded, right: Expanded) -> Expanded:
        if isinstance(right, list) and not isinstance(right, Members):
            self._names.budget.spend(len(right))  # every member is looked at
        return compare(op, left, right)

    def _choice(self, tree: ast.IfExp, bound: frozenset[str]) -> Expansion:
        test, yes, no = (self.prepare(part, bound) for part in (tree.test, tree.body, tree.orelse))
        number = yes.number or no.number
        if test.static:
            return Expansion(
                lambda env: (yes if known_truth(test.run(env), "if") else no).run(env), yes.static and no.static, number
            )

        names = self._names

        def run(env: Bindings) -> Expanded:
            condition = truth(test.run(env), "if", names, test.number)
            first, second = yes.run(env), no.run(env)
            if is_truth(first, names) and is_truth(second, names):
                a = make.conjunction((condition, as_node(first)))
                b = make.conjunction((make.negation(condition), as_node(second)))
                return simplified(make.disjunction((a, b)))
            return simplified(make.choose(condition, numeric(first, "if"), numeric(second, "if")))

        return Expansion(run, False, number)

    def _call(self, tree: ast.Call, bound: frozenset[str]) -> Expansion:
        assert isinstance(tree.func, ast.Name)
        function = FUNCTIONS.get(tree.func.id)
        if function is None:
            name, names = tree.func.id, self._names
            if name in names.broken:
                raise AlreadyReportedError(name)
            indexed = name in names.arrays or name in names.tables
            hint = f"write {name}[...] with square brackets" if indexed else instead_of(name)
            raise self._error(tree, Code.UNKNOWN_NAME, f"unknown function '{name}'", hint)
        if len(tree.args) == 1 and isinstance(tree.args[0], ast.GeneratorExp):
            return self._aggregate(function, tree.args[0], bound)
        args = [self.prepare(arg, bound) for arg in tree.args]
        known, names, budget = function, self._names, self._names.budget
        static, number = all(arg.static for arg in args), any(arg.number for arg in args)

        def run(env: Bindings) -> Expanded:
            values = [arg.run(env) for arg in args]
            if known.takes_many and len(values) == 1 and is_list(values[0]):
                budget.spend(STEPS_AN_ARGUMENT * len(values[0]))  # type: ignore[arg-type]
                values = list(values[0])  # type: ignore[arg-type]
            return known(values, names, number)

        return Expansion(run, static, known.number and not static)

    def _aggregate(self, function: Function, tree: ast.GeneratorExp, bound: frozenset[str]) -> Expansion:
        """sum(value for a in A if condition for b in B ...)"""
        if not function.takes_many:
            raise self._error(tree, Code.BAD_EXPRESSION, f"'{function.name}' does not take `for`")
        if len(tree.generators) > MAX_LOOPS:
            raise self._error(tree, Code.TOO_DEEP, f"more than {MAX_LOOPS} loops inside each other")
        inner, static, loops = bound, True, []
        for clause in tree.generators:
            around, members = inner, self.prepare(clause.iter, inner)
            targets = self._targets(clause.target)
            inner = inner | set(targets)
            conditions = [self.prepare(condition, inner) for condition in clause.ifs]
            for expanded in (members, *conditions):
                if not expanded.static:
                    message = "what a loop runs over must be known before solving"
                    raise self._error(clause.iter, Code.NOT_STATIC, message, "use the decision inside the loop instead")
            narrowed = None
            if around and clause.ifs and around.isdisjoint(names_in(clause.iter)):
                narrowed = Narrowing(members, targets, around, clause.ifs, self.prepare, self._names.budget)
            cost = STEPS_A_TURN + sum(map(_size, clause.ifs))
            loops.append(Loop(targets, members, conditions, cost=cost, narrowed=narrowed))
        element = self.prepare(tree.elt, inner)
        static = element.static
        budget, size = self._names.budget, _size(tree.elt)

        def once(scope: Bindings) -> Expanded:
            budget.spend(size)
            return element.run(scope)

        def run(env: Bindings) -> Expanded:
            scope = dict(env)
            return function([once(scope) for _ in bindings(loops, scope, budget)], self._names, element.number)

        return Expansion(run, static, function.number and not static)
