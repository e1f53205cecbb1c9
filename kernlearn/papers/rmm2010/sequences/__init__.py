"""Chapter 4, structured outputs."""
