"""Verbs that show what is stored, and compute nothing."""
