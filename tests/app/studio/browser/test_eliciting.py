"""A person works in the studio, in a real browser."""

import re
from collections.abc import Callable

from playwright.sync_api import expect
from tests.app.studio.browser.visitor import Visitor

Visit = Callable[..., Visitor]
FINAL = "That's how I want it"


def test_she_starts_edits_a_part_and_says_that_it_is_how_she_wants_it(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(visitor.address)
    page.get_by_role("button", name="Begin with Training week").click()
    expect(page).to_have_url(re.compile(r"/e/[\w-]{16,}"))
    visitor.sees("0 of 7 as you want them")
    page.locator("#pick-thu").click()
    visitor.works_on("Thu")
    visitor.choose("slot 2", "swimming")
    visitor.sees("You change slot 2: pushups → swimming")
    expect(page.locator("tr.asked td.changed")).to_have_text("swimming, changed")
    visitor.press(FINAL)
    visitor.sees("Thu is as you want it: 1 of 7 confirmed")
    visitor.sees("1 of 7 as you want them")
    expect(page.locator("tr.closed th")).to_contain_text("Thu")


def test_better_asks_again_and_the_part_stays_open(visitor: Visitor) -> None:
    visitor.begin(part="thu").choose("slot 1", "walking")
    visitor.press("Better, ask me again")
    visitor.sees("Thu is better so, and comes again")
    visitor.sees("0 of 7 as you want them")


DAYS = {"thu": (1, 2), "tue": (2, 3), "sat": (1, 2), "fri": (1, 2)}
SOME_WEEKS = (
    ("walking abs", "rest rest", "rest weights", "running weights"),
    ("walking running", "squats walking", "walking swimming", "weights weights"),
    ("squats abs", "running running", "walking walking", "rest swimming"),
    ("rest abs", "rest weights", "squats rest", "running weights"),
    ("squats rest", "abs rest", "rest squats", "squats abs"),
)
"""What people said of some days, none of it the same twice; for one of them what she said speaks against what she said."""


def suggested(visitor: Visitor) -> str:
    """A day that is hers, where what she said of others speaks for something else."""
    for week in SOME_WEEKS:
        visitor.begin()
        for (day, slots), said in zip(DAYS.items(), week, strict=True):
            visitor.tell(day, {f"plan[{day},{slot}]": value for slot, value in zip(slots, said.split(), strict=True)})
        for day in ("thu", "tue", "sat"):
            if visitor.call("GET", f"/query?part={day}")["suggestion"]:
                visitor.open(day)
                visitor.sees("I would rather have")
                visitor.sees("Yours stays unless you take it")
                return day
    raise AssertionError("nothing is suggested to anybody")


def test_a_suggestion_is_taken_with_one_click(visitor: Visitor) -> None:
    day = suggested(visitor)
    wanted = visitor.call("GET", "/query")["suggestion"]
    visitor.press("Take it")
    visitor.sees(f"{day.capitalize()} is better so, and comes again")
    told = visitor.look["history"][-1]
    assert (told["kind"], told["values"]) == ("improved", wanted)


def test_a_suggestion_is_refused_by_keeping_what_stands(visitor: Visitor) -> None:
    day = suggested(visitor)
    standing = visitor.call("GET", "/query")["proposal"]
    visitor.press(FINAL)
    visitor.sees(f"{day.capitalize()} is right as it is")
    assert visitor.look["configuration"].items() >= standing.items()


def test_a_value_is_kept_and_the_rest_filled_in_around_it(visitor: Visitor) -> None:
    visitor.begin(part="thu").choose("slot 1", "running")
    visitor.sees("You change slot 1: pushups → running")
    visitor.row("slot 1").get_by_role("button", name="keep").click()
    visitor.sees("Slot 1 is kept as it is from now on")
    kept = visitor.row("slot 1").get_by_role("button", name="kept")
    expect(kept).to_have_attribute("aria-pressed", "true")
    visitor.choose("slot 2", "weights")
    visitor.sees("You change slot 2")
    visitor.press("Fill in the rest around my choices")
    expect(visitor.row("slot 2").get_by_role("radio", name="weights")).to_be_checked()
    visitor.press(FINAL)
    visitor.sees("of 7 confirmed")
    assert visitor.look["configuration"]["plan[thu,1]"] == "running"
    visitor.open("thu")
    kept.click()
    visitor.sees("Slot 1 may change again")
    assert visitor.look["pins"] == {}


def test_an_impossible_change_names_the_rules_and_offers_the_nearest(visitor: Visitor) -> None:
    visitor.begin(part="thu")
    for slot in (1, 2, 3):
        visitor.choose(f"slot {slot}", "running")
        visitor.sees(f"slot {slot}: pushups → running" if slot < 3 else "Not possible together")
    conflict = visitor.page.locator("#conflict")
    expect(conflict).to_contain_text("must not tire too much on Thu from slot 1 to 3")
    expect(conflict).to_contain_text("The nearest that is possible")
    expect(visitor.page.locator("#final")).to_be_disabled()
    visitor.page.locator("#nearest").click()
    visitor.sees("You change")
    visitor.sees_not("Not possible together")
    visitor.press(FINAL)
    visitor.sees("1 of 7")
    stands = visitor.look["configuration"]
    assert [stands[f"plan[thu,{slot}]"] for slot in (1, 2, 3)].count("running") == 2


def test_a_rule_shows_what_it_changes_forbids_values_and_is_removed(visitor: Visitor) -> None:
    visitor.begin(part="thu").choose("slot 2", "swimming")
    visitor.press("Never pushups again")
    visitor.sees("would change")
    visitor.press("Make it so")
    visitor.sees("From now on: never pushups")
    visitor.open("sat")
    forbidden = visitor.row("slot 1").locator(".pill.impossible")
    expect(forbidden).to_contain_text("never pushups")
    visitor.choose("slot 1", "pushups")
    expect(visitor.page.locator("#conflict")).to_contain_text("your rule: never pushups")
    visitor.page.get_by_role("button", name="remove the rule: never pushups").click()
    visitor.sees("No longer: never pushups")
    assert visitor.look["rules"] == []


def test_a_rule_is_written_in_the_form_for_rules(visitor: Visitor) -> None:
    visitor.begin(part="mon")
    page = visitor.page
    page.get_by_text("+ a rule").click()
    page.locator("select[name=kind]").select_option("at most")
    page.get_by_label("how many").fill("4")
    page.locator("select[name=about]").select_option("running")
    page.get_by_role("button", name="Add", exact=True).click()
    visitor.sees("From now on: at most 4 of running")
    visitor.works_on("Mon")
    assert [rule["words"] for rule in visitor.look["rules"]] == ["at most 4 of running"]


def test_the_same_is_done_elsewhere_where_she_wants_it(visitor: Visitor) -> None:
    visitor.begin(part="thu").choose("slot 3", "walking")
    visitor.page.get_by_text("Do the same elsewhere?").click()
    visitor.sees("Mon: not allowed: no training on Mon in slot 3")
    visitor.page.locator("input[name=only][value=sat]").uncheck()
    visitor.press("Do it here and there")
    visitor.sees("The same is now at Tue, Sun")
    look = visitor.look
    assert [look["configuration"][f"plan[{day},3]"] for day in ("tue", "thu", "sun")] == ["walking"] * 3
    assert look["history"][-1]["parts"] == ["tue", "sun"]


def test_accepting_everything_ends_with_what_the_certificate_means_and_offers_to_look_further(visitor: Visitor) -> None:
    visitor.begin("grid")
    for _ in range(8):
        if visitor.page.locator("#end").count():
            break
        number = visitor.page.locator("#answer input[name=query]").get_attribute("value")
        visitor.page.locator("#final").click()
        expect(visitor.page.locator(f"#answer input[name=query][value='{number}']")).to_have_count(0)
    visitor.sees("By your own word, all 4 parts are right: changing any one of them alone would be no better for you.")
    visitor.sees("4 of 4 as you want them")
    visitor.press("Look further: two parts at once")
    expect(visitor.page.locator("#swap")).to_contain_text(re.compile("ooked further|together"))
    assert visitor.look["history"][-1]["kind"] == "further"


def test_undo_drops_a_draft_first_and_then_takes_back_an_answer(visitor: Visitor) -> None:
    visitor.begin(part="thu").choose("slot 1", "rest")
    visitor.sees("You change")
    visitor.press("Undo")
    visitor.sees_not("You change")
    visitor.choose("slot 1", "abs")
    visitor.sees("You change")
    visitor.press(FINAL)
    visitor.sees("1 of 7 as you want them")
    visitor.press("Undo")
    visitor.sees("Taken back")
    visitor.sees("0 of 7 as you want them")
    assert visitor.look["configuration"]["plan[thu,1]"] == "pushups"


def test_a_reload_in_the_middle_loses_nothing(visitor: Visitor) -> None:
    visitor.begin(part="thu").choose("slot 2", "abs")
    visitor.sees("You change slot 2: pushups → abs")
    visitor.page.reload()
    visitor.works_on("Thu")
    visitor.sees("You change slot 2: pushups → abs")
    visitor.press(FINAL)
    visitor.sees("1 of 7 as you want them")
    visitor.page.reload()
    visitor.sees("1 of 7 as you want them")


def test_two_tabs_cannot_overwrite_each_other(visitor: Visitor) -> None:
    visitor.begin(part="thu")
    other = visitor.new_tab()
    other.goto(visitor.page.url)
    other.locator("#final").click()
    expect(other.locator("#swap")).to_contain_text("1 of 7 as you want them")
    visitor.sees("This was changed in another tab, or by another program")
    visitor.works_on("Thu")
    visitor.press("Skip")
    visitor.sees("This was changed in another tab, so your last click did not count")
    visitor.sees("1 of 7 as you want them")
    assert [told["kind"] for told in visitor.look["history"]] == ["accepted"]


def test_several_parts_that_opened_again_are_confirmed_at_once(visitor: Visitor) -> None:
    visitor.begin()
    for day in ("thu", "fri", "sat"):
        visitor.tell(day)
    visitor.call("POST", "/rules", kind="never", variables="plan[*,*]", values=["pushups"])
    visitor.open("mon")
    again = sum(part["standing"] == "open" for part in visitor.look["parts"])
    assert again > 1
    visitor.press(f"The {again} to be looked at again are still right")
    visitor.sees(f"{again} of 7 as you want them")


def test_alternatives_are_compared_and_one_is_put_in_its_place(visitor: Visitor) -> None:
    visitor.begin("hotel", "r7")
    visitor.row("tables").get_by_role("button", name="compare").click()
    visitor.sees("total cost 15 more")
    visitor.page.locator("#ranks button").filter(has_text=re.compile("^1")).click()
    visitor.sees("You change tables: 0 → 1")
    visitor.sees("165 of 600")


def test_a_stepper_and_a_switch_change_values(visit: Visit) -> None:
    hotel = visit().begin("hotel", "r7")
    hotel.row("sofas").get_by_role("button", name="more sofas").click()
    hotel.sees("You change sofas: 0 → 1")
    grid = visit().begin("grid", "block[0,0]")
    grid.page.get_by_role("switch", name="cell 0,1").check(force=True)
    grid.sees("You change cell 0,1: no → yes")


def test_a_dish_is_found_by_searching(visitor: Visitor) -> None:
    visitor.begin("meals", "thu")
    row = visitor.row("dinner")
    row.get_by_text("others …").click()
    search = row.get_by_label("search values of dinner")
    for wanted in ("salmon with broccoli", "green salad with nuts"):  # in the list, and beside it
        search.fill(wanted[:5])
        expect(row.locator(".pill:visible input:not(:checked)")).to_have_count(1)
    row.get_by_role("radio", name="green salad with nuts").check(force=True)
    visitor.sees("You change dinner: pasta with tomatoes → green salad with nuts")


def test_header_board_and_notice_count_the_same_whatever_is_in_question(visitor: Visitor) -> None:
    visitor.begin()
    for day, value in (("thu", "walking"), ("tue", "swimming"), ("sat", "rest"), ("fri", "abs")):
        visitor.open(day).choose("slot 2", value)
        visitor.sees("You change slot 2")
        visitor.press(FINAL)
        visitor.sees("of 7 confirmed")
        shown = visitor.page.locator("#swap").inner_text()
        found = re.findall(r"(\d) of 7 (?:confirmed|as you want them)(, \d to look at again)?", shown)
        assert len(found) == 2
        assert found[0] == found[1]
        counts = found[0]
        expect(visitor.page.locator(".pips .sure")).to_have_count(int(counts[0]))
    visitor.open("fri")
    visitor.sees(f"{counts[0]} of 7 as you want them")
    expect(visitor.page.locator("tr.asked th")).to_contain_text("in question now; as you want it")


def test_a_value_that_has_room_made_for_it_elsewhere_is_not_struck_out(visitor: Visitor) -> None:
    visitor.begin("trip", "thu")
    row = visitor.row("morning")
    wanted = row.locator(".pill").filter(has_text="old town walk")
    expect(wanted).to_have_class(re.compile("impossible"))
    row.get_by_text("others …").click()
    wanted.locator("input").check(force=True)
    visitor.sees("To make room, this changes elsewhere")
    expect(wanted).not_to_have_class(re.compile("impossible"))
    visitor.sees_not("Not possible together")
    moved = visitor.page.locator("#draft li b").first.inner_text()
    expect(visitor.page.locator(".board td.changed").filter(has_text=moved)).to_have_count(1)
    visitor.press(FINAL)
    visitor.sees("room was made for them elsewhere")
    assert visitor.look["configuration"]["plan[thu,morning]"] == "old town walk"
