"""Sheets convert to and from the ground form, take only what the problem has, and refuse another problem."""

import json
from functools import cache
from random import Random
from types import ModuleType
from typing import Any, get_args, get_origin

import jsonschema
import numpy as np
import pytest
from tests.core.typed.made import CATALOGUE, module_of, strange

import pcl_core as pcl
from pcl_core.testing import random_configuration
from pcl_core.typed import Entries, NoValueError, PartSheet, configuration_schema
from pcl_core.users import sample_weights

TRAINING = pcl.load("training")
MADE = module_of(TRAINING)


@cache
def feasible(name: str, seed: int) -> pcl.Configuration:
    """The best configuration for somebody who cares about a few features."""
    problem, generator = pcl.load(name), np.random.default_rng(seed)
    weights = np.zeros(len(problem.features))
    weights[generator.integers(len(weights), size=4)] = generator.normal(size=4)
    found = pcl.Oracle.of(problem, "cpsat").solve(weights).configuration
    assert found is not None
    return found


def copied(sheet: Any, empty: Any) -> Any:
    """What is in a sheet written into another through the attributes alone."""
    for name, found in vars(type(sheet)).items():
        if hasattr(type(found), "__get__") and not name.startswith("_"):
            try:
                value = getattr(sheet, name)
            except NoValueError:
                continue
            if isinstance(value, Entries):
                getattr(empty, name).update(value)
            else:
                setattr(empty, name, value)
    return empty


def kind_of(module: ModuleType, part: str) -> Any:
    """The class for a part, by the alias of the names that it takes."""
    bases = {
        made: getattr(made, "__orig_bases__", (None,))[0] for made in vars(module).values() if isinstance(made, type)
    }
    found = [
        made for made, base in bases.items() if get_origin(base) is PartSheet and part in get_args(get_args(base)[1])
    ]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize("name", CATALOGUE)
def test_feasible_configurations_come_back_from_sheets_as_they_were(name: str) -> None:
    problem = pcl.load(name)
    module = module_of(problem)
    for seed in range(2):
        x = feasible(name, seed)
        whole = module.Configuration.read(problem, x)
        assert whole.ground() == x
        assert copied(whole, module.Configuration(problem)) == whole
        pieces = []
        for part in problem.parts:
            kind = kind_of(module, part.name)
            sheet = kind(problem, part.name, whole)
            assert sheet.ground() == pcl.restrict(problem, x, [part.name])
            assert copied(sheet, kind(problem, part.name)) == sheet
            pieces.append(sheet.ground())
        assert pcl.combine(*pieces) == x


def test_values_of_strange_names_come_back_as_well() -> None:
    problem = strange()
    module = module_of(problem)
    for seed in range(3):
        x = random_configuration(problem, Random(seed))
        whole = module.Configuration.read(problem, x)
        assert copied(whole, module.Configuration(problem)).ground() == x
        for part in problem.parts:
            sheet = kind_of(module, part.name)(problem, part.name, whole)
            assert sheet.ground() == pcl.restrict(problem, x, [part.name])


@pytest.mark.parametrize("name", CATALOGUE)
def test_weights_come_back_in_the_order_of_the_features(name: str) -> None:
    problem = pcl.load(name)
    module = module_of(problem)
    weights = sample_weights(problem, "normal", np.random.default_rng(1)).tolist()
    by_name = {feature.name: weight for feature, weight in zip(problem.features, weights, strict=True)}
    sheet = module.Weights.read(problem, by_name)
    assert sheet.ground() == weights
    assert copied(sheet, module.Weights(problem)) == sheet


def test_a_weight_that_is_not_given_is_zero() -> None:
    weights = MADE.Weights(TRAINING, {"power[mon,arms]": 2})
    assert weights.power["mon", "arms"] == 2.0
    assert weights.power["tue", "legs"] == 0.0
    assert sum(weights.ground()) == 2.0


def test_on_a_class_an_attribute_is_a_name() -> None:
    assert MADE.Configuration.plan["tue", 2] == "plan[tue,2]"
    assert MADE.Configuration.plan.pattern == "plan[*,*]"
    assert module_of(pcl.load("pc")).Configuration.case == "case"


def test_a_sheet_is_a_mapping_of_what_it_holds() -> None:
    week = MADE.Configuration(TRAINING, {"plan[tue,2]": "rest"})
    week.plan["mon", 1] = "running"
    assert dict(week.plan) == {("tue", 2): "rest", ("mon", 1): "running"}
    assert week.plan.get(("sun", 5)) is None
    del week.plan["tue", 2]
    assert week.ground() == {"plan[mon,1]": "running"}
    assert repr(week) == "Configuration({'plan[mon,1]': 'running'})"
    tuesday = MADE.Part(TRAINING, "tue", {"plan[tue,3]": "abs"})
    assert dict(tuesday.plan) == {3: "abs"}
    assert (tuesday.part, len(tuesday.plan)) == ("tue", 1)


@pytest.mark.parametrize(
    ("do", "code", "said"),
    [
        (
            lambda: MADE.Configuration(TRAINING, {"plan[tue,9]": "rest"}),
            "unknown-name",
            "there is no 'plan[tue,9]' here",
        ),
        (lambda: MADE.Configuration(TRAINING, {"plan[tue,2]": "runing"}), "bad-configuration", "cannot be 'runing'"),
        (lambda: MADE.Configuration.read(TRAINING, []), "bad-value", "[] is not values by name"),
        (lambda: MADE.Configuration(TRAINING).plan["thu", 9], "unknown-name", "there is no 'plan[thu,9]' here"),
        (lambda: MADE.Configuration(TRAINING).plan["thu", 2, 1], "unknown-name", "there is no 'plan[thu,2,1]' here"),
        (lambda: MADE.Configuration(TRAINING).plan["thu"], "unknown-name", "there is no 'plan[thu,*]' here"),
        (lambda: MADE.Configuration(TRAINING).plan["thu", 2], "bad-configuration", "'plan[thu,2]' has no value here"),
        (lambda: MADE.Part(TRAINING, "tu"), "unknown-name", "problem 'training' has no part 'tu'"),
        (lambda: MADE.Part(TRAINING, "tue", {"plan[mon,1]": "rest"}), "unknown-name", "there is no 'plan[mon,1]' here"),
        (lambda: MADE.Weights(TRAINING, {"powr[mon,arms]": 1}), "unknown-name", "there is no 'powr[mon,arms]' here"),
        (lambda: MADE.Weights(TRAINING, {"power[mon,arms]": "much"}), "bad-value", "is a finite number, not 'much'"),
        (lambda: MADE.Weights(TRAINING).power["mo", "arms"], "unknown-name", "there is no 'power[mo,arms]' here"),
    ],
)
def test_what_the_problem_does_not_have_is_refused_in_a_sentence(do: Any, code: str, said: str) -> None:
    with pytest.raises(pcl.PclError) as refused:
        do()
    assert refused.value.code == code
    assert said in str(refused.value)


@pytest.mark.parametrize(
    "use",
    [
        lambda problem: MADE.Configuration(problem),
        lambda problem: MADE.Part(problem, "tue"),
        lambda problem: MADE.Weights(problem),
        lambda problem: MADE.Elicitation(pcl.Elicitation(problem, backend="table")),
    ],
    ids=["configuration", "part", "weights", "elicitation"],
)
def test_types_that_no_longer_fit_their_problem_are_refused_when_used(use: Any) -> None:
    changed = pcl.load("training:max_fatigue=11")
    with pytest.raises(pcl.RequestError) as refused:
        use(changed)
    assert refused.value.code == "types-outdated"
    assert "these types were made from problem 'training' as it was" in str(refused.value)
    assert "pcl types PROBLEM --out FILE" in str(refused.value)
    use(TRAINING)


def test_a_typed_elicitation_says_what_a_plain_one_does() -> None:
    plain = pcl.Elicitation(TRAINING, backend="cpsat", clock=lambda: 0.0)
    week = MADE.Elicitation(plain)
    plan = MADE.Configuration.plan
    assert plain.waiting is None
    query = week.ask("tue")
    assert (query.part, query.parts, query.number) == ("tue", ("tue",), 1)
    assert query.proposal.ground() == dict(query.plain.proposal)
    assert query.configuration.ground() == plain.configuration == week.configuration.ground()
    assert query.possible(plan["tue", 2]) == tuple(query.plain.possible["plan[tue,2]"])
    assert week.pin(plan["tue", 2], "rest").proposal.plan["tue", 2] == "rest"
    assert week.pin({"plan[tue,1]": "rest"}).proposal.plan["tue", 1] == "rest"
    assert plain.pins == {"plan[tue,2]": "rest", "plan[tue,1]": "rest"}
    week.unpin(plan["tue", 1])
    assert week.complete({"plan[tue,3]": "rest"}).plan["tue", 3] == "rest"
    assert week.preview({"plan[tue,3]": "rest"}).given == {"plan[tue,3]": "rest"}
    draft = MADE.Part(TRAINING, "tue", week.waiting.proposal)
    draft.plan[3] = "rest"
    assert week.waiting.improve(draft, final=True) == week.waiting.plain.improve(draft.ground(), final=True)
    week.tell(week.waiting.improve({"plan[tue,3]": "rest"}, final=True))
    assert week.configuration.plan["tue", 3] == "rest"
    week.confirm(["mon", "tue"])
    assert {"mon", "tue"} <= set(plain.confirmed)


def test_rules_are_said_of_typed_names() -> None:
    plain = pcl.Elicitation(TRAINING, backend="cpsat")
    week = MADE.Elicitation(plain)
    week.never(MADE.Configuration.plan, "running")
    week.at_most(MADE.Configuration.plan, ["squats", "abs"], 3, each="part")
    week.always(MADE.Configuration.plan["sun", 5], ["rest", "walking"])
    week.at_least(MADE.Configuration.plan, "rest", 2)
    said = [(rule.kind, rule.variables, list(rule.values), rule.count) for rule in plain.rules]
    assert said == [
        ("never", "plan[*,*]", ["running"], None),
        ("at_most", "plan[*,*]", ["squats", "abs"], 3),
        ("always", "plan[sun,5]", ["rest", "walking"], None),
        ("at_least", "plan[*,*]", ["rest"], 2),
    ]
    assert week.rules == plain.rules
    assert week.remove_rule(0).kind == "never"
    assert len(week.rules) == 3


def test_a_typed_elicitation_goes_to_its_certificate_by_ground_names() -> None:
    """What programs use of an elicitation is there under the same names, and does the same."""
    week = MADE.Elicitation(pcl.Elicitation(TRAINING, backend="cpsat"))
    query = week.ask("tue")
    with pytest.raises(pcl.RequestError, match=r"plan\[tue,9\]"):
        week.pin("plan[tue,9]", "rest")
    assert week.pin("plan[tue,2]", "rest").proposal.plan["tue", 2] == "rest"
    week.tell(week.ask().improve({"plan[tue,3]": "walking"}, final=True))
    week.undo()
    assert week.waiting.number == query.number
    week.tell(week.waiting.accept())
    assert (week.finished, week.certificate) == (False, None)
    week.confirm()
    assert week.finished
    assert week.ask() is None
    assert week.certificate == week.plain.certificate is not None
    assert week.taste() == week.plain.taste()
    assert week.queries == week.plain.queries == 2
    week.stop()
    assert week.plain.finished


@pytest.mark.parametrize("name", CATALOGUE)
def test_the_schema_of_configurations_takes_feasible_ones(name: str) -> None:
    problem = pcl.load(name)
    schema = configuration_schema(problem)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(feasible(name, 1), schema)


def test_the_schema_of_configurations_refuses_wrong_ones() -> None:
    problem = strange()
    found = jsonschema.Draft202012Validator(configuration_schema(problem))
    right = random_configuration(problem, Random(0))
    assert found.is_valid(right)
    for name, value in [
        ("class", 1),
        ("class", "true"),
        ("wide", 10_001),
        ("wide", 0.5),
        ("plan[1,a]", "x"),
        ("few[r1]", -4),
    ]:
        assert not found.is_valid({**right, name: value}), (name, value)
    assert not found.is_valid({**right, "more": True})
    assert not found.is_valid({name: value for name, value in right.items() if name != "alone"})
    hotel = configuration_schema(pcl.load("hotel"))
    assert len(json.dumps(hotel)) < 10_000
