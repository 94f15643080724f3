"""Registers as straight-line Python, for evaluating one configuration at a time.

numpy costs a microsecond or more for each call, however small the arrays. For a single configuration a function
with one line for each register is ten times faster; it pays off once it is called a few dozen times. The text
is made from registers, which hold whole numbers and operations only, never from anything a person wrote.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from pcl_core.ir.registers import Operation, Register, Registers

StraightLine: TypeAlias = Callable[[Sequence[int]], list[int]]

_COMPARISONS = {Operation.EQ: "==", Operation.NE: "!=", Operation.LT: "<", Operation.LE: "<="}


def straight_line(
    registers: Registers, used: Sequence[Register], inputs: Sequence[int], roots: Sequence[int]
) -> StraightLine:
    """A function from the values of the inputs, in their order, to the values of the roots."""
    position = {number: at for at, number in enumerate(inputs)}
    lines = [f"    r{register.number} = {_text(register, position)}" for register in used]
    result = ", ".join(f"r{index}" for index in roots)
    source = "\n".join(["def evaluate(x):", *lines, f"    return [{result}]"])
    scope: dict[str, Any] = {"keys": registers.key_offsets, "entries": registers.entries}
    exec(compile(source, "<registers>", "exec"), scope)
    found: StraightLine = scope["evaluate"]
    return found


def _text(register: Register, position: dict[int, int]) -> str:
    if register.number in position:
        return f"x[{position[register.number]}]"
    args = [f"r{arg}" for arg in register.args]
    match register.operation:
        case Operation.CONSTANT:
            return str(register.offset)
        case Operation.LINEAR:
            terms = [
                arg if factor == 1 else f"{factor}*{arg}" for factor, arg in zip(register.factors, args, strict=True)
            ]
            return " + ".join([*terms, str(register.offset)])
        case Operation.PRODUCT:
            return " * ".join(args)
        case Operation.MIN | Operation.MAX:
            return f"{register.operation.name.lower()}({', '.join(args)})"
        case Operation.LOOKUP:
            found = [f"keys[{factor} + {arg}]" for factor, arg in zip(register.factors, args, strict=True)]
            return f"entries[{' + '.join(found)}]"
        case _:
            return f"1 if {args[0]} {_COMPARISONS[register.operation]} {args[1]} else 0"
