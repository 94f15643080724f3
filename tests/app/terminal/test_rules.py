"""Rules of her own and corrections elsewhere, as they are typed."""

import io
import re

import pytest
from rich.console import Console
from tests.app.terminal.driving import InProcess

from pcl_app.terminal.result import show_result
from pcl_app.terminal.rule_lines import RuleReader
from pcl_app.terminal.view import View
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_core import Oracle, RequestError, load

ORACLES = {name: Oracle.of(load(name)) for name in ("training", "hotel", "meals", "grid")}


def session(name: str, *lines: str) -> InProcess:
    return InProcess(ORACLES[name].problem, list(lines), ORACLES[name])


@pytest.mark.parametrize(
    ("problem", "kind", "text", "expected"),
    [
        ("training", "never", "running", ("never", "plan[*,*]", "running", None, "all")),
        ("training", "never", "run in sat", ("never", "plan[sat,*]", "running", None, "all")),
        ("training", "never", "run on sat", ("never", "plan[sat,*]", "running", None, "all")),
        ("training", "always", "rest in sun", ("always", "plan[sun,*]", "rest", None, "all")),
        ("training", "never", "slot 1 = rest", ("never", "plan[*,1]", "rest", None, "all")),
        ("training", "at_most", "2 running", ("at_most", "plan[*,*]", "running", 2, "all")),
        ("training", "at_most", "2 of running each", ("at_most", "plan[*,*]", "running", 2, "part")),
        ("training", "at_least", "1 swim in sat", ("at_least", "plan[sat,*]", "swimming", 1, "all")),
        ("hotel", "never", "sofas = 3", ("never", "sofas[*]", 3, None, "all")),
        ("hotel", "never", "sofas = 3 in room r7", ("never", ("sofas[r7]",), 3, None, "all")),
        ("meals", "never", "bread and cheese", ("never", "menu[*,*]", "bread and cheese", None, "all")),
        ("meals", "never", "pizza in sat", ("never", "menu[sat,*]", "pizza", None, "all")),
        ("grid", "never", "cell 0,1 = yes", ("never", ("cell[0,1]",), True, None, "all")),
        ("training", "never", "abs, pushups", ("never", "plan[*,*]", ("abs", "pushups"), None, "all")),
        ("training", "never", "abs,", ("never", "plan[*,*]", "abs", None, "all")),
        ("training", "never", "abs and run in sat", ("never", "plan[sat,*]", ("abs", "running"), None, "all")),
        ("training", "at_most", "2 of abs or run each", ("at_most", "plan[*,*]", ("abs", "running"), 2, "part")),
        ("training", "always", "rest or abs in sunday", ("always", "plan[sun,*]", ("rest", "abs"), None, "all")),
        ("meals", "never", "bread and cheese, piz", ("never", "menu[*,*]", ("bread and cheese", "pizza"), None, "all")),
    ],
)
def test_a_rule_is_read(problem: str, kind: str, text: str, expected: tuple[object, ...]) -> None:
    loaded = ORACLES[problem].problem
    assert tuple(RuleReader(loaded, Vocabulary(loaded)).read(kind, text, loaded.parts[0])) == expected


@pytest.mark.parametrize(
    ("kind", "text", "sentence"),
    [
        ("never", "flying", "nothing here can be 'flying'"),
        ("never", "runing", "did you mean 'running'?"),
        ("never", "w", "'w' can be weights or walking"),
        ("never", "", "nothing here can be ''"),
        ("at_most", "running", "'at most' needs a number (such as 'at most 2 pushups')"),
        ("never", "slot 9 = rest", "mon has no 'slot 9'"),
        ("at_least", "3 rest each day", "'at least 3 rest each' counts in each of mon, tue and 5 more"),
        ("at_most", "2 swim on every day", "'at most 2 swim each' counts in each of"),
        ("at_most", "2 each", "'at most 2 each' of what? (such as 'at most 2 pushups each')"),
        ("at_most", "2", "'at most 2' of what? (such as 'at most 2 pushups')"),
        ("at_most", "10 power", "a rule is about what stands where, and 'power' is a number that comes of that"),
        ("never", "abs, pushps", "did you mean 'pushups'?"),
        ("at_least", "1 abs and running", "nothing here can be 'abs and running'"),
        ("never", "slot 1 = flying", "cannot be 'flying'"),
    ],
)
def test_a_rule_that_cannot_be_read_gets_a_sentence(kind: str, text: str, sentence: str) -> None:
    loaded = ORACLES["training"].problem
    with pytest.raises(RequestError) as raised:
        RuleReader(loaded, Vocabulary(loaded)).read(kind, text, loaded.parts[0])
    issue = raised.value.issues[0]
    assert sentence in f"{issue.message} ({issue.hint})"


def test_a_rule_holds_from_now_on_and_what_it_changed_is_said() -> None:
    done = session("training", "never pushups", "rules", "1 = push")
    assert "from now on: never pushups" in done.text
    assert "so: mon slot 1 becomes" in done.text
    assert "1 never pushups 'remove 1' takes the first away" in done.text
    assert "pushups" not in done.elicitation.configuration.values()
    assert "not allowed as it stands, since this would not hold: your rule 'never pushups'" in done.text


def test_a_price_is_no_rule_and_that_is_said() -> None:
    pc = Oracle.of(load("pc"))
    done = InProcess(pc.problem, ["at most 1000 price"], pc)
    assert "a rule is about what stands where, and 'price' is a number that comes of that (such as 'never" in done.text


def test_rules_of_her_own_are_named_by_their_words() -> None:
    done = session("training", "never rest", "at most 3 run", "1 = run")
    assert "'never rest' cannot hold: no training on mon in slot 2; your rule 'never rest' (remove" in done.text
    assert "then in all: your rule 'at most 3 of running': 1 of 3" in done.text
    assert "yours:" not in done.text
    assert "[" not in done.text


def test_what_a_rule_changed_is_said_as_it_is_shown() -> None:
    """She improves step by step, so what nobody has spoken for moves along with what the rule changed."""
    done = session("training", "1 = swim", "", "2 = run", "better", "at most 2 running")
    said = done.text.split("from now on: at most 2")[1].split(" -- query")[0]
    moved = re.findall(r"(\w+) slot (\d) becomes (\w+) \(was", said)
    assert moved
    for day, slot, value in moved:
        assert done.elicitation.configuration[f"plan[{day},{slot}]"] == value


def test_a_rule_against_what_she_said_is_told_first_and_done_when_said_again() -> None:
    once, twice = (session("training", "1 = swim", "", *["never swimming"] * times) for times in (1, 2))
    assert "this would change: mon slot 1 becomes" in once.text
    assert "that is against what you said before; say it again, and it is done" in once.text
    assert once.elicitation.rules == ()
    assert once.elicitation.configuration["plan[mon,1]"] == "swimming"
    assert [rule.words for rule in twice.elicitation.rules] == ["never swimming"]
    assert "to be looked at again, since this changes what is around: mon" in twice.text


def test_rules_are_taken_away_and_undone() -> None:
    assert session("training", "never run", "remove 1").elicitation.rules == ()
    assert session("training", "never run", "undo").elicitation.rules == ()
    assert "there is no rule '2' (they are numbered from 1 to 1)" in session("training", "never run", "remove 2").text
    assert "there is no rule '1' (there are none)" in session("training", "remove 1").text
    assert "there are no rules of your own" in session("training", "rules").text


def test_at_most_so_many_in_each() -> None:
    done = session("training", "at most 1 pushups each", "At  Least 1 swimming")
    values = done.elicitation.configuration
    for part in done.elicitation.problem.parts:
        assert sum(values[name] == "pushups" for name in part.variables) <= 1
    assert "swimming" in values.values()


def test_a_rule_does_not_lose_a_draft() -> None:
    done = session("training", "1 = run", "never pushups", "everywhere")
    assert "you have changes that are not said yet, and 'never' would lose them" in done.text
    assert "you have changes that are not said yet, and 'everywhere' would lose them" in done.text


def test_a_correction_is_repeated_everywhere_and_refused_in_words_where_it_cannot_be() -> None:
    done = session("training", "1 = swim", "", "everywhere")
    assert "the same elsewhere: wed slot 1 becomes swimming" in done.text
    assert "not in tue: not allowed: no training on tue in slot 1" in done.text
    assert done.elicitation.configuration["plan[wed,1]"] == "swimming"
    some = session("training", "1 = swim", "", "everywhere wed, thu")
    assert some.elicitation.configuration["plan[thu,1]"] == "swimming"
    assert some.elicitation.configuration["plan[fri,1]"] != "swimming"
    assert "there is no correction to repeat" in session("training", "everywhere").text


def test_the_end_names_the_rules() -> None:
    done, shown = session("training", "never run", "confirm all", "a"), io.StringIO()
    names = Vocabulary(done.elicitation.problem)
    console = Console(file=shown, width=200, no_color=True)
    show_result(done.elicitation, View(done.elicitation.problem, names, console))
    assert "This holds under your rules: never running." in shown.getvalue()


@pytest.mark.parametrize("line", ["never", "always", "at most", "at least", "remove"])
def test_a_rule_does_not_stand_alone(line: str) -> None:
    assert "does not stand alone" in session("training", line).text


def test_a_rule_about_part_of_a_word_names_all_that_have_it() -> None:
    """Who must not eat nuts must not eat peanuts."""
    meals = Oracle.of(load("meals"))
    done = InProcess(meals.problem, ["never nuts", "never green salad, tofu", "rules"], meals)
    assert "'nuts' can be green salad with nuts or stir-fried tofu with peanuts" in done.text
    assert "never green salad with nuts or stir-fried tofu with peanuts" in done.text
