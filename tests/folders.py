"""Working folders that are taken away while a program is in them."""

import sys

import pytest

in_a_folder_that_is_gone = pytest.mark.skipif(
    sys.version_info[:3] == (3, 13, 0),
    reason="Python 3.13.0 itself fails in such a folder, at whatever a module does not have",
)
