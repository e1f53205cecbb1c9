"""Readings of a table: how near they come to print, which are alike, and the page of a search."""
