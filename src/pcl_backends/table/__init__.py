"""`table`: enumeration. `backend` is the whole of it in words; the rest is how a utility is computed at many points."""

from pcl_backends.table.backend import PreparedTable, TableBackend, size_of

__all__ = ["PreparedTable", "TableBackend", "size_of"]
