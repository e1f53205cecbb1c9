"""Shards and the other files of a results directory. Reading checks them, and writing is atomic."""
