"""Elicitation: ask and tell, with an event log that everything else is derived from."""
