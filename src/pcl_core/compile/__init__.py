"""From a problem and a scope to a model that any solver can take."""
