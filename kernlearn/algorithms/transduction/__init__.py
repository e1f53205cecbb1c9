"""Transduction on graphs: methods that learn the values of a function on all examples that are seen."""
