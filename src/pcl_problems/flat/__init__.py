"""The rooms of a flat with their furniture; see `problem.yaml`."""
