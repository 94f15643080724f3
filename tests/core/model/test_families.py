"""Which features say the same of different parts."""

from collections import defaultdict

from pcl_core import Problem, ProblemBuilder, load
from pcl_core.model.names import feature_families


def families(problem: Problem) -> dict[str, set[str]]:
    """The families with several features, by one of them."""
    found: dict[int, set[str]] = defaultdict(set)
    for feature, family in zip(problem.features, feature_families(problem), strict=True):
        found[family].add(feature.name)
    return {min(names): names for names in found.values() if len(names) > 1}


def test_days_are_alike_muscle_by_muscle() -> None:
    days = [part.name for part in load("training").parts]
    found = families(load("training"))
    assert found["fatigue[fri,arms]"] == {f"fatigue[{day},arms]" for day in days}
    assert found["morning[fri]"] == {f"morning[{day}]" for day in days[1:]}
    assert len(found) == 12


def test_rooms_are_alike_and_what_is_said_of_the_whole_hotel_is_like_nothing() -> None:
    hotel = load("hotel")
    found = families(hotel)
    assert found["dorm[r10]"] == {f"dorm[{part.name}]" for part in hotel.parts}
    assert not any(name.startswith(("dorms", "cost", "guests")) for names in found.values() for name in names)


def test_edges_of_a_grid_do_not_name_its_blocks_though_some_indices_are_equal() -> None:
    assert families(load("grid")) == {}


def test_parts_with_two_indices_are_named_by_both() -> None:
    build = ProblemBuilder("houses")
    for house in ("a", "b"):
        for floor in ("1", "2"):
            light = build.boolean(f"light[{house},{floor}]")
            build.feature(f"bright[{floor},{house}]", light)
            build.feature(f"lit[{house},{floor},night]", light)
            build.part(f"flat[{house},{floor}]", [light])
    found = families(build.problem())
    assert found == {
        "lit[a,1,night]": {f"lit[{house},{floor},night]" for house in "ab" for floor in "12"},
    }
