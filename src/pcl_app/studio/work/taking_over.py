"""A log of `pcl elicit`, as an elicitation of the studio."""

import hashlib
import hmac
from pathlib import Path

from pcl_app.studio.settings import StudioSettings
from pcl_app.studio.storage import Kept, Records, opened
from pcl_app.studio.work.live import Lives
from pcl_core.elicitation import Started, read_events, read_lines


def taken_over(settings: StudioSettings, owner: str, log: Path) -> str:
    """The id under which a log is in the database; the same log, taken over again, is the one that is there."""
    events = read_lines(log)
    started = read_events(log)[0]
    assert isinstance(started, Started)
    engine = opened(settings.database)
    records = Records(engine)
    secret = records.secret("logs").encode()
    id = hmac.new(secret, f"{owner}\0{events[0]}".encode(), hashlib.sha256).hexdigest()[:32]
    if records.elicitation(id) is None:
        records.know(owner)
        Lives(engine).take_over(Kept(id, owner, started.problem, None, log.stem[:200], started.at), events)
    engine.dispose()
    return id
