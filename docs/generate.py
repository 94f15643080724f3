"""Writes the parts of the documentation that follow from the code: JSON Schemas and the list of error codes."""

import json
from pathlib import Path

from pcl_core.authoring.document import authored_schema
from pcl_core.elicitation.schema import data_schema
from pcl_core.errors import CODE_MEANINGS, Code
from pcl_core.model.problem import ground_schema

REFERENCE = Path(__file__).parent / "reference"


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


if __name__ == "__main__":
    for path, content in generated().items():
        path.write_text(content, encoding="utf-8")
