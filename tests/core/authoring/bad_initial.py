"""Wrong initial configurations in authored and ground files."""

from tests.core.authoring.bad_files import AUTHORED, GROUND, Case, case

from pcl_core.errors import Code

BAD = Code.BAD_CONFIGURATION


def entry(name: str, written: str, *expected: Code | tuple[Code, str]) -> Case:
    """An entry after a section that is complete and right."""
    start = 'initial:\n  - {set: "n[*]", to: 1}\n  - {set: on, to: false}\n  - {set: color, to: red}\n'
    return case(f"initial: {name}", f"{AUTHORED}{start}  - {written}\n", *expected)


def section(name: str, written: str, *expected: Code | tuple[Code, str]) -> Case:
    return case(f"initial: {name}", f"{AUTHORED}{written}\n", *expected)


def ground_initial(name: str, written: str, *expected: Code | tuple[Code, str]) -> Case:
    return case(
        f"ground initial: {name}", GROUND.replace('"pcl": 1,', f'"pcl": 1,\n  "initial": {written},'), *expected
    )


INITIAL_CASES = [
    section("nothing as the section", "initial: ▸null", Code.WRONG_SHAPE),
    section("mapping as the section", "initial: ▸{on: true}", Code.WRONG_SHAPE),
    section("variables without a value", "initial:\n  ▸- {set: on, to: true}", (BAD, "every variable")),
    entry("no value", "▸{set: on}", Code.WRONG_SHAPE),
    entry("no variables", "▸{to: 1}", Code.WRONG_SHAPE),
    entry("misspelt field", "{set: on, to: 1, ▸foreeach: {}}", (Code.WRONG_SHAPE, "'foreach'")),
    entry("null", "{set: on, to: ▸null}", Code.WRONG_SHAPE),
    entry("empty list of variables", "{set: ▸[], to: 1}", Code.WRONG_SHAPE),
    entry("misspelt variable", "{set: ▸colour, to: red}", (Code.UNKNOWN_NAME, "'color'")),
    entry("misspelt variable in a list", "{set: [on, ▸onn], to: 1}", (Code.UNKNOWN_NAME, "'on'")),
    entry("misspelt loop variable", '{foreach: {d: day}, set: "n[▸dd]", to: 1}', (Code.UNKNOWN_NAME, "'d'")),
    entry("misspelt set", '{foreach: {d: ▸dya}, set: "n[d]", to: 1}', (Code.UNKNOWN_NAME, "'day'")),
    entry("misspelt parameter", "{set: on, to: 3 < ▸mots}", (Code.UNKNOWN_NAME, "'most'")),
    entry("misspelt bare label", "{set: color, to: ▸grean}", (Code.UNKNOWN_NAME, "'green'")),
    entry("misspelt label", "{set: color, to: ▸\"'grean'\"}", (BAD, "'green'")),
    entry("index outside its set", "{set: ▸\"n['wed']\", to: 1}", Code.INDEX_OUTSIDE_SET),
    entry("array without index", "{set: ▸n, to: 1}", Code.WRONG_KIND),
    entry("definition", "{set: ▸cost, to: 1}", (Code.WRONG_KIND, "name[index")),
    entry("parameter", "{set: ▸most, to: 1}", Code.WRONG_KIND),
    entry("decision as value", "{set: on, to: ▸color == 'red'}", Code.NOT_STATIC),
    entry("decision in `if`", "{if: ▸on, set: on, to: 1}", Code.NOT_STATIC),
    entry("list as value", "{set: on, to: ▸day}", Code.WRONG_KIND),
    entry("not an expression", "{set: on, to: 1 ▸on on}", Code.BAD_EXPRESSION),
    entry("not an expression and never used", "{if: false, set: on, to: 1 ▸on on}", Code.BAD_EXPRESSION),
    entry("number outside the domain", '{set: "n[*]", to: ▸6}', (BAD, "0 to 5")),
    entry("number that is not whole", '{set: "n[*]", to: ▸0.5}', (BAD, "0 to 5")),
    entry("truth value as number", '{set: "n[*]", to: ▸true}', (BAD, "0 to 5")),
    entry("number as truth value", "{set: on, to: ▸most}", (BAD, "true or false")),
    entry("bare label of another variable", "{set: on, to: ▸red}", (BAD, "true or false")),
    entry("loop too long", "{foreach: {k: 1..3000000}, set: ▸on, to: 1}", Code.TOO_MANY_NODES),
    case(
        "initial: values that violate a constraint",
        AUTHORED + 'initial:\n  ▸- {set: "n[*]", to: 5}\n  - {set: [on], to: 1}\n  - {set: color, to: red}\n',
        (BAD, "satisfy"),
    ),
    case(
        "initial: findings in several entries",
        AUTHORED + 'initial:\n  - {set: "n[*]", to: ▸7}\n  - {set: ▸onn, to: 1}\n  - {set: color, to: ▸blue}\n',
        BAD,
        Code.UNKNOWN_NAME,
        Code.UNKNOWN_NAME,
    ),
]  # fmt: skip

INITIAL_GROUND_CASES = [
    ground_initial("list in a ground file", "▸[0]", Code.WRONG_SHAPE),
    ground_initial("list as a value", '{"n": ▸[0], "color": "red"}', Code.WRONG_SHAPE),
    ground_initial("decimal as a value", '{"n": ▸0.5, "color": "red"}', Code.WRONG_SHAPE),
    ground_initial("number outside its domain", '{"n": ▸7, "color": "red"}', (BAD, "0 to 5")),
    ground_initial("label outside its domain", '{"n": 0, "color": ▸"rde"}', (BAD, "'red'")),
    ground_initial("unknown variable", '{"n": 0, "color": "red", "colr": ▸"red"}', (BAD, "'color'")),
    ground_initial("variable without a value", '▸{"n": 0}', (BAD, "every variable")),
    ground_initial("values that violate a constraint", '▸{"n": 3, "color": "red"}', (BAD, "satisfy")),
]
