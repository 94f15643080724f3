"""Analysis: regret, the theory's quantities and bounds, certificates of local optima."""
