"""What every worker needs, imported once: workers are copies of the process that imports this.

There is a worker for each core, so none of them computes with several threads; these would wait for each other. That is
said before numpy is there. Importing makes no garbage to look for, and what is imported here is not looked at again by the
garbage collector, so that copies share it.
"""

import gc
import os

gc.disable()
os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

from pcl_app.studio.work.process import work  # noqa: E402 (no garbage is looked for while this is imported)

__all__ = ["work"]

gc.freeze()
gc.enable()
