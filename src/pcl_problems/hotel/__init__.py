"""The hotel problem; see `problem.yaml`."""
