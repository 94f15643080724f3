"""A computer shop that lets its customers say, part by part, what they want; see README.md."""
