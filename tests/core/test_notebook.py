"""What a notebook shows of problems, queries and results: tables, with nothing in them that a browser would obey."""

import numpy as np

import pcl_core as pcl
from pcl_core.users import BestResponse
from pcl_core.wording import html_table

HOSTILE = "<img src=x onerror=alert(1)>"


def lunch() -> pcl.Problem:
    build = pcl.ProblemBuilder("lunch", label=HOSTILE, description=f"& {HOSTILE}")
    dish = build.categorical("dish", ("soup", HOSTILE), ("mon", "tue"))
    for day in ("mon", "tue"):
        build.feature(f"soup[{day}]", pcl.choose(dish[day] == "soup", 1, 0))
        build.part(day, [dish[day]], label=f"{day} {HOSTILE}")
    build.initial(dish, HOSTILE)
    return build.problem()


def test_everything_is_escaped() -> None:
    problem = lunch()
    oracle = pcl.Oracle.of(problem, "table")
    elicitation = pcl.Elicitation(problem, oracle=oracle)
    query = elicitation.ask()
    assert query is not None
    likes = np.array([-1.0, -1.0])
    person = pcl.person(oracle, likes, BestResponse(), (1,))
    trace = pcl.Simulation(pcl.Elicitation(problem, oracle=oracle), person, pcl.optimum(oracle, likes)).run(5)
    solution = oracle.solve(likes)
    for shown in (problem, query, solution, trace.certificate, trace):
        text = shown._repr_html_()  # type: ignore[union-attr]  # all of them have one
        assert HOSTILE not in text
        assert "&lt;img src=x" in text
        assert text.count("<table>") == text.count("</table>") >= 1


def test_a_query_shows_its_part_and_a_problem_its_parts() -> None:
    training = pcl.load("training")
    assert '<td style="text-align:left">variables: 5, features: 12</td>' in training._repr_html_()
    query = pcl.Elicitation(training).ask("tue")
    assert query is not None
    assert "plan[tue,2]" in query._repr_html_()
    assert "plan[wed,2]" not in query._repr_html_()


def test_looking_at_a_query_does_not_work_out_what_is_possible() -> None:
    query = pcl.Elicitation(pcl.load("training")).ask("tue")
    assert query is not None
    query._repr_html_()
    assert "possible" not in vars(query)


def test_what_is_empty_is_left_out_and_what_is_long_is_shortened() -> None:
    solution = pcl.Oracle.of(lunch(), "table").solve(np.array([1.0, 1.0]))
    assert "seconds" not in solution._repr_html_()
    assert len(html_table("t", {"a": "x" * 10_000})) < 700
    assert html_table("", {"a": {"b": 1.23456789}}).count("<table>") == 2
    assert "1.23457" in html_table("", {"a": 1.23456789})
