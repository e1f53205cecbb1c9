"""Estimators of margin machines."""
