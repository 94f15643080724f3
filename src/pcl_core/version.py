"""Which pcl this is. The distribution takes its version from here."""

VERSION = "0.1.0"
