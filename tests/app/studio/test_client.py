"""The client, as other programs use it."""

import pytest
from examples.order_in_the_canteen import order
from tests.app.studio.servers import TOKEN

from pcl_app.studio import Refused, StudioClient


def test_the_example_orders_a_week_that_is_certified(address: str) -> None:
    done = order(address, TOKEN)
    assert done["certificate"] is not None
    assert done["title"] == "The canteen's week"
    assert len(done["rules"]) == 1


def test_every_method_of_the_client_has_its_route(address: str) -> None:
    with StudioClient(address, TOKEN) as studio:
        week = studio.begin("training", title="mine")
        assert week.id in [it["id"] for it in studio.elicitations()]
        query = week.ask("tue")
        assert query is not None
        assert week.possible()["possible"]["plan[tue,1]"] == ["rest"]
        assert week.preview({"plan[tue,2]": "rest"})["values"]["plan[tue,2]"] == "rest"
        assert week.complete({"plan[tue,2]": "rest"})["values"]["plan[tue,2]"] == "rest"
        week.pin({"plan[tue,2]": "rest"})
        week.unpin("plan[tue,2]")
        assert not week.improve(query["number"], {"plan[tue,3]": "rest"}, final=True)["repeated"]
        assert week.like(only=["wed"])["places"]
        assert week.everywhere(only=["wed"])["places"]
        assert week.preview_rule("never", "plan[*,*]", ["running"])["rule"]["kind"] == "never"
        week.add_rule("at_most", "plan[*,*]", ["running"], 3, "part")
        week.remove_rule(0)
        week.confirm(["thu"])
        asked = week.ask()
        assert asked is not None
        week.skip(asked["number"])
        week.undo()
        assert week.taste()["problem"] == "training"
        assert len(week.log()) == week.look()["events"]
        with pytest.raises(Refused) as refusal:
            week.look_further()
        assert refusal.value.status == 409
        with pytest.raises(Refused) as refusal:
            week.take(asked["number"])
        assert refusal.value.status == 422
        week.stop()
        assert week.ask() is None
