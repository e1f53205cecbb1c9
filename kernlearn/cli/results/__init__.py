"""Verbs that show what is stored: pages and pictures of results."""
