"""Weights of kernels and of features: simplices, balls, cones and quotients."""
