"""Structured output: labels of sequences, predicted together."""
