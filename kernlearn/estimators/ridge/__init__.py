"""Estimators of ridge regression and networks."""
