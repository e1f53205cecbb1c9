"""Machines whose outputs lie in a band, and working sets for these and for large support vector machines."""
