"""Estimators that label the examples they are fitted on."""
