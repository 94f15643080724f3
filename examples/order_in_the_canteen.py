"""An elicitation inside another program: a canteen asks its studio, and orders what came of it.

    pcl serve --token T --port 8765
    python examples/order_in_the_canteen.py http://127.0.0.1:8765 T

The canteen knows nothing of learning or solving. It has a rule of the house, fixes one thing, confirms the rest, and reads the
result. What was said is in the studio, where a person may go on with it in a browser.
"""

import sys

from pcl_app.studio import Refused, StudioClient
from pcl_app.studio.forms import Look


def order(address: str, token: str) -> Look:
    """The week's menu as the canteen wants it: all that the studio says of it."""
    with StudioClient(address, token) as studio:
        menu = studio.begin("meals", title="The canteen's week")
        problem = studio.problem("meals")
        variable = next(it for it in problem["variables"] if it["kind"] == "label" and len(it["values"] or ()) > 2)
        try:
            menu.add_rule("never", variable["name"], [(variable["values"] or [""])[0]])
        except Refused as refusal:  # the kitchen cannot do without it, and the answer names what is in the way
            print(f"not possible: {refusal.error['message']} {refusal.error['conflict']}")
        while (query := menu.ask()) is not None:
            if query["suggestion"]:
                menu.take(query["number"])
            else:
                menu.accept(query["number"])
        return menu.look()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    done = order(*sys.argv[1:3])
    print(f"{len(done['configuration'])} things ordered. {' '.join(done['certainty'])}")
