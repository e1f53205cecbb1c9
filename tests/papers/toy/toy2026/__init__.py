"""Nobody (2026), Toys."""
