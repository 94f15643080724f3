"""Running it: cells, whoever works, and what is kept of finished work."""
