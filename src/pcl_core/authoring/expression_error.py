"""What is wrong with an expression, before its place in the file is known."""

from pcl_core.errors import Code, DataPath


class ExpressionError(Exception):
    """Something wrong with an expression, at an offset in its text."""

    def __init__(self, code: Code, message: str, hint: str | None = None, offset: int = 0) -> None:
        self.code, self.message, self.hint, self.offset = code, message, hint, offset
        self.path: DataPath | None = None
        """The text in the file that the offset counts in, once that is known."""
        super().__init__(message)
