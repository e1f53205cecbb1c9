"""Bases of the estimators, by what they predict with."""
