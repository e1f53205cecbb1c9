"""Cortes, Goyal, Kuznetsov and Mohri (2015), Voted Kernel Regularization."""
