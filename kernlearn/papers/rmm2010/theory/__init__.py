"""The numbered statements of all chapters as checks."""
