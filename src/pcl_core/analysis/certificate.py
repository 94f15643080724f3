"""A certificate that no single part can be improved: what was confirmed when, and how to check it again."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple, get_args

from pcl_core.documents.forms import read_form
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.json_form import JsonForm
from pcl_core.learn.stopping import How, Stop
from pcl_core.model.assignment import missing_values, read_values
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Vector, assess
from pcl_core.model.own_rules import BoundRule, OwnRule, bind, broken_rules, under
from pcl_core.model.problem import Problem
from pcl_core.solve.asking import read_weights
from pcl_core.solve.oracle import Oracle


class Passed(NamedTuple):
    """A part that was confirmed in its turn, and at which query."""

    part: str
    query: int


class Together(NamedTuple):
    """Two parts that cannot be improved together either, and at which query that was said."""

    first: str
    second: str
    query: int


@dataclass(frozen=True)
class Certificate(JsonForm):
    """A person was satisfied with every part of this configuration (Lemma 1), or with all of them twice (Prop. 3)."""

    FORM: ClassVar[tuple[str, ...]] = (
        *("problem_hash", "configuration", "rule", "confirmed", "unchanged_since", "passes", "pins", "parts"),
        *("how", "rules", "pairs", "by_lemma"),
    )
    SHOWN = ("configuration", "confirmed", "how", "rules", "pins", "pairs")
    problem_hash: str
    configuration: Configuration
    rule: Stop
    confirmed: Mapping[str, int]
    """For each part the query of its latest confirmation since the configuration last changed."""
    unchanged_since: int
    """The query at which the configuration last changed; 0 is the start."""
    passes: tuple[Passed, ...]
    """For `two-pass`: the parts confirmed in order, with their queries."""
    pins: Mapping[str, Value]
    """What the person had pinned; the certificate is for what may stand beside these."""
    parts: tuple[str, ...]
    how: Mapping[str, How] = field(default_factory=dict)
    """For each part in `confirmed`: by word, or in a look at several that facts had closed or the belief had settled."""
    rules: tuple[OwnRule, ...] = ()
    """Her own rules; the certificate is for what these allow."""
    pairs: tuple[Together, ...] = ()
    """Two parts at once for which it holds as well, where she looked further."""

    @property
    def by_lemma(self) -> bool:
        """Whether every part was confirmed since the configuration last changed.

        This always proves a local optimum. `two-pass` alone proves one only where no hard constraint ties parts
        together (else a part's allowed values can change between its two confirmations), and where proposals are
        proven best on J.
        """
        since = [self.confirmed.get(part, -1) for part in self.parts]
        return min(since, default=-1) >= self.unchanged_since

    @classmethod
    def from_data(cls, data: Mapping[str, object]) -> "Certificate":
        """A certificate that was kept as JSON, to be verified."""
        found = read_form(cls, data)
        said = found.pop("by_lemma")
        passes = tuple(Passed(it.part, it.query) for it in found["passes"])
        rules = tuple(OwnRule(*(getattr(it, name) for name in OwnRule.FORM)) for it in found["rules"])
        pairs = tuple(Together(it.first, it.second, it.query) for it in found["pairs"])
        made = cls(**{**found, "passes": passes, "rules": rules, "pairs": pairs})
        if made.by_lemma != said:
            message = f"by_lemma is {said}, which is not what follows from the parts that were confirmed"
            raise RequestError(Issue(Code.BAD_VALUE, message))
        return made


@dataclass(frozen=True)
class Verification:
    """What an oracle with the true weights says of a certificate."""

    improvable: Mapping[str, float]
    """Parts that can be improved after all, with their conditional regret."""

    pairs: Mapping[tuple[str, str], float] = field(default_factory=dict)
    """Pairs of the certificate that can be improved after all, likewise."""

    wrong: tuple[str, ...] = ()
    """What the certificate says that cannot be, whatever the weights; then nothing else was looked at."""

    @property
    def holds(self) -> bool:
        return not self.improvable and not self.pairs and not self.wrong


def verify(certificate: Certificate, oracle: Oracle, weights: Vector) -> Verification:
    """Check all that a certificate says: what stands in it, what was confirmed when, and that nothing is better.

    No part of the certified configuration can be improved for these weights, under her rules and around her pins. Of two
    parts at once those are checked that the certificate lists.
    """
    from pcl_core.users.utility import PartView  # here, with all of `users`: who elicits makes certificates without it

    problem = oracle.problem
    true = read_weights(weights, len(problem.features))
    if not problem.goes_by(certificate.problem_hash):
        raise RequestError(
            Issue(Code.LOG_OF_ANOTHER_PROBLEM, f"the certificate is not for this problem '{problem.name}'")
        )
    rules, wrong = _bound(problem, certificate)
    if wrong := (
        *wrong,
        *_wrong_in_what_stands(problem, certificate, rules),
        *_wrong_in_what_was_said(problem, certificate),
    ):
        return Verification({}, {}, wrong)
    if rules:
        oracle = oracle.restricted(under(problem, rules))

    def view(part: int, beside: int | None = None) -> PartView:
        where = problem.structure.part_of_variable
        fixed = {name: value for name, value in certificate.pins.items() if where[name] in (part, beside)}
        return PartView(oracle, true, part, certificate.configuration, fixed, beside)

    singles = {part.name: view(position) for position, part in enumerate(problem.parts)}
    at = problem.part_position
    pairs = {(first, second): view(at(first), at(second)) for first, second, _ in certificate.pairs}
    return Verification(
        {name: found.conditional_regret for name, found in singles.items() if not found.is_best},
        {names: found.conditional_regret for names, found in pairs.items() if not found.is_best},
    )


def _bound(problem: Problem, certificate: Certificate) -> tuple[tuple[BoundRule, ...], tuple[str, ...]]:
    """Her rules for this problem, and why some are none."""
    rules, wrong = list[BoundRule](), list[str]()
    for rule in certificate.rules:
        try:
            rules.append(bind(problem, rule))
        except RequestError as error:
            wrong.append(f"the rule '{rule.words:.80}' says nothing about this problem: {error.message}")
    return tuple(rules), tuple(wrong)


def _wrong_in_what_stands(problem: Problem, certificate: Certificate, rules: tuple[BoundRule, ...]) -> Iterator[str]:
    """A configuration of the problem that is feasible, obeys her rules and has what she pinned."""
    variables = problem.symbols.variables
    x, issues = read_values(variables, certificate.configuration)
    if issues := [*issues, *missing_values(variables, certificate.configuration)]:
        yield from (issue.message for issue in issues)
        return
    if violated := assess(problem, x).violated:
        yield f"what stands there violates the constraint '{violated[0]:.80}'"
    for name, value in certificate.pins.items():
        if name not in variables:
            yield f"unknown variable '{name!s:.80}' is pinned"
        elif x[name] != value:
            yield f"'{name}' is pinned to {value!r:.60}, which is not what stands there"
    for broken in broken_rules(rules, x):
        yield f"the certificate lists the rule '{broken.words:.80}', which what stands there breaks"


def _wrong_in_what_was_said(problem: Problem, certificate: Certificate) -> Iterator[str]:
    """Parts of the problem, each confirmed since the configuration last changed, or all of them in order, twice."""
    since, names = certificate.unchanged_since, tuple(part.name for part in problem.parts)
    if certificate.parts != names:
        yield "its parts are not those of the problem"
    if set(certificate.how) != set(certificate.confirmed):
        yield "how parts were confirmed is not said of those that were"
    for name, how in certificate.how.items():
        if how not in get_args(How):
            yield f"'{name!s:.80}' was confirmed {how!r:.60}, which is no way to do it"
    said = [*certificate.confirmed.items(), *(it for a, b, at in certificate.pairs for it in ((a, at), (b, at)))]
    for name, query in said:
        if name not in names:
            yield f"unknown part '{name!s:.80}' was confirmed"
        elif query < since:
            yield f"'{name}' was confirmed at query {query}, and the configuration changed at query {since}"
    for first, second, _ in certificate.pairs:
        if first == second:
            yield f"'{first!s:.80}' twice is not two parts"
    if certificate.rule == "certificate" and (missing := [name for name in names if name not in certificate.confirmed]):
        yield f"'{missing[0]}' was not confirmed since the configuration last changed"
    if certificate.rule == "two-pass" and not _twice_in_order(certificate.passes, names):
        yield "the parts were not confirmed in order twice"
    if certificate.rule not in ("certificate", "two-pass"):
        yield f"the stopping rule {certificate.rule!r:.60} certifies nothing"


def _twice_in_order(passes: tuple[Passed, ...], names: tuple[str, ...]) -> bool:
    order, queries = [part for part, _ in passes], [query for _, query in passes]
    once = order[: len(names)]
    return order == once * 2 and sorted(once) == sorted(names) and queries == sorted(queries)
