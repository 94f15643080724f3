"""Problems as data: one folder each, registered through the entry-point group `pcl.problems`."""
