"""Completing a part around values without answering, and what pins leave as it was."""

from pathlib import Path

import pytest

from pcl_core import Elicitation, InfeasibleError, Options, Oracle, PclError, ProblemBuilder, Settings, load
from pcl_core.errors import Code, UndecidedError
from pcl_core.solve.protocol import Status, StopReason

HOTEL = Oracle.of(load("hotel"))


def hotel() -> Elicitation:
    return Elicitation(HOTEL.problem, oracle=HOTEL, settings=Settings(select="round-robin"))


def test_completing_changes_nothing() -> None:
    room = hotel()
    query = room.ask()
    assert query is not None
    before = (room.configuration, room.pins, room.queries, len(room._journal.events))
    completed = room.complete({"double_beds[r7]": 6})
    assert completed == {
        "single_beds[r7]": 0,
        "double_beds[r7]": 6,
        "bunk_beds[r7]": 0,
        "tables[r7]": 0,
        "sofas[r7]": 0,
    }
    assert (room.configuration, room.pins, room.queries, len(room._journal.events)) == before
    assert room.tell(query.improve(completed)) is not None


def test_completing_goes_around_pins_too() -> None:
    room = hotel()
    room.ask()
    room.pin("sofas[r7]", 2)
    assert room.complete({"double_beds[r7]": 4})["sofas[r7]"] == 2
    with pytest.raises(PclError, match="pinned to 2"):
        room.complete({"sofas[r7]": 1})
    with pytest.raises(InfeasibleError, match=r"around these values: capacity\[r7\]"):
        room.complete({"double_beds[r7]": 5})


def test_completing_needs_a_query_and_its_own_variables() -> None:
    room = hotel()
    with pytest.raises(PclError) as raised:
        room.complete({})
    assert raised.value.code is Code.STALE_ANSWER
    room.ask()
    with pytest.raises(PclError) as raised:
        room.complete({"sofas[r8]": 1})
    assert raised.value.code is Code.OUTSIDE_PART


@pytest.mark.parametrize("backend", ["table", "cpsat", "pulp"])
def test_what_need_not_change_stays(backend: str) -> None:
    """With nothing learned every completion is as good as any other: then the closest is wanted."""
    builder = ProblemBuilder("row")
    cells = [builder.integer(f"cell{i}", 0, 3) for i in range(5)]
    for i, cell in enumerate(cells):
        builder.feature(f"f{i}", cell)
        builder.initial(cell, i % 3)
    builder.constraint("apart", cells[0].differs(cells[1]))
    builder.part("all", cells)
    row = Elicitation(builder.problem(), backend=backend)
    row.ask()
    assert row.complete({"cell3": 2}) == {"cell0": 0, "cell1": 1, "cell2": 2, "cell3": 2, "cell4": 1}
    assert row.complete({"cell0": 1})["cell1"] != 1
    query = row.pin("cell0", 1)
    assert {name for name, value in query.proposal.items() if value != int(name[4]) % 3} == {"cell0", "cell1"}


def test_a_limit_is_not_taken_for_a_conflict(monkeypatch: pytest.MonkeyPatch) -> None:
    oracle = Oracle.of(load("grid"), "cpsat", Options(time_limit=5.0))
    grid = Elicitation(oracle.problem, oracle=oracle, recipe="keep")
    query = grid.ask()
    assert query is not None
    name = next(iter(query.proposal))
    solve = oracle.solve

    def undecided(*arguments: object, **options: object) -> object:
        found = solve(*arguments, **options)  # type: ignore[arg-type]
        return found.__class__(Status.UNKNOWN, StopReason.TIME_LIMIT, None, None, None, None, 0, "cpsat", 0.0)

    monkeypatch.setattr(oracle, "solve", undecided)
    with pytest.raises(UndecidedError, match="not found out in time"):
        grid.pin(name, not query.proposal[name])
    assert grid.pins == {}
    assert grid.pin(name, query.proposal[name]).proven is False


def test_after_a_stop_nothing_is_asked_until_it_is_taken_back() -> None:
    room = hotel()
    query = room.ask()
    room.stop()
    assert room.finished
    assert room.ask() is None
    room.undo()
    again = room.ask()
    assert again is not None
    assert query is not None
    assert again.number == query.number


@pytest.mark.parametrize("device", ["/dev/full", "/dev/null", "/dev/zero"])
def test_a_device_is_neither_replaced_nor_read(device: str, tmp_path: Path) -> None:
    link = tmp_path / "log.jsonl"
    link.symlink_to(device)
    for path in (link, Path(device)):
        with pytest.raises(PclError, match="a log is a regular file"):
            Elicitation(HOTEL.problem, oracle=HOTEL, log=path)
        with pytest.raises(PclError, match="a log is a regular file"):
            Elicitation.resume(path, HOTEL.problem, oracle=HOTEL)
    assert Path(device).is_char_device()
    assert link.is_symlink()


def test_all_reasons_are_there_and_the_largest_come_first() -> None:
    problem = load("grid")
    query = Elicitation(problem, weights=[float(i) for i in range(len(problem.features))]).ask()
    assert query is not None
    every = query.reasons()
    assert len(every) > 3
    assert query.why == every[:3]
    assert [abs(reason.term) for reason in every] == sorted((abs(reason.term) for reason in every), reverse=True)
