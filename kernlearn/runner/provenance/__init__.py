"""Provenance: the source, machine, time and memory of computed results."""
