"""Machines and random fields for label sequences and for all classes at once: cuts, flows and descent."""
