"""Boosting over stumps, and networks of radial basis functions."""
