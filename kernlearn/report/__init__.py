"""What people read: the summary table and the words on the terminal."""
