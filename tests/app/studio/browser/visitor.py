"""Somebody in front of the studio: what she does, in her words."""

from typing import Any

import httpx
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect

EXPECTED = ("status of 409", "status of 422", "status of 404", "status of 403")
"""What a browser notes of answers that a test asks for."""


class Visitor:
    """A window, and the studio behind it."""

    def __init__(self, context: BrowserContext, address: str, api: httpx.Client) -> None:
        self.context, self.address, self.api = context, address, api
        self.complaints: list[str] = []
        self.page = self.new_tab()
        self.id = ""

    def new_tab(self) -> Page:
        page = self.context.new_page()
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(known in message.text for known in EXPECTED):
            self.complaints.append(message.text)

    def begin(self, problem: str = "training", part: str | None = None) -> "Visitor":
        """A new elicitation, and its page, at a part."""
        made = self.api.post("/elicitations", json={"problem": problem})
        self.id = made.raise_for_status().json()["id"]
        return self.open(part)

    def open(self, part: str | None = None, **fields: str) -> "Visitor":
        query = "&".join([*([f"part={part}"] if part else []), *(f"{key}={value}" for key, value in fields.items())])
        self.page.goto(f"{self.address}/e/{self.id}?{query}")
        return self

    def call(self, method: str, path: str, **json: Any) -> Any:
        """What another program says meanwhile."""
        answer = self.api.request(method, f"/elicitations/{self.id}{path}", json=json or None)
        return answer.raise_for_status().json() if answer.content else None

    def tell(self, part: str, values: dict[str, Any] | None = None) -> None:
        """An answer by the API, to come to where a test begins."""
        query = self.call("GET", f"/query?part={part}")
        kind = "accepted" if values is None else "improved"
        self.call("POST", "/answers", query=query["number"], kind=kind, values=values or {}, final=values is not None)

    @property
    def look(self) -> Any:
        return self.call("GET", "")

    def row(self, label: str) -> Locator:
        return self.page.locator("[data-row]").filter(has=self.page.locator(f".name:text-is('{label}')"))

    def choose(self, label: str, value: str) -> None:
        """A value of a row, by its button; what it does is shown when this returns."""
        self.row(label).get_by_role("radio", name=value, exact=True).check(force=True)

    def pick(self, label: str, value: str) -> None:
        """A value of a row as somebody with a mouse finds it: among those that are shown, or in the list of the others."""
        pill = self.row(label).locator(".pill").filter(has=self.page.locator(f".face:text-is('{value}')"))
        if not pill.is_visible():
            self.row(label).locator("details.more > summary").click()
        pill.click()
        self.settles()

    def click(self, selector: str) -> None:
        """A button, and what comes of it."""
        self.page.locator(selector).click()
        self.settles()

    def settles(self) -> None:
        expect(self.page.locator("#swap[aria-busy]")).to_have_count(0)

    def press(self, name: str, exact: bool = False) -> None:
        self.page.get_by_role("button", name=name, exact=exact).first.click()

    def sees(self, text: str) -> None:
        expect(self.page.locator("#swap")).to_contain_text(text)

    def sees_not(self, text: str) -> None:
        expect(self.page.locator("#swap")).not_to_contain_text(text)

    def works_on(self, label: str) -> None:
        expect(self.page.locator("#part-title")).to_contain_text(label)
