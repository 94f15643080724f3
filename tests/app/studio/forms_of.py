"""Plain data as the desk hands it out, made from a live elicitation without a server."""

from types import SimpleNamespace
from typing import Any, cast

from pcl_app.studio.forms import PageForm, ProblemForm, RuleForm
from pcl_app.studio.views import Called
from pcl_app.studio.work.describing import described
from pcl_app.studio.work.drafts import page
from pcl_app.studio.work.live import Live
from pcl_core import Elicitation, Problem, load


def live_of(problem: str | Problem) -> Live:
    """An elicitation as a worker holds it, but in memory."""
    found = load(problem) if isinstance(problem, str) else problem
    kept = SimpleNamespace(id="it", title="", problem=found.name, uploaded=None, created=0.0)
    return cast(Live, SimpleNamespace(kept=kept, store=None, elicitation=Elicitation(found)))


def names_of(live: Live) -> Called:
    rules = [cast(RuleForm, rule.data()) for rule in live.elicitation.rules]
    return Called(cast(ProblemForm, described(live.elicitation.problem)), rules)


def page_of(
    live: Live,
    part: str | None = None,
    fields: dict[str, Any] | None = None,
    *completed: str,
    ranked: str | None = None,
) -> PageForm:
    """What the desk says for a page; `fields` go by variable here."""
    by_name = names_of(live).fields
    texts = {by_name[name]: value for name, value in (fields or {}).items()}
    filled = [by_name[name] for name in completed]
    return cast(PageForm, page(live, part, texts, filled, None if ranked is None else by_name[ranked]))
