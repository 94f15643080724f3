"""The shop in examples/shop: two visits of one customer over HTTP, its storage, its solver, its types."""

import re
import threading
import time
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import httpx
import pytest
import uvicorn
from examples.shop.pages import pages
from examples.shop.problem import TYPES, computer
from examples.shop.service import STARTS, Shop, Solver
from examples.shop.storage import Storage, VisitEvents

import pcl_core as pcl
from pcl_core.elicitation import EventStore
from pcl_core.testing.stores import StoreConformance, Trait
from pcl_core.typed import misfit_of_module

SHOP = TYPES.parent


class TestVisitEvents(StoreConformance):
    lacks = frozenset({Trait.TEARS})
    kills = 5

    def create(self, folder: Path) -> EventStore:
        return VisitEvents(folder / "shop.db", 7)

    reopen = create


@pytest.fixture
def storage(tmp_path: Path) -> Iterator[Storage]:
    made = Storage(tmp_path / "shop.db")
    yield made
    made.close()


@pytest.fixture
def address(storage: Storage) -> Iterator[str]:
    """The shop, open on a free port."""
    shop = Shop(storage, Solver.configured(SHOP / "shop.toml"))
    server = uvicorn.Server(uvicorn.Config(pages(shop), host="127.0.0.1", port=0, log_level="warning", ws="none"))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def proposed(page: str) -> dict[str, str]:
    """What a page's form shows as chosen."""
    fields = re.findall(r'<select name="(\w+)">(.*?)</select>', page)
    return {name: unescape(re.findall(r"<option selected>(.*?)</option>", options)[0]) for name, options in fields}


def as_it_stands(page: str) -> dict[str, str]:
    return {name: unescape(value) for name, value in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", page)}


def hidden(page: str, name: str) -> str:
    """Which question, or which visit, a page was about."""
    return str(re.findall(rf'name="{name}" value="(\d+)"', page)[0])


def question(page: str) -> str | None:
    found = re.search(r"<h2>(.*?)</h2>", page)
    return None if found is None else unescape(found[1])


def answered(customer: httpx.Client, wishes: dict[str, str]) -> tuple[int, str]:
    """Answers all questions by her wishes; returns how many values she had to change, and the last page."""
    page, changed = customer.get("/computer").text, 0
    for _ in range(20):
        if question(page) is None:
            return changed, page
        form = proposed(page)
        wanted = {name: wishes.get(name, value) for name, value in form.items()}
        changed += sum(form[name] != wanted[name] for name in form)
        assert all(" " in words for words in re.findall(r"<p>(.*?)</p>", page))
        page = customer.post("/answer", data={**wanted, "say": "right", "query": hidden(page, "query")}).text
        assert "not possible" not in page, page
    raise AssertionError("it never ends")


def test_a_customer_comes_twice_and_her_taste_is_known_the_second_time(address: str, storage: Storage) -> None:
    wishes = {"processor": "solid", "card": "short card", "disk": "4 TB", "case": "cube", "colour": "oak"}
    with httpx.Client(base_url=address, follow_redirects=True) as anna:
        assert "Come in" in anna.get("/computer").text
        first = anna.post("/enter", data={"customer": "Anna <&> Zoë 安", "start": "for the office"}).text
        assert "A computer for Anna &lt;&amp;&gt; Zoë 安" in first
        assert as_it_stands(first)["case"] == "cube"
        changed, page = answered(anna, wishes)
        assert changed >= 3
        assert "no single part of it can be made better" in page
        ordering = {"visit": hidden(page, "visit")}
        thanks = anna.post("/order", data=ordering).text
        assert "a small box" in thanks
        wanted = as_it_stands(thanks)
        assert {wanted[name] for name in ("colour", "disk", "case")} == {"oak", "4 TB", "cube"}
        assert [(who, ordered["colour"]) for who, ordered in storage.orders()] == [("Anna <&> Zoë 安", "oak")]

    with httpx.Client(base_url=address, follow_redirects=True) as anna:
        again = anna.post("/enter", data={"customer": "Anna <&> Zoë 安", "start": "for games"}).text
        assert as_it_stands(again) == wanted
        changed, page = answered(anna, wishes)
        assert changed == 0
        assert as_it_stands(page) == wanted
        anna.post("/order", data={"visit": hidden(page, "visit")})
        anna.post("/order", data={"visit": hidden(page, "visit")})
    first_order, second_order = storage.orders()
    assert first_order == second_order


def test_what_does_not_fit_or_comes_too_late_changes_nothing(address: str) -> None:
    with httpx.Client(base_url=address, follow_redirects=True) as bela:
        page = bela.post("/enter", data={"customer": "Bela"}).text
        right = {**proposed(page), "query": hidden(page, "query")}
        for wrong in ({**right, "say": "right", "colour": "pink"}, {**right, "processor": "fsat", "say": "better"}):
            assert "That is not possible" in bela.post("/answer", data=wrong).text
        assert bela.get("/computer").text == page
        after = bela.post("/answer", data={**right, "say": "skip"}).text
        assert question(after) != question(page)
        assert bela.post("/answer", data={**right, "say": "right"}).text == after
        assert bela.post("/order", data={"visit": "99"}).text == after


def test_visits_go_on_where_they_were_left_and_customers_are_apart(storage: Storage) -> None:
    shop = Shop(storage, Solver())
    with shop.visit("Anna", "for games") as anna:
        query = anna.elicitation.ask("outside")
        assert query is not None
        anna.answer(query.number, "better", {"colour": "white"})
        before = anna.computer
        assert (before.colour, before.card) == ("white", "long card")
    with shop.visit("Bela", "for the office") as bela:
        assert bela.computer.card == "no card"
    with Shop(storage, Solver(backend="table")).visit("Anna") as anna:
        assert anna.computer == before


@pytest.mark.parametrize("start", STARTS)
def test_every_start_can_be_completed_and_every_case_has_a_box(storage: Storage, start: str) -> None:
    with Shop(storage, Solver()).visit("Anna", start) as visit:
        assert STARTS[start].items() <= visit.computer.ground().items()
        assert pcl.assess(visit.elicitation.problem, visit.computer.ground()).feasible
        assert "box" in visit.box


def test_the_solver_is_a_matter_of_settings(tmp_path: Path) -> None:
    assert Solver.configured(SHOP / "shop.toml") == Solver(backend="cpsat", seconds=5)
    (tmp_path / "shop.toml").write_text('[solver]\nbackend = "table"\n')
    solver = Solver.configured(tmp_path / "shop.toml")
    assert (solver.backend, solver.seconds) == ("table", None)


def test_the_shops_types_are_those_of_its_problem() -> None:
    assert misfit_of_module(computer(), TYPES.read_text(encoding="utf-8")) is None, "python -m examples.shop.problem"


def test_a_shop_whose_problem_changed_does_not_open_with_old_types(
    storage: Storage, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = computer().replace(name="another")
    monkeypatch.setattr("examples.shop.service.computer", lambda: changed)
    with pytest.raises(pcl.RequestError, match="types-outdated"):
        Shop(storage, Solver())


def test_the_shop_uses_nothing_but_what_is_public() -> None:
    """Names of `pcl_core` itself, of what rooms export, and no attribute that begins with an underscore."""
    rooms = {"pcl_core", "pcl_core.elicitation", "pcl_core.typed"}
    for path in SHOP.glob("*.py"):
        text = path.read_text(encoding="utf-8")
        assert set(re.findall(r"^(?:from|import) (pcl[\w.]*)", text, re.MULTILINE)) <= rooms
        assert not re.search(r"(?<!self)(?<!self\._database)\._[a-z]", text), path.name
