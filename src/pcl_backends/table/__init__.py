"""`table`: enumeration. `backend` is the whole of it in words; the rest is how a utility is computed at many points."""

from pcl_backends.table.backend import PreparedTable, TableBackend, combinations
from pcl_backends.table.listing import Prospect

__all__ = ["PreparedTable", "Prospect", "TableBackend", "combinations"]
