"""Reading documents: text, YAML and JSON to plain data, and findings about it at their lines and columns."""

from pcl_core.documents.document import KEY, Data, Document
from pcl_core.documents.json_reader import read_json
from pcl_core.documents.text import (
    MAX_DATA_BYTES,
    MAX_FILE_BYTES,
    decoded,
    has_surrogates,
    read_text,
    read_yaml,
    refuse_controls,
)
from pcl_core.documents.validation import OUT_OF_PLACE, choices_of, issues_from_validation

__all__ = [
    "KEY",
    "MAX_DATA_BYTES",
    "MAX_FILE_BYTES",
    "OUT_OF_PLACE",
    "Data",
    "Document",
    "choices_of",
    "decoded",
    "has_surrogates",
    "issues_from_validation",
    "read_json",
    "read_text",
    "read_yaml",
    "refuse_controls",
]
