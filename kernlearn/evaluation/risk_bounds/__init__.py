"""Bounds of the risk by the data: Rademacher complexities, Bernstein, margins."""
