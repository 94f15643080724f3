"""Writes the parts of the documentation that follow from the code: JSON Schemas, the list of error codes, and what
the page on architecture says of rooms and walks."""

import json
import re
from pathlib import Path

from docs.rooms import core_table
from docs.walks import FIRST, WALKS, as_steps, walked

from pcl_core.authoring import authored_schema
from pcl_core.elicitation import data_schema
from pcl_core.errors import CODE_MEANINGS, Code
from pcl_core.model import ground_schema

REFERENCE = Path(__file__).parent / "reference"
ARCHITECTURE = Path(__file__).parent / "explanation" / "architecture.md"
BLOCK = re.compile(r"^<!-- ([^\n]+) -->\n(.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL)
"""What is generated in the middle of a page, after its name."""


def error_codes() -> str:
    rows = [f"| `{code.value}` | {CODE_MEANINGS[code]} |" for code in Code]
    return "\n".join(
        [
            "# Error codes",
            "",
            "Every finding has one of these codes. They are stable: scripts may match on them.",
            "Findings are printed as `file:line:column: code: what it is about: message (hint)`.",
            "",
            "| code | meaning |",
            "|---|---|",
            *rows,
            "",
        ]
    )


def as_json(schema: dict[str, object]) -> str:
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def generated() -> dict[Path, str]:
    """The generated files and what they must contain."""
    return {
        REFERENCE / "error-codes.md": error_codes(),
        REFERENCE / "problem.schema.json": as_json(authored_schema()),
        REFERENCE / "ground.schema.json": as_json(ground_schema()),
        REFERENCE / "data.schema.json": as_json(data_schema()),
    }


def architecture() -> str:
    """The page on architecture as it must be. Walking takes about twenty seconds."""
    walks = {title: walked(title) for title in WALKS}
    said = {"rooms": core_table(), **{f"walk: {title}": steps(title, walks[title], walks[FIRST]) for title in WALKS}}
    return BLOCK.sub(
        lambda found: f"<!-- {found[1]} -->\n{said[found[1]]}\n<!-- end -->", ARCHITECTURE.read_text(encoding="utf-8")
    )


def steps(title: str, modules: list[str], first: list[str]) -> str:
    """A walk as the page shows it."""
    return f"{len(modules)} modules:\n\n{as_steps(modules, () if title == FIRST else first)}\n"


if __name__ == "__main__":
    for path, content in {**generated(), ARCHITECTURE: architecture()}.items():
        path.write_text(content, encoding="utf-8")
