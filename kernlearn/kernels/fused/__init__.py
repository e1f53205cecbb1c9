"""Sums over kernel values of dense examples with few features, of which none leaves the cache."""
