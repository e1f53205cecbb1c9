"""Shards and the other files of a results directory: read with care, written whole."""
