"""Experiments, in the order in which one happens: plan, run, record, judge, show. Later rooms know earlier ones."""
