"""Chapter 2 on digits, news groups and benchmark data."""
