"""Four days in a city; see `problem.yaml`."""
