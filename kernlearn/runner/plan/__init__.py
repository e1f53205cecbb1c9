"""Checked experiments and their cells: the work to compute, and its unique names."""
