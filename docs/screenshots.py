"""The pictures of the studio in `docs/studio` and beside problems from life: a studio, a browser, and people who answer.

    python -m docs.screenshots

The pictures are made by hand before a release, and looked at: no test compares them.
"""

import tempfile
from pathlib import Path
from typing import Any

import httpx
from playwright.sync_api import Browser, Page, sync_playwright
from tests.app.studio.browser.browsers import QUIETLY, find_browser
from tests.app.studio.servers import TOKEN, caller, sqlite_in, studio

from pcl_app.studio import StudioSettings

FOLDER = Path(__file__).parent / "studio"
PROBLEMS = Path(__file__).parents[1] / "src" / "pcl_problems"
BOARDS: dict[str, tuple[str, dict[str, dict[str, str]]]] = {
    "meals": (
        "wed",
        {
            "fri": {"menu[fri,dinner]": "salmon with broccoli"},
            "mon": {"menu[mon,dinner]": "pasta with minced meat"},
            "sun": {"menu[sun,lunch]": "roast chicken"},
        },
    ),
    "trip": (
        "sun",
        {
            "thu": {"plan[thu,afternoon]": "castle hill", "plan[thu,evening]": "tasting dinner"},
            "sat": {"plan[sat,morning]": "history museum", "plan[sat,evening]": "concert"},
        },
    ),
    "pc": (
        "power",
        {
            "base": {"case": "silent tower", "processor": "Ryzen 7 7800X3D"},
            "speed": {"memory": "32 GB DDR5", "card": "RTX 4070"},
        },
    ),
    "flat": (
        "living room",
        {
            "bedroom": {"place[double bed]": "b1-b2", "place[armchair]": "a3"},
            "kitchen": {"place[dining table]": "d6-e6", "place[fridge]": "g5"},
        },
    ),
}
"""For the page of each problem from life: the part in question, and what was said of others."""
SIZES = {
    "light": {"viewport": {"width": 1280, "height": 860}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 860}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 1000}, "color_scheme": "light"},
}
TRIP = Path(__file__).parents[1] / "examples" / "trip" / "problem.yaml"
LAID_OUT = "\ndisplay: {board: calendar, rows: day, columns: time}\n"
BROKEN = """\
pcl: 1
name: picnic
label: A picnic
variables:
  drink: {domain: [tea, juice]}
  cake: {domain: bool}
features:
  - {name: juice, value: "drink == 'juize'"}
  - {name: cake, value: cakes}
parts:
  - {name: drinks, variables: [drink]}
  - {name: food, variables: [cake]}
"""


def main() -> None:
    path = find_browser()
    assert path is not None, "a Chromium is needed"
    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        settings = StudioSettings(sqlite_in(Path(folder)), TOKEN, workers=1)
        with studio(settings) as (_, address), caller(address) as api:
            pages, boards = _pages(api), _boards(api)
            browser = playwright.chromium.launch(executable_path=path, args=list(QUIETLY))
            for size, options in SIZES.items():
                _pictures(browser, address, size, options, pages, Path(folder))
            _board_pictures(browser, address, boards)
            browser.close()


def _pages(api: httpx.Client) -> dict[str, str]:
    """Elicitations in the middle and at the end, and where they are."""
    week, done, hotel, pc, flat = (_begun(api, name) for name in ("training", "training", "hotel", "pc", "flat"))
    _tell(api, week, "thu", {"plan[thu,1]": "running", "plan[thu,2]": "swimming", "plan[thu,3]": "rest"})
    _tell(api, week, "tue", {"plan[tue,2]": "swimming", "plan[tue,3]": "walking", "plan[tue,4]": "rest"})
    api.post(f"/elicitations/{week}/rules", json={"kind": "never", "variables": "plan[*,*]", "values": ["pushups"]})
    _tell(api, week, "thu", None)
    _tell(api, week, "tue", None)
    for _ in range(40):
        query = api.get(f"/elicitations/{done}/query")
        if query.status_code == 204:
            break
        free = [name for name, values in query.json()["possible"].items() if values and len(values) > 1]
        wanted = dict(zip(free, ("swimming", "walking", "rest", "rest", "rest"), strict=False))
        wanted = {} if len(query.json()["parts"]) > 1 else wanted
        _answer(api, done, query.json(), wanted or None)
    _tell(api, hotel, "r22", {"tables[r22]": 1, "sofas[r22]": 1, "single_beds[r22]": 0, "double_beds[r22]": 1})
    _tell(api, flat, "bedroom", {"place[double bed]": "b1-b2", "place[wardrobe]": "a3", "place[armchair]": "c1"})
    trip = _begun(api, "trip", _uploaded(api))
    _tell(api, trip, "fri", {"plan[fri,morning]": "rest", "plan[fri,evening]": "concert"})
    _tell(api, trip, "sat", {"plan[sat,morning]": "hike", "plan[sat,evening]": "beach"})
    slots = [f"v{5 * 5 + at}" for at in range(5)]
    return {
        "home": "/",
        "question": f"/e/{week}?part=sat",
        "draft": f"/e/{week}?part=sat&{slots[1]}=weights&rank={slots[2]}",
        "conflict": f"/e/{week}?part=sat&{slots[0]}=running&{slots[1]}=running&{slots[2]}=running",
        "plan": f"/e/{hotel}?part=r15",
        "cards": f"/e/{pc}?part=speed",
        "floor": f"/e/{flat}?part=living%20room",
        "trip": f"/e/{trip}?part=sun",
        "end": f"/e/{done}",
        "result": f"/e/{done}/result",
        "simulate": "/simulate/training?step=9",
    }


def _boards(api: httpx.Client) -> dict[str, str]:
    """Problems from life in the middle, and where they are."""
    found = {}
    for problem, (part, said) in BOARDS.items():
        id = _begun(api, problem)
        for other, values in said.items():
            _tell(api, id, other, values)
        found[problem] = f"/e/{id}?part={part}"
    return found


def _begun(api: httpx.Client, problem: str, uploaded: str | None = None) -> str:
    body = {"problem": problem, **({"uploaded": uploaded} if uploaded else {})}
    return str(api.post("/elicitations", json=body).raise_for_status().json()["id"])


def _uploaded(api: httpx.Client) -> str:
    """The file of the tutorial, with the line that lays it out."""
    text = TRIP.read_text(encoding="utf-8") + LAID_OUT
    return str(api.post("/problems", json={"name": "trip", "text": text}).raise_for_status().json()["uploaded"])


def _tell(api: httpx.Client, id: str, part: str, values: dict[str, Any] | None) -> None:
    _answer(api, id, api.get(f"/elicitations/{id}/query", params={"part": part}).json(), values)


def _answer(api: httpx.Client, id: str, query: dict[str, Any], values: dict[str, Any] | None) -> None:
    kind = "accepted" if values is None else "improved"
    said = {"query": query["number"], "kind": kind, "values": values or {}, "final": values is not None}
    answered = api.post(f"/elicitations/{id}/answers", json=said)
    if answered.is_error:
        raise ValueError(f"{query['part']} cannot be {values}: {answered.text}")


def _pictures(
    browser: Browser, address: str, size: str, options: dict[str, Any], pages: dict[str, str], folder: Path
) -> None:
    page = _window(browser, address, options)
    for name, path in pages.items():
        page.goto(address + path)
        page.screenshot(path=FOLDER / f"{name}-{size}.png")
    file = folder / "picnic.yaml"
    file.write_text(BROKEN, encoding="utf-8")
    page.goto(address)
    page.locator("#file").set_input_files(file)
    page.locator("#upload").click()
    page.locator("#findings").screenshot(path=FOLDER / f"upload-{size}.png")
    page.context.close()


def _board_pictures(browser: Browser, address: str, boards: dict[str, str]) -> None:
    page = _window(browser, address, SIZES["light"])
    for problem, path in boards.items():
        page.goto(address + path)
        page.locator("section[aria-labelledby=whole]").screenshot(path=PROBLEMS / problem / "board.png")
    page.context.close()


def _window(browser: Browser, address: str, options: dict[str, Any]) -> Page:
    signed_in = httpx.post(f"{address}/login", data={"password": TOKEN}).cookies
    context = browser.new_context(reduced_motion="reduce", **options)
    context.add_cookies([{"name": name, "value": value, "url": address} for name, value in signed_in.items()])
    page = context.new_page()
    page.set_default_timeout(60_000)
    return page


if __name__ == "__main__":
    main()
