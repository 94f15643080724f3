"""The JSON Schema of everything that has a JSON form."""

from typing import Any

from pcl_core.analysis.certificate import Certificate
from pcl_core.documents.forms import schema_of
from pcl_core.elicitation.elsewhere import Elsewhere
from pcl_core.elicitation.history import Told
from pcl_core.elicitation.misfit import Misfit
from pcl_core.elicitation.overview import PartNow
from pcl_core.elicitation.own_rules import Ruling
from pcl_core.elicitation.preview import Preview
from pcl_core.elicitation.query import Answer, Query
from pcl_core.elicitation.state import Learned
from pcl_core.elicitation.taste import Taste
from pcl_core.errors import PclError
from pcl_core.solve.judge import Solution


def data_schema() -> dict[str, Any]:
    """A definition for each class with `data()`, under its name: `{"$ref": "#/$defs/Query"}` is a query's."""
    found = schema_of(
        Query,
        Answer,
        Learned,
        Preview,
        Ruling,
        Elsewhere,
        Certificate,
        Taste,
        Misfit,
        PartNow,
        Told,
        Solution,
        PclError,
    )
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Data of pcl", **found}
