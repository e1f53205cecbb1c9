"""Protocols: how examples are split into training, validation and test sets."""
