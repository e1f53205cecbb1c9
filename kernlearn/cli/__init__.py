"""The front door: one module a verb, imported when it is called."""
