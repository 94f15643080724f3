"""The grid problem; see `problem.yaml`."""
