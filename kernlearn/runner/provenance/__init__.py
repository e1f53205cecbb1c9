"""Who computed what, by which source, on which machine, and what it took."""
