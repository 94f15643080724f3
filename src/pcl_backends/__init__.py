"""Solvers behind one protocol, one small file each."""
