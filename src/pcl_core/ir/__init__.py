"""Expressions, domains and tables; their meaning, kinds, bounds and free variables."""
