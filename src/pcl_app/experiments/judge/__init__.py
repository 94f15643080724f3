"""What the records say: statistics, comparisons, claims and their verdicts."""
