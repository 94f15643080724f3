"""The tutorial on the studio is followed, click by click, with the file that the tutorial before it makes."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect
from tests.app.studio.browser.visitor import Visitor
from tests.docs.pages import DOCS, ROOT, blocks

PAGE = DOCS / "tutorial" / "in-the-studio.md"
FINAL = "That's how I want it"


def standing(visitor: Visitor) -> list[str]:
    return [str(spot.get_attribute("value")) for spot in visitor.page.locator("[data-row] input:checked").all()]


def choose(visitor: Visitor, label: str, value: str) -> None:
    """A value, and the page that follows it: a draft is in its address."""
    visitor.choose(label, value)
    expect(visitor.page).to_have_url(re.compile(rf"=({value})\b"))
    visitor.sees("Your change, before you tell it")
    visitor.page.wait_for_load_state("networkidle")


def test_the_tutorial_can_be_followed(visit: Callable[..., Visitor], tmp_path: Path) -> None:
    said = " ".join(PAGE.read_text(encoding="utf-8").split())
    line = next(block.text for block in blocks(PAGE) if block.language == "yaml")
    file = tmp_path / "trip.yaml"
    file.write_text((ROOT / "examples" / "trip" / "problem.yaml").read_text(encoding="utf-8") + "\n" + line)
    visitor = visit()
    visitor.page.goto(visitor.address)
    expect(visitor.page.get_by_role("heading", name="A problem of your own")).to_be_visible()
    visitor.page.locator("#file").set_input_files(file)
    visitor.press("Upload", exact=True)
    visitor.press("Begin with Weekend trip")
    visitor.works_on("The plan for fri")
    assert standing(visitor) == ["museum", "museum"]
    choose(visitor, "morning", "rest")
    choose(visitor, "evening", "concert")
    visitor.press(FINAL)
    visitor.works_on("The plan for sat")
    assert standing(visitor) == ["rest", "museum"]
    choose(visitor, "morning", "hike")
    choose(visitor, "evening", "beach")
    visitor.press(FINAL)
    visitor.works_on("The plan for sun")
    assert standing(visitor) == ["beach", "concert"]
    visitor.sees("Less museum, because you took it out of the plan for fri and the plan for sat")
    visitor.press(FINAL)
    visitor.sees("Everything once more")
    visitor.press("All of it is right")
    visitor.sees("How that is known")
    visitor.id = visitor.page.url.rpartition("/e/")[2].partition("?")[0]
    assert visitor.look["queries"] == 4
    assert visitor.look["certificate"]["by_lemma"]
    pressed = re.findall(r"\*\*([^*]+)\*\*", said)
    assert {FINAL, "Upload", "Begin", "All of it is right"} <= set(pressed)
