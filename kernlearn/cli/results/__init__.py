"""What stored results show: pictures."""
