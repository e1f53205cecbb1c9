"""Verbs that show stored results: pages, pictures, exports, differences and progress."""
