"""The verbs of models, one module each."""
