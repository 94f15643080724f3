"""The studio is for everybody: without JavaScript, without a mouse, on a phone, with a screen reader."""

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Route, expect
from tests.app.studio.browser.visitor import Visitor

Visit = Callable[..., Visitor]
PHONE = {"width": 390, "height": 780}
LOUD = ("serious", "critical")


def test_without_javascript_pages_are_plain_forms(visit: Visit) -> None:
    visitor = visit(java_script_enabled=False)
    page = visitor.page
    page.goto(visitor.address)
    page.get_by_role("button", name="Begin with Training week").click()
    page.locator("#pick-thu").click()
    visitor.works_on("Thu")
    visitor.choose("slot 2", "swimming")
    visitor.press("Show what my changes would do")
    visitor.sees("You change slot 2: pushups → swimming")
    page.get_by_text("Do the same elsewhere?").click()
    expect(page.locator("input[name=only][value=sat]")).to_be_checked()
    visitor.press("Fill in the rest around my choices")
    expect(visitor.row("slot 2").get_by_role("radio", name="swimming")).to_be_checked()
    page.locator("#final").click()
    visitor.sees("Thu")
    visitor.press("Undo")
    visitor.sees("Taken back")
    page.get_by_text("+ a rule").click()
    page.locator("select[name=about]").select_option("running")
    page.get_by_role("button", name="Add", exact=True).click()
    visitor.sees("From now on: never running")
    page.get_by_role("link", name="Result so far").click()
    visitor.sees("What you said")


def test_everything_can_be_done_with_the_keyboard(visitor: Visitor) -> None:
    visitor.begin(part="thu")
    keys = visitor.page.keyboard
    keys.press("?")
    expect(visitor.page.get_by_role("dialog", name="Keys")).to_be_visible()
    keys.press("Escape")
    keys.press("2")
    expect(visitor.row("slot 2").get_by_role("radio", name="pushups")).to_be_focused()
    keys.press("ArrowRight")
    visitor.sees("You change slot 2: pushups → weights")
    expect(visitor.row("slot 2").get_by_role("radio", name="weights")).to_be_focused()
    keys.press("ArrowRight")
    visitor.sees("You change slot 2: pushups → walking")
    keys.press("Enter")
    visitor.sees("1 of 7 as you want them")
    keys.press("u")
    visitor.sees("0 of 7 as you want them")
    visitor.works_on("Thu")
    keys.press("n")
    visitor.works_on("Fri")
    keys.press("p")
    visitor.works_on("Thu")
    keys.press("1")
    keys.press("k")
    visitor.sees("Slot 1 is kept as it is from now on")
    keys.press("s")
    visitor.sees("No opinion on Thu")


def test_one_of_many_values_is_found_with_the_keyboard_and_no_key_in_the_search_is_an_answer(visitor: Visitor) -> None:
    visitor.begin("trip", "thu")
    page, keys = visitor.page, visitor.page.keyboard
    keys.press("3")
    expect(visitor.row("evening").get_by_role("radio", name="free time")).to_be_focused()
    keys.press("Tab")
    keys.press("Enter")
    keys.press("Tab")
    expect(page.get_by_label("search values of evening")).to_be_focused()
    keys.press("Enter")
    keys.type("old t")
    keys.press("Enter")
    visitor.sees("You change evening: free time → old town walk")
    expect(visitor.row("evening").get_by_role("radio", name="old town walk")).to_be_focused()
    assert visitor.look["history"] == []
    keys.press("Enter")
    visitor.sees("Your values in Thu stay; room was made for them elsewhere")


def test_the_tab_key_reaches_the_board_the_part_and_its_buttons_in_order(visitor: Visitor) -> None:
    visitor.begin(part="thu")
    reached: list[str] = []
    for _ in range(60):
        visitor.page.keyboard.press("Tab")
        reached.append(visitor.page.evaluate("document.activeElement.id || document.activeElement.className"))
    wanted = ["skip", "pick-mon", "pick-sun", "final", "complete"]
    places = [reached.index(it) for it in wanted]
    assert places == sorted(places)
    assert any(re.fullmatch(r"v\d+-\d+", it) for it in reached)


def test_on_a_phone_nothing_is_wider_than_the_screen_and_the_part_comes_first(visit: Visit) -> None:
    for problem in ("training", "hotel", "pc", "meals", "grid", "flat"):
        visitor = visit(viewport=PHONE, has_touch=True, is_mobile=True).begin(problem)
        page = visitor.page
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], problem
        expect(page.locator("#final")).to_be_in_viewport()
        part, board = page.locator("#part-title").bounding_box(), page.locator("#whole").bounding_box()
        assert part is not None
        assert board is not None
        assert part["y"] < board["y"]


def test_nothing_moves_when_the_page_changes_and_what_is_slow_says_so(visitor: Visitor) -> None:
    visitor.begin(part="thu")
    page = visitor.page
    before = page.locator("#whole").bounding_box()

    def slowly(route: Route) -> None:
        page.wait_for_timeout(500)
        route.continue_()

    page.route("**/e/**", slowly)
    visitor.row("slot 1").get_by_role("radio", name="rest").check(force=True)
    expect(page.locator("body")).to_have_class(re.compile("busy"))
    visitor.sees("You change")
    expect(page.locator("body")).not_to_have_class(re.compile("busy"))
    assert page.locator("#whole").bounding_box() == before
    expect(page.locator("#status")).not_to_be_empty()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(visit: Visit, scheme: str) -> None:
    visitor = visit(color_scheme=scheme).begin("training", "thu")
    page, axe = visitor.page, Axe()
    visitor.tell("tue", {"plan[tue,2]": "rest"})
    visitor.call("POST", "/rules", kind="never", variables="plan[*,*]", values=["pushups"])
    fields = {"v15": "running", "v16": "running", "v17": "running"}
    hotel, flat = (visitor.api.post("/elicitations", json={"problem": it}).json()["id"] for it in ("hotel", "flat"))
    pages = {
        "sign in": "/login",
        "home": "/",
        "yours": "/yours",
        "question": f"/e/{visitor.id}?part=thu",
        "draft": f"/e/{visitor.id}?part=thu&v16=abs&rank=v17",
        "conflict": f"/e/{visitor.id}?part=thu&" + "&".join(f"{key}={value}" for key, value in fields.items()),
        "numbers": f"/e/{hotel}?part=r7",
        "floor": f"/e/{flat}?part=bedroom",
        "result": f"/e/{visitor.id}/result",
        "simulation": "/simulate/grid?seed=1&step=3",
        "missing": "/e/nothing-is-here",
    }
    found: list[str] = []
    for name, path in pages.items():
        page.goto(visitor.address + path)
        for violation in axe.run(page).response["violations"]:
            if violation["impact"] in LOUD:
                nodes = [node["html"][:160] for node in violation["nodes"][:3]]
                found.append(f"{name}: {violation['id']}: {violation['help']}: {nodes}")
    assert not found
