"""Fields that a page posts, once it is known that the form was ours."""

import hmac
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from fastapi import Depends, Request
from starlette.datastructures import UploadFile

from pcl_app.studio.errors import refused

MAX_FIELDS = 5000


def token_of(request: Request) -> str:
    return str(request.app.state.doorkeeper.form_token(request))


@dataclass(frozen=True)
class PostedForm:
    """What was posted."""

    pairs: Sequence[tuple[str, str]]

    def one(self, key: str) -> str:
        """The last one of a field; a checkbox comes after what stands for its absence."""
        return next((value for name, value in reversed(self.pairs) if name == key), "")

    def all(self, key: str) -> list[str]:
        return [value for name, value in self.pairs if name == key]

    def number(self, key: str) -> int | None:
        text = self.one(key)
        return int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else None

    @property
    def drafted(self) -> dict[str, str]:
        return {name: value for name, value in self.pairs if name[:1] == "v" and name[1:].isdecimal()}


async def posted(request: Request) -> PostedForm:
    """The form of a request. One that another site made is refused."""
    async with request.form(max_files=0, max_fields=MAX_FIELDS) as data:
        pairs = [(key, value) for key, value in data.multi_items() if not isinstance(value, UploadFile)]
    form = PostedForm(pairs)
    check_token(request, form.one("form_token"))
    return form


def check_token(request: Request, given: str) -> None:
    if not hmac.compare_digest(given.encode(), token_of(request).encode()):
        raise refused(403, "foreign-form", "this form is not from your page", "reload the page, and try again")


Posted = Annotated[PostedForm, Depends(posted)]
