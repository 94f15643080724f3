"""Experiments with simulated users: what they record, and what can be said from it."""
