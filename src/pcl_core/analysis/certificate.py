"""A certificate that no single part can be improved: what was confirmed when, and how to check it again."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, NamedTuple

from pcl_core.documents.forms import read_form
from pcl_core.errors import Code, Issue, RequestError
from pcl_core.ir.domains import Value
from pcl_core.json_form import JsonForm
from pcl_core.learn.stopping import How, Stop
from pcl_core.model.configuration import Configuration
from pcl_core.model.evaluation import Vector
from pcl_core.model.own_rules import OwnRule, bind, broken_rules, under
from pcl_core.solve.asking import read_weights
from pcl_core.solve.oracle import Oracle
from pcl_core.users.utility import PartView


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
    """For each part in `confirmed`: by word, or, closed by known facts, in a look at several together."""
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
        return all(part in self.confirmed for part in self.parts)

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

    @property
    def holds(self) -> bool:
        return not self.improvable and not self.pairs


def verify(certificate: Certificate, oracle: Oracle, weights: Vector) -> Verification:
    """Check that no part of the certified configuration can be improved for these weights, under her rules.

    Of two parts at once those are checked that the certificate lists.
    """
    problem = oracle.problem
    true = read_weights(weights, len(problem.features))
    if not problem.goes_by(certificate.problem_hash):
        raise RequestError(
            Issue(Code.LOG_OF_ANOTHER_PROBLEM, f"the certificate is not for this problem '{problem.name}'")
        )
    for name, value in certificate.pins.items():
        if certificate.configuration.get(name) != value:
            message = f"the certificate says that '{name}' is pinned to {value!r:.60}, which is not what stands there"
            raise RequestError(Issue(Code.BAD_CONFIGURATION, message))
    rules = tuple(bind(problem, rule) for rule in certificate.rules)
    if broken := broken_rules(rules, certificate.configuration):
        message = f"the certificate lists the rule '{broken[0].words:.80}', which what stands there breaks"
        raise RequestError(Issue(Code.BAD_CONFIGURATION, message))
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
