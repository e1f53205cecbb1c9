"""Estimators that learn a kernel."""
