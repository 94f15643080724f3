"""The command line and what is built on it."""
