"""Expressions as text for people, in the infix language of problem files."""

from pcl_core.ir.language import children
from pcl_core.ir.nodes import And, Cmp, Const, In, Label, Lookup, Node, Not, Or, Product, Ref, Sum, Var

_ATOM, _TIMES, _PLUS, _COMPARE, _NOT, _AND, _OR = range(7)


def render(node: Node) -> str:
    """The expression in infix, with no more brackets than needed."""
    return _render(node)[0]


def _render(node: Node) -> tuple[str, int]:
    match node:
        case Const():
            text = str(node.value) if not isinstance(node.value, bool) else str(node.value).lower()
            return text, _PLUS if text.startswith("-") else _ATOM
        case Label():
            return repr(node.value), _ATOM
        case Var() | Ref():
            return node.name, _ATOM
        case Sum():
            return _sum(node), _PLUS
        case Product():
            return " * ".join(_inside(arg, _ATOM) for arg in node.args), _TIMES
        case Lookup():
            return f"{node.table}[{', '.join(map(render, node.keys))}]", _ATOM
        case Cmp():
            return f"{_inside(node.left, _PLUS)} {node.rel} {_inside(node.right, _PLUS)}", _COMPARE
        case In():
            return f"{_inside(node.arg, _PLUS)} in [{', '.join(map(repr, node.values))}]", _COMPARE
        case And():
            return " and ".join(_inside(arg, _NOT) for arg in node.args), _AND
        case Or():
            return " or ".join(_inside(arg, _AND) for arg in node.args), _OR
        case Not():
            return f"not {_inside(node.arg, _COMPARE)}", _NOT
        case _:
            return f"{node.op}({', '.join(map(render, children(node)))})", _ATOM


def _inside(node: Node, loosest: int) -> str:
    text, looseness = _render(node)
    return text if looseness <= loosest else f"({text})"


def _sum(node: Sum) -> str:
    text = ""
    for coef, arg in zip(node.coefs, node.args, strict=True):
        size = "" if abs(coef) == 1 else f"{abs(coef)} * "
        sign = "-" if coef < 0 else "+"
        term = size + _inside(arg, _TIMES)
        text = f"{text} {sign} {term}" if text else ("-" if coef < 0 else "") + term
    if node.constant:
        text += f" {'-' if node.constant < 0 else '+'} {abs(node.constant)}"
    return text
