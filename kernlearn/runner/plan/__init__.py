"""Checked experiments and their cells: what there is to compute, and how it is told from all else."""
