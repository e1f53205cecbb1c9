"""Checks of the numbered statements of Rostamizadeh (2010), by subject."""
