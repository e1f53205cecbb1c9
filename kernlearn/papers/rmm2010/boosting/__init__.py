"""Chapter 6, boosting."""
