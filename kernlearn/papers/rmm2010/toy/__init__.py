"""Chapters 1 to 3 on data that are drawn."""
