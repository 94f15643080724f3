"""A computer from components; see `problem.yaml`."""
