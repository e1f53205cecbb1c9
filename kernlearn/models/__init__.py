"""The model file: a fitted estimator as JSON and arrays, with what proves it, and nothing that runs."""

from kernlearn.models.file import load, save

__all__ = ["load", "save"]
