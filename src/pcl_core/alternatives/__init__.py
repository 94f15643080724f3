"""Alternatives: what else could stand in a part, in its context, and whether that is what it was before."""
