"""The training problem; see `problem.yaml`."""
