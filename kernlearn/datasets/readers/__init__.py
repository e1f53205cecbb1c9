"""Readers of files, by format, and the one table of how a file was understood."""
