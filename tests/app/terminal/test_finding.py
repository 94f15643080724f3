"""Which variable, part and value a person means."""

import pytest

from pcl_app.terminal.edits import EditReader
from pcl_app.terminal.values import allowed_values, read_value
from pcl_app.terminal.vocabulary import Vocabulary
from pcl_app.terminal.words import fold, listed, printable, starting_words
from pcl_core import (
    BoolVariable,
    CategoricalVariable,
    IntVariable,
    PclError,
    Problem,
    ProblemBuilder,
    Value,
    choose,
    load,
    total,
)
from pcl_core.model import Part

PROBLEMS = {name: load(name) for name in ("training", "hotel", "meals", "pc", "grid")}


def reader(name: str) -> tuple[Problem, EditReader, Vocabulary]:
    problem = PROBLEMS[name]
    names = Vocabulary(problem)
    return problem, EditReader(problem, names), names


def read(problem_name: str, part: str, text: str) -> dict[str, Value]:
    problem, edits, _ = reader(problem_name)
    return edits.read(text, problem.parts[problem.part_position(part)])


@pytest.mark.parametrize(
    ("problem", "part", "text", "variable"),
    [
        ("training", "tue", "plan[tue,2]", "plan[tue,2]"),
        ("training", "tue", "plan[tue, 2]", "plan[tue,2]"),
        ("training", "tue", "PLAN[TUE,2]", "plan[tue,2]"),
        ("training", "tue", "tue slot 2", "plan[tue,2]"),
        ("training", "tue", "Tue  Slot 2", "plan[tue,2]"),
        ("training", "tue", "slot 2", "plan[tue,2]"),
        ("training", "tue", "2", "plan[tue,2]"),
        ("training", "tue", " 5 ", "plan[tue,5]"),
        ("training", "tue", "2 slot", "plan[tue,2]"),
        ("training", "tue", "sl 2", "plan[tue,2]"),
        ("training", "tue", "tue 2", "plan[tue,2]"),
        ("training", "tue", "tuesday 2", "plan[tue,2]"),
        ("meals", "mon", "mon 2", "menu[mon,dinner]"),
        ("meals", "mon", "Monday 1", "menu[mon,lunch]"),
        ("pc", "speed", "memory and graphics 2", "card"),
        ("hotel", "r7", "room r7 3", "bunk_beds[r7]"),
        ("grid", "block[0,0]", "block 0,0 4", "cell[1,1]"),
        ("hotel", "r7", "single beds", "single_beds[r7]"),
        ("hotel", "r7", "single", "single_beds[r7]"),
        ("hotel", "r7", "bu", "bunk_beds[r7]"),
        ("hotel", "r7", "single_beds", "single_beds[r7]"),
        ("hotel", "r7", "beds double", "double_beds[r7]"),
        ("hotel", "r7", "tables in r7", "tables[r7]"),
        ("hotel", "r7", "4", "tables[r7]"),
        ("grid", "block[0,0]", "cell 0,1", "cell[0,1]"),
        ("grid", "block[0,0]", "0,1", "cell[0,1]"),
        ("grid", "block[1,1]", "cell[3, 2]", "cell[3,2]"),
    ],
)
def test_a_variable_is_found(problem: str, part: str, text: str, variable: str) -> None:
    loaded, _, names = reader(problem)
    assert names.find(text, loaded.parts[loaded.part_position(part)]) == variable


@pytest.mark.parametrize(
    ("problem", "part", "text", "sentence"),
    [
        ("training", "tue", "slot", "'slot' can be slot 1 or slot 2 or slot 3 or slot 4 or slot 5"),
        ("training", "tue", "plan[wed,2]", "'wed slot 2' is in wed, and not in this question"),
        ("training", "tue", "wed slot 2", "'ask wed' opens it"),
        ("training", "tue", "wed 2", "'wed slot 2' is in wed, and not in this question ('ask wed' opens it)"),
        ("meals", "tue", "mon 2", "'dinner on mon' is in mon, and not in this question ('ask mon' opens it)"),
        ("meals", "tue", "dinner mon", "'ask mon' opens it"),
        ("pc", "speed", "cooler", "'cooler' is in power and cooling"),
        ("training", "tue", "6", "rows are numbered from 1 to 5"),
        ("training", "tue", "0", "rows are numbered from 1 to 5"),
        ("training", "tue", "9" * 5000, "rows are numbered from 1 to 5"),
        ("training", "tue", "slott 2", "did you mean 'slot 2'"),
        ("training", "tue", "", "tue has no ''"),
        ("training", "tue", "\x1b[2J", "?[2J"),
        ("hotel", "r7", "beds", "'beds' can be single beds or double beds or bunk beds"),
        ("hotel", "r7", "chairs", "there are single beds, double beds, bunk beds, tables, sofas"),
    ],
)
def test_what_is_not_found_gets_a_sentence(problem: str, part: str, text: str, sentence: str) -> None:
    loaded, _, names = reader(problem)
    with pytest.raises(PclError) as raised:
        names.find(text, loaded.parts[loaded.part_position(part)])
    assert sentence in str(raised.value)
    assert "\x1b" not in str(raised.value)


@pytest.mark.parametrize(
    ("problem", "text", "part"),
    [
        ("training", "tue", "tue"),
        ("training", "TUE", "tue"),
        ("training", "w", "wed"),
        ("training", "thursday", "thu"),
        ("training", " Tuesday ", "tue"),
        ("hotel", "room r7", "r7"),
        ("hotel", "r7", "r7"),
        ("grid", "block 0,1", "block[0,1]"),
        ("grid", "1,1", "block[1,1]"),
        ("grid", "block[ 1, 0 ]", "block[1,0]"),
    ],
)
def test_a_part_is_found(problem: str, text: str, part: str) -> None:
    assert reader(problem)[2].find_part(text) == part


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("t", "'t' can be tue or thu"),
        ("snu", "did you mean 'sun'"),
        ("sun and shade", "there are mon"),
        ("", "there is no ''"),
        ("x", "there are mon"),
    ],
)
def test_a_part_that_is_not_found_gets_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(PclError) as raised:
        reader("training")[2].find_part(text)
    assert sentence in str(raised.value)


def test_short_labels_leave_out_what_repeats_the_part() -> None:
    assert reader("training")[2].short("plan[tue,2]") == "slot 2"
    assert reader("hotel")[2].short("single_beds[r7]") == "single beds"
    assert reader("grid")[2].short("cell[0,1]") == "cell 0,1"


SHIRT = CategoricalVariable(name="shirt", labels=("red", "Red deer", "dark blue", "dark green", "7"))
MANY = IntVariable(name="many", lower=-3, upper=12, unit="m")
SWITCH = BoolVariable(name="switch")


@pytest.mark.parametrize(
    ("variable", "text", "value"),
    [
        (SHIRT, "red", "red"),
        (SHIRT, "RED", "red"),
        (SHIRT, "red d", "Red deer"),
        (SHIRT, " dark   blue ", "dark blue"),
        (SHIRT, "blue", "dark blue"),
        (SHIRT, "7", "7"),
        (MANY, "-3", -3),
        (MANY, " 12 ", 12),
        (SWITCH, "yes", True),
        (SWITCH, "Y", True),
        (SWITCH, "TRUE", True),
        (SWITCH, "1", True),
        (SWITCH, "on", True),
        (SWITCH, "no", False),
        (SWITCH, "f", False),
        (SWITCH, "0", False),
        (SWITCH, "off", False),
    ],
)
def test_a_value_is_read(variable: CategoricalVariable | IntVariable | BoolVariable, text: str, value: Value) -> None:
    found = read_value(variable, text)
    assert found == value
    assert type(found) is type(value)


@pytest.mark.parametrize(
    ("variable", "text", "sentence"),
    [
        (SHIRT, "dark", "'dark' can be dark blue or dark green"),
        (SHIRT, "rad", "did you mean 'red'"),
        (SHIRT, "xyz", "known: red, Red deer"),
        (SHIRT, "gren", "did you mean 'dark green'?"),
        (SHIRT, "drk bleu", "did you mean 'dark blue'"),
        (SHIRT, "", "no value after '='"),
        (MANY, "13", "allowed: -3 to 12 m"),
        (MANY, "2.5", "'many' cannot be '2.5'"),
        (MANY, "two", "allowed: -3 to 12 m"),
        (MANY, "9" * 5000, "..."),
        (SWITCH, "o", "allowed: yes or no"),
        (SWITCH, "maybe", "allowed: yes or no"),
        (SWITCH, "2", "allowed: yes or no"),
    ],
)
def test_a_value_that_cannot_be_gets_a_sentence(
    variable: CategoricalVariable | IntVariable | BoolVariable, text: str, sentence: str
) -> None:
    with pytest.raises(PclError) as raised:
        read_value(variable, text)
    assert sentence in str(raised.value)


def test_what_her_rules_forbid_is_not_offered() -> None:
    with pytest.raises(PclError) as raised:
        read_value(SHIRT, "gren", {"dark green", "red"})
    assert "dark green" not in str(raised.value)
    assert allowed_values(SHIRT, {"dark green", "red"}) == "Red deer, dark blue, 7"
    assert read_value(SHIRT, "dark green", {"dark green"}) == "dark green"


@pytest.mark.parametrize(
    ("problem", "part", "text", "edits"),
    [
        ("training", "tue", "slot 2 = running", {"plan[tue,2]": "running"}),
        ("training", "tue", "plan[tue,2]=run", {"plan[tue,2]": "running"}),
        ("training", "tue", "1=rest;2 = abs ;", {"plan[tue,1]": "rest", "plan[tue,2]": "abs"}),
        ("training", "tue", "1 = rest, plan[tue,2] = abs", {"plan[tue,1]": "rest", "plan[tue,2]": "abs"}),
        ("training", "tue", "1 = rest, 2 = abs,", {"plan[tue,1]": "rest", "plan[tue,2]": "abs"}),
        ("training", "tue", "1 = rest; slot 1 = rest", {"plan[tue,1]": "rest"}),
        ("grid", "block[0,0]", "cell 0,1 = yes, cell 1,1 = no", {"cell[0,1]": True, "cell[1,1]": False}),
        ("hotel", "r7", "single=0,double=1,4=2", {"single_beds[r7]": 0, "double_beds[r7]": 1, "tables[r7]": 2}),
    ],
)
def test_edits_are_read(problem: str, part: str, text: str, edits: dict[str, Value]) -> None:
    assert read(problem, part, text) == edits


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1 = rest 2 = abs", "a comma is missing"),
        ("1 = rest; 2", "'2' has no '='"),
        ("= rest", "there is no name before '='"),
        ("1 =", "no value after '='"),
        ("1 = rest, 9 = abs", "rows are numbered"),
        ("2-9 = abs", "rows are numbered from 1 to 5"),
        ("3-2 = abs", "rows are numbered from 1 to 5"),
        ("1-3 = rest; 2 = abs", "two values in this line"),
        ("1 = rest; 1 = abs", "two values in this line"),
        (";;", "nothing to change"),
        ("1 == rest", "a comma is missing"),
        ("1 = rest, 2 = xyz", "'tue slot 2' cannot be 'xyz'"),
    ],
)
def test_edits_that_cannot_be_read_get_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(PclError) as raised:
        read("training", "tue", text)
    assert sentence in str(raised.value)


def test_rows_are_typed_as_the_screen_says_them() -> None:
    assert read("training", "tue", "1 = abs, 2-4 = rest; 5 = swim") == {
        "plan[tue,1]": "abs",
        **{f"plan[tue,{slot}]": "rest" for slot in (2, 3, 4)},
        "plan[tue,5]": "swimming",
    }


@pytest.mark.parametrize(
    ("problem", "text", "variables"),
    [
        ("meals", "tue 2", ["menu[tue,dinner]"]),
        ("meals", "mon 1-2", ["menu[mon,lunch]", "menu[mon,dinner]"]),
        ("training", "mon 4-5", ["plan[mon,4]", "plan[mon,5]"]),
        ("hotel", "r8 2", ["double_beds[r8]"]),
    ],
)
def test_where_several_parts_are_looked_at_a_row_is_named_with_its_part(
    problem: str, text: str, variables: list[str]
) -> None:
    assert list(reader(problem)[2].find_all(text, first_two(problem))) == variables


@pytest.mark.parametrize(
    ("problem", "text", "sentence"),
    [
        ("training", "2", "write more of it, or the part and the number, as in 'mon 2'"),
        ("meals", "2", "write the part and the number, as in 'mon 2'"),
        ("training", "fri 2", "'fri slot 2' is in fri, and not in this question ('ask fri' opens it)"),
    ],
)
def test_a_number_without_its_part_gets_a_hint(problem: str, text: str, sentence: str) -> None:
    with pytest.raises(PclError) as raised:
        reader(problem)[2].find_all(text, first_two(problem))
    assert sentence in str(raised.value)


def first_two(problem: str) -> Part:
    """As two parts come that are looked at together."""
    one, other = PROBLEMS[problem].parts[:2]
    return Part(name="both", label="everything once more", variables=(*one.variables, *other.variables))


def test_what_is_called_like_rows_comes_first() -> None:
    build = ProblemBuilder("seats")
    seats = [build.categorical(name, ("free", "taken"), label=label) for name, label in (("a", "1-2"), ("b", "3-4"))]
    build.feature("taken", total(choose(seat == "taken", 1, 0) for seat in seats))
    build.part("all", seats)
    problem = build.problem()
    edits = EditReader(problem, Vocabulary(problem))
    assert edits.read("1-2 = taken", problem.parts[0]) == {"a": "taken"}


def test_words() -> None:
    assert fold("  A  b ") == "a b"
    assert starting_words("be si", "single beds")
    assert not starting_words("be be", "single beds")
    assert not starting_words("", "single beds")
    assert printable("a\x00b" + "c" * 100).startswith("a?bccc")
    assert len(printable("c" * 100)) == 60
    assert listed(["a", "b", "c"], 2) == "a, b and 1 more"
    assert allowed_values(CategoricalVariable(name="x", labels=tuple(map(str, range(20))))).endswith("and 8 more")
