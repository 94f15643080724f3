"""How much a file may expand to, so that every file is answered in bounded time."""

from pcl_core.authoring.expression_error import ExpressionError
from pcl_core.errors import Code

MAX_EXPANSION = 200_000
"""Nodes; as many take about three seconds and 300 MB to expand and check."""

STEPS_A_NODE = 32
STEPS_A_PARSE = 3 * STEPS_A_NODE
LETTERS_A_STEP = 4


class Budget:
    """How much a file may still expand to, counted while it happens.

    What costs is counted in steps: one to compute a part of an expression, more to make something that stays. A node
    is some thirty of them, and what the limit is said in.
    """

    def __init__(self, limit: int = MAX_EXPANSION) -> None:
        self.limit = limit
        self.left = limit * STEPS_A_NODE

    @property
    def spent(self) -> int:
        """Steps."""
        return self.limit * STEPS_A_NODE - self.left

    def afford(self, steps: int) -> None:
        """Refuse what would be too much before any of it is done."""
        if steps > self.left:
            message = f"the file expands to more than the limit of {self.limit:,} nodes"
            hint = "use smaller sets or shorter texts, or raise the limit"
            raise ExpressionError(Code.TOO_MANY_NODES, message, hint)

    def spend(self, steps: int = 1) -> None:
        if steps > self.left:
            self.afford(steps)
        self.left -= steps

    def nodes(self, count: int = 1) -> None:
        self.spend(count * STEPS_A_NODE)

    def text(self, text: str) -> str:
        """The text, which is kept."""
        self.spend(1 + len(text) // LETTERS_A_STEP)
        return text
