"""A family's meals for a week; see `problem.yaml`."""
