"""Cortes, Kloft and Mohri (2013), Learning Kernels Using Local Rademacher Complexity.

The data here are stand-ins, so the claims in words are all that can be checked.
"""
