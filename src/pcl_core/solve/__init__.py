"""Asking solvers and never believing them."""
