"""Chapter 5, transduction on graphs."""
