"""Parts and features: I_p, J_k, private features, coarser parts, the GAI network."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pcl_core import Code, Problem, ProblemBuilder, ProblemError, combine, complement, gai_network, load, restrict
from pcl_core.testing import ProblemGenerator, random_configuration

generators = st.randoms(use_true_random=False)


def drawn_order(problem: Problem, random: Random) -> list[int]:
    order = list(range(len(problem.parts)))
    random.shuffle(order)
    return order


@settings(max_examples=100, deadline=None)
@given(generators)
def test_owned_features_partition_the_features_in_every_order(random: Random) -> None:
    problem = ProblemGenerator(random).problem()
    subsets = problem.structure.feature_subsets
    owned = problem.structure.decomposition(drawn_order(problem, random))
    assert sorted(feature for part in owned for feature in part) == list(range(len(problem.features)))
    assert all(set(mine) <= set(all_of_it) for mine, all_of_it in zip(owned, subsets, strict=True))


@settings(max_examples=60, deadline=None)
@given(generators)
def test_owned_features_are_those_no_later_part_depends_on(random: Random) -> None:
    problem = ProblemGenerator(random).problem()
    subsets = problem.structure.feature_subsets
    order = drawn_order(problem, random)
    owned = problem.structure.decomposition(order)
    for rank, part in enumerate(order):
        later = {feature for after in order[rank + 1 :] for feature in subsets[after]}
        assert set(owned[part]) == set(subsets[part]) - later


@settings(max_examples=60, deadline=None)
@given(generators)
def test_the_number_of_ignored_features_does_not_depend_on_the_order(random: Random) -> None:
    problem = ProblemGenerator(random).problem()
    subsets = problem.structure.feature_subsets
    owned = problem.structure.decomposition(drawn_order(problem, random))
    ignored = sum(len(subset) - len(mine) for subset, mine in zip(subsets, owned, strict=True))
    assert ignored == sum(map(len, subsets)) - len(problem.features)


@settings(max_examples=60, deadline=None)
@given(generators)
def test_combine_and_complement_are_inverse(random: Random) -> None:
    problem = ProblemGenerator(random).problem()
    x = random_configuration(problem, random)
    names = [part.name for part in problem.parts]
    chosen = random.sample(names, random.randint(0, len(names)))
    rest = complement(problem, chosen)
    assert combine(restrict(problem, x, chosen), restrict(problem, x, rest)) == x
    assert set(complement(problem, rest)) == set(chosen)


@settings(max_examples=60, deadline=None)
@given(generators)
def test_degrees_are_those_of_the_network(random: Random) -> None:
    problem = ProblemGenerator(random).problem()
    network = gai_network(problem)
    assert problem.structure.degrees == tuple(network.degree[part.name] for part in problem.parts)


def test_disagreeing_partial_configurations_do_not_combine() -> None:
    with pytest.raises(Exception, match="disagree on 'x'"):
        combine({"x": 1}, {"x": 2})


def test_an_order_lists_every_part_once() -> None:
    with pytest.raises(ValueError, match="every part exactly once"):
        load("grid").structure.decomposition([0, 1, 1, 3])


def test_edges_name_the_shared_features() -> None:
    network = gai_network(load("training"))
    assert network.edges["mon", "tue"]["features"] == ["morning[tue]", "afternoon[tue]"]
    assert sorted(dict(network.degree).values()) == [1, 1, 2, 2, 2, 2, 2]


def test_coarser_parts_are_the_same_problem() -> None:
    week = load("training")
    coarse = week.coarsen({"weekend": ["sat", "sun"], "start": ["mon", "tue"]})
    assert [part.name for part in coarse.parts] == ["start", "wed", "thu", "fri", "weekend"]
    assert coarse.features == week.features
    assert set(coarse.parts[4].variables) == set(week.parts[5].variables + week.parts[6].variables)
    weekend = coarse.structure.feature_subsets[4]
    assert set(weekend) == set(week.structure.feature_subsets[5]) | set(week.structure.feature_subsets[6])
    assert week.coarsen({}) == week


@pytest.mark.parametrize(
    "groups", [{"w": ["sat", "sat"]}, {"w": ["sat"], "v": ["sat"]}, {"w": ["son"]}, {"mon": ["sat", "sun"]}]
)
def test_groups_must_fit(groups: dict[str, list[str]]) -> None:
    with pytest.raises(ProblemError) as caught:
        load("training").coarsen(groups)
    assert caught.value.code is Code.BAD_GROUPS


def two_parts(*, allow: bool) -> ProblemBuilder:
    build = ProblemBuilder("pair", allow_shared_only=allow)
    x = build.boolean("x", ["a", "b"])
    build.feature("same", x["a"].iff(x["b"]))
    build.part("a", [x["a"]])
    build.part("b", [x["b"]])
    return build


def test_a_part_needs_a_feature_of_its_own_unless_the_problem_says_otherwise() -> None:
    with pytest.raises(ProblemError) as caught:
        two_parts(allow=False).problem()
    (issue,) = caught.value.issues
    assert issue.code is Code.NO_PRIVATE_FEATURE
    assert issue.message.endswith("the same for 1 more")
    assert two_parts(allow=True).problem().structure.feature_subsets == ((0,), (0,))


def test_reach_follows_from_the_parts_unless_the_file_says_otherwise() -> None:
    hotel = load("hotel")
    reaches = [hotel.feature_reach(index) for index in range(len(hotel.features))]
    assert reaches == ["global"] * 20 + ["local"] * 120
    said = hotel.replace(features=(hotel.features[0].model_copy(update={"reach": "local"}), *hotel.features[1:]))
    assert said.feature_reach(0) == "local"


def test_a_problem_never_changes() -> None:
    week = load("training")
    with pytest.raises(Exception, match="frozen"):
        week.name = "other"  # type: ignore[misc]
    renamed = week.replace(name="other")
    assert (week.name, renamed.name) == ("training", "other")
    assert week.content_hash != renamed.content_hash
