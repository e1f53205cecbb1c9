"""Rostamizadeh (2010), Theoretical Foundations and Algorithms for Learning with Multiple Kernels."""
