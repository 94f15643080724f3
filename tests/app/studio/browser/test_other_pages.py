"""Home, upload, result and simulation, in a real browser."""

import csv
import io
import json
import re
from pathlib import Path

from playwright.sync_api import expect
from tests.app.studio.browser.visitor import Visitor

GOOD = """\
pcl: 1
name: picnic
label: "A <b>picnic</b> & more"
description: "In the park <img src=x onerror=alert(2)>, with what we like."
variables:
  drink: {domain: ["tea <i>", juice], label: "drink <script>alert(1)</script>"}
  cake: {domain: bool, label: cake}
features:
  - {name: tea, value: "drink == 'juice'", label: "juice"}
  - {name: cake, value: cake, label: cake}
parts:
  - {name: drinks, variables: [drink]}
  - {name: food, variables: [cake]}
"""
BROKEN = GOOD.replace("value: cake,", "value: cakes,")


def test_a_broken_file_is_shown_with_its_errors_at_their_lines_and_a_good_one_is_used(
    visitor: Visitor, tmp_path: Path
) -> None:
    page = visitor.page
    page.goto(visitor.address)
    file = tmp_path / "picnic.yaml"
    file.write_text(BROKEN)
    page.get_by_label("a problem file").set_input_files(file)
    page.locator("#upload").click()
    wrong = page.locator(".source li.wrong")
    expect(wrong).to_have_count(1)
    expect(wrong).to_contain_text("10")
    expect(wrong).to_be_in_viewport()
    expect(wrong).to_contain_text("unknown name 'cakes'", ignore_case=True)
    file.write_text(GOOD)
    page.get_by_label("a problem file").set_input_files(file)
    page.locator("#upload").click()
    visitor.sees("was read; it is with the others")
    visitor.sees("In the park <img src=x onerror=alert(2)>, with what we like.")
    page.get_by_role("button", name=re.compile("picnic")).first.click()
    visitor.sees("drink <script>alert(1)</script>")
    visitor.sees("tea <i>")
    assert page.locator("#swap b:text-is('picnic'), #swap script, #swap .pill i").count() == 0, "labels are escaped"


def test_home_lists_what_she_began_and_where_to_continue(visitor: Visitor) -> None:
    visitor.begin("pc")
    visitor.page.goto(visitor.address)
    visitor.page.get_by_role("link", name=re.compile("^Continue Computer")).first.click()
    expect(visitor.page).to_have_url(re.compile(visitor.id))


def test_the_result_has_the_whole_what_was_learned_and_everything_to_take_away(visitor: Visitor) -> None:
    visitor.begin()
    visitor.tell("thu", {"plan[thu,1]": "running", "plan[thu,2]": "rest"})
    page = visitor.page
    page.goto(f"{visitor.address}/e/{visitor.id}/result")
    visitor.sees("There is no certificate yet")
    visitor.sees("Thu: slot 1 = running")
    expect(page.locator(".chart li").first).to_contain_text(re.compile("you (seem to )?(dis)?like this"))
    files = {}
    for name in ("The result, JSON", "The result, a table", "log", "weights", "Your taste"):
        with page.expect_download() as started:
            page.get_by_role("link", name=name).click()
        files[name] = Path(started.value.path()).read_text()
    standing = visitor.look["configuration"]
    assert json.loads(files["The result, JSON"]) == standing
    rows = list(csv.DictReader(io.StringIO(files["The result, a table"])))
    assert {row["variable"]: row["value"] for row in rows} == standing
    assert json.loads(files["log"].splitlines()[0])["event"] == "started"
    assert any(json.loads(files["weights"]).values())
    assert json.loads(files["Your taste"])["problem"] == "training"
    page.get_by_role("button", name="Start again from what I told you").click()
    visitor.sees("This starts from what you told me last time")
    assert visitor.id not in page.url
    expect(page.locator("table.board")).to_contain_text("running")


def test_a_simulated_person_answers_step_by_step_and_running(visitor: Visitor) -> None:
    page = visitor.page
    page.goto(f"{visitor.address}/simulate/grid?seed=1")
    visitor.sees("nobody has said anything yet")
    page.get_by_role("button", name="Next answer").click()
    visitor.sees("after 1 answer")
    expect(page.locator(".curve circle")).to_have_count(1)
    page.get_by_role("button", name="Run", exact=True).click()
    visitor.sees("after 3 answers")
    expect(page.locator(".curve circle")).to_have_count(3)
    page.get_by_role("button", name="To the end").click()
    visitor.sees("She has confirmed every part")
    expect(page.get_by_role("button", name="Next answer")).to_be_disabled()


def test_what_is_not_there_is_a_page_that_says_so(visitor: Visitor) -> None:
    visitor.page.goto(f"{visitor.address}/e/nothing-is-here")
    visitor.sees("There is no such elicitation")
    visitor.page.get_by_role("link", name="Home", exact=True).click()
    visitor.sees("Say what you want, one part at a time.")


def test_pages_are_small_and_nothing_comes_from_elsewhere(visitor: Visitor) -> None:
    sizes: dict[str, int] = {}
    visitor.page.on("response", lambda answer: sizes.update({answer.url: len(answer.body())}))
    visitor.begin(part="thu")
    visitor.page.goto(visitor.address)
    assert all(url.startswith(visitor.address) for url in sizes)
    assert sum(size for url, size in sizes.items() if "/events" not in url) < 150_000


def test_who_starts_again_sees_everything_as_it_was_and_changes_one_part_of_it(visitor: Visitor) -> None:
    visitor.begin("pc")
    while (query := visitor.call("GET", "/query")) is not None:
        visitor.call("POST", "/answers", query=query["number"], kind="accepted", values={})
    ended = visitor.look["configuration"]
    visitor.page.goto(f"{visitor.address}/e/{visitor.id}/result")
    visitor.page.locator("#again").click()
    visitor.sees("Everything, as it was last time")
    visitor.sees("You ended with this last time.")
    visitor.id = re.findall(r"/e/([^/?]+)", visitor.page.url)[0]
    visitor.page.locator("ul.looked li").first.get_by_role("button", name="Change").click()
    visitor.settles()
    row = visitor.page.locator("[data-row]").first
    chosen = row.get_by_role("radio", checked=False).first
    chosen.check(force=True)
    visitor.settles()
    visitor.click("#final")
    visitor.sees("The rest, as you left it")
    visitor.click("#final")
    visitor.sees("This is it")
    now = visitor.look["configuration"]
    assert sum(now[name] != value for name, value in ended.items()) == 1
    assert visitor.look["certificate"] is not None
