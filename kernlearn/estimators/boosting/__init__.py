"""Estimators of boosting."""
