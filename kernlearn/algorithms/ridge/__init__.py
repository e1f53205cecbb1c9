"""Kernel ridge regression, with given kernels or with weights that are learned along with it."""
