"""Drafts of papers of one's own, from a table of printed numbers."""
