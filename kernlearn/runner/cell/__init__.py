"""Cells of an experiment: their definition, and how their grids are solved and measured."""
