"""The kernel families, each with its parameters, and the registry of all of them."""
