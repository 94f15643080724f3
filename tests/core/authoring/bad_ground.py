"""Wrong ground files."""

from tests.core.authoring.bad_files import GROUND, MARK, case, ground

from pcl_core.errors import Code


def deep(levels: int) -> str:
    return '{"op": "abs", "arg": ' * levels + '{"op": "var", "name": "n"}' + "}" * levels


GROUND_CASES = [
    case("empty JSON", MARK, Code.SYNTAX),
    case("JSON list", f"{MARK}[]", Code.WRONG_SHAPE),
    case("every missing field of a ground file", f"{MARK * 5}{{}}", Code.WRONG_VERSION, *[Code.WRONG_SHAPE] * 4),
    case("empty keys twice", '{"": 1, ▸"": 2}', Code.DUPLICATE_KEY),
    case("keys below a key that stands twice", '{"a": {"x": 1}, ▸"a": {"x": 2}}', Code.DUPLICATE_KEY),
    ground("trailing comma", '"pcl": 1,', '"pcl": 1,▸,', Code.SYNTAX),
    ground("key twice in JSON", '"pcl": 1,', '"pcl": 1,\n  ▸"pcl": 1,', Code.DUPLICATE_KEY),
    ground("NaN in JSON", '[3, "4.5"]', "[3, ▸NaN]", Code.NOT_FINITE),
    ground("Infinity in JSON", '"upper": 5', '"upper": ▸-Infinity', Code.NOT_FINITE),
    ground("NaN after a name with it", '"name": "week",', '"name": "NaN", "label": ▸NaN,', Code.NOT_FINITE),
    ground("infinite decimal text", '[3, "4.5"]', '[3, ▸"Infinity"]', Code.NOT_FINITE),
    ground("word as number", '[3, "4.5"]', '[3, ▸"four"]', Code.WRONG_SHAPE),
    ground("truth value as number", '[3, "4.5"]', "[3, ▸true]", Code.WRONG_SHAPE),
    ground("entry too large", '[3, "4.5"]', "[3, ▸9007199254740993]", Code.NUMBER_TOO_LARGE),
    ground("entry of thousands of digits", '[3, "4.5"]', "[3, ▸" + "9" * 5000 + "]", Code.NUMBER_TOO_LARGE),
    ground("entry with an exponent no decimal has", '[3, "4.5"]', "[3, ▸1e" + "9" * 30 + "]", Code.NUMBER_TOO_LARGE),
    ground("bound too large", '"upper": 5', '"upper": ▸9007199254740993', Code.NUMBER_TOO_LARGE),
    ground("coefficient too small", '"coefs": [2]', '"coefs": [▸1e-20]', Code.CANNOT_SCALE),
    ground("ground file of another version", '"pcl": 1', '"pcl": ▸2', Code.WRONG_VERSION),
    ground("field that is not there", '"pcl": 1', '"pcl": 1, ▸"constraint": []', (Code.WRONG_SHAPE, "constraints")),
    ground("field with a name of Python's", '"pcl": 1', '"pcl": 1, ▸"cls": 1', Code.WRONG_SHAPE),
    ground("unknown operation", '{"op": "ref", "name": "double"}', '▸{"op": "reff", "name": "double"}', Code.WRONG_SHAPE),
    ground("no operation", '{"op": "ref", "name": "double"}', '▸{"name": "double"}', Code.WRONG_SHAPE),
    ground("text as a bound", '"lower": 0', '"lower": ▸"0"', Code.WRONG_SHAPE),
    ground("coefficient too many", '"coefs": [2]', '"coefs": [2, 3]', Code.WRONG_SHAPE),
    ground("empty bounds", '"lower": 0, "upper": 5', '"lower": 6, "upper": 5', Code.EMPTY_DOMAIN),
    ground("no labels", '["red", "green"]}\n', "[]}\n", Code.EMPTY_DOMAIN),
    ground("axis without keys", '[["red", "green"]], "values": [3, "4.5"]', '[[]], "values": []', Code.EMPTY_DOMAIN),
    ground("mixed axis", '[["red", "green"]], "values"', '[["red", 1]], "values"', Code.WRONG_KIND),
    ground("too few values", '[3, "4.5"]', "[3]", Code.TABLE_DATA),
    ground("name with a line break", '"name": "week"', '"name": ▸"we\\nek"', Code.BAD_NAME),
    ground("half of a surrogate pair in JSON", '"name": "week"', '"name": "a", "label": ▸"\\ud800"', Code.NOT_TEXT),
    ground("unknown variable", '{"op": "var", "name": "n"}}', '▸{"op": "var", "name": "nn"}}', (Code.UNKNOWN_NAME, "'n'")),
    ground("unknown table", '"table": "price"', '"table": "prize"', (Code.UNKNOWN_NAME, "'price'")),
    ground("unknown definition", '"name": "double"}, "values"', '"name": "duble"}, "values"', (Code.UNKNOWN_NAME, "'double'")),
    ground("two variables of one name", '"upper": 5},', '"upper": 5}, {"domain": "bool", "name": ▸"n"},', Code.DUPLICATE_NAME),
    ground("definition of itself", '{"op": "var", "name": "n"}]', '{"op": "ref", "name": "double"}]', Code.CYCLIC_DEFINITION),
    ground("label among numbers", '"values": [0, 2]', '"values": [0, "two"]', Code.WRONG_KIND),
    ground("label that is no key", '["red", "green"]}\n', '["red", "blue"]}\n', Code.LOOKUP_OUTSIDE_TABLE),
    ground("variable in both parts", '["color"]', '▸["color", "n"]', Code.VARIABLE_IN_TWO_PARTS),
    ground("ground part without variables", '["color"]', "▸[]", Code.EMPTY_PART, Code.VARIABLE_WITHOUT_PART),
    ground("nodes on top of each other", '{"op": "var", "name": "n"}}', "▸" + deep(105) + "}", Code.TOO_DEEP),
    ground("nodes far on top of each other", '{"op": "var", "name": "n"}}', "▸" + deep(205) + "}", Code.TOO_DEEP),
    case("brackets without end", MARK + "[" * 100_000, Code.TOO_DEEP),
    case(
        "findings in several places of a ground file",
        GROUND.replace('{"op": "lookup", "table": "price"', '▸{"op": "lookup", "table": "prize"').replace(
            '["color"]', '▸["color", "n"]'
        ),
        Code.UNKNOWN_NAME,
        Code.VARIABLE_IN_TWO_PARTS,
    ),
]  # fmt: skip
