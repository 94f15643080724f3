"""What every worker needs, imported once: workers are copies of the process that imports this.

There is a worker for each core, so none of them computes with several threads. Importing makes no garbage to look for, and
what is imported here is not looked at again by the garbage collector, so that copies share it.
"""

import gc

from pcl_app.threads import one_thread

gc.disable()
one_thread()

from pcl_app.studio.work.process import work  # noqa: E402 (no garbage is looked for while this is imported)

__all__ = ["work"]

gc.freeze()
gc.enable()
