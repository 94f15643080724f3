"""A whole configuration is looked at again each time, also where the same one held before."""

from pcl_core.ir.domains import IntVariable, Value
from pcl_core.solve.asking import Domains


def test_what_held_once_is_no_excuse_for_what_does_not() -> None:
    domains = Domains([IntVariable(name="a", lower=0, upper=3), IntVariable(name="b", lower=0, upper=3)])
    fits: dict[str, Value] = {"a": 1, "b": 2}
    assert domains.hold(fits)
    assert domains.hold(fits)
    for name, wrong in [("a", True), ("a", 4), ("b", -1), ("b", "2"), ("b", 2.0)]:
        assert not domains.hold({**fits, name: wrong}), wrong  # type: ignore[dict-item]
    assert not domains.hold({"a": 1})
    assert domains.hold(fits)
