"""Recipes: one word for settings that belong together."""

from pathlib import Path

import numpy as np
import pytest
from tests.core.elicitation.sessions import TRIP

from pcl_core import Code, Elicitation, Oracle, RequestError, Settings, Trace, load, optimum, person
from pcl_core.elicitation import RECIPES, Simulation, read_events
from pcl_core.elicitation.events import Started
from pcl_core.users import Informative, sample_weights

PAPER = Settings(
    order="degree", select="random", learner="perceptron", mode="paper", stop="two-pass", seed=5
)  # spelled out: the recipe must not drift


def test_recipes_expand_as_they_are_described() -> None:
    assert set(RECIPES) == {"people", "keep", "paper", "form"}
    assert all(RECIPES[name].keys() == Settings.model_fields.keys() - {"seed"} for name in RECIPES)
    assert Settings.of("keep") == Settings()
    assert Settings.of("paper", seed=5) == PAPER
    people, form = Settings.of("people"), Settings.of("form")
    assert (people.mode, people.learner, people.order, people.stop) == ("people", "belief", "declared", "certificate")
    assert (form.mode, form.learner, form.order, form.stop) == ("people", "nothing", "declared", "certificate")


def test_what_is_said_beside_a_recipe_overrides_it() -> None:
    assert Settings.of("people", seed=3, learner="belief:rho=0") == Settings.of("people").model_copy(
        update={"seed": 3, "learner": "belief:rho=0"}
    )


def test_a_recipe_that_there_is_not_is_refused_with_a_hint() -> None:
    with pytest.raises(RequestError, match=r"there is no recipe 'peple'.*did you mean 'people'") as caught:
        Settings.of("peple")
    assert caught.value.code is Code.UNKNOWN_OPTION
    with pytest.raises(RequestError, match="no option 'sede'"):
        Settings.of("people", sede=3)


def test_people_are_elicited_by_the_recipe_for_people_unless_somebody_says_otherwise() -> None:
    assert Elicitation(TRIP, backend="table").settings == Settings.of("people")
    assert Elicitation(TRIP, backend="table", recipe="form").settings == Settings.of("form")
    assert Elicitation(TRIP, backend="table", settings=Settings()).settings == Settings.of("keep")


def test_settings_and_a_recipe_together_are_a_mistake() -> None:
    with pytest.raises(RequestError, match="settings and a recipe are two ways") as caught:
        Elicitation(TRIP, backend="table", settings=Settings(), recipe="keep")
    assert caught.value.code is Code.BAD_VALUE


def test_a_log_holds_the_settings_and_not_the_word(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    Elicitation(TRIP, backend="table", recipe="paper", log=log).close()
    first = read_events(log)[0]
    assert isinstance(first, Started)
    assert first.settings == Settings.of("paper")
    assert "recipe" not in log.read_text()


def simulated(settings: Settings) -> Trace:
    training = load("training")
    oracle, weights = Oracle.of(training), sample_weights(training, "normal", np.random.default_rng(1))
    live = Elicitation(training, oracle=oracle, settings=settings)
    athlete = person(oracle, weights, Informative(alpha=0.3), (1,))
    return Simulation(live, athlete, optimum(oracle, weights)).run(15)


def without_seconds(trace: Trace) -> list[tuple[object, ...]]:
    seconds = {"seconds_infer", "seconds_update"}
    return [tuple(value for name, value in vars(step).items() if name not in seconds) for step in trace.steps]


def test_the_papers_recipe_is_the_papers_algorithm_to_the_bit() -> None:
    by_recipe, spelled_out = simulated(Settings.of("paper", seed=5)), simulated(PAPER)
    assert without_seconds(by_recipe) == without_seconds(spelled_out)
    assert by_recipe.norms == spelled_out.norms


def test_a_form_never_changes_what_stands() -> None:
    week = Elicitation(load("training"), recipe="form")
    order = []
    for _ in range(7):
        query = week.ask()
        assert query is not None
        assert query.changes == ()
        assert query.suggestion == {}
        order.append(query.part)
        first = next(iter(query.proposal))
        values = [value for value in query.possible[first] if value != query.proposal[first]]
        week.tell(query.improve({first: values[0]}, final=True) if values else query.accept())
    assert order == [part.name for part in week.problem.parts], "the file's order"
    assert not week.weights.any()
