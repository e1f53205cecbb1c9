"""What papers state in theorems and exercises: which of it is computed here, and checks of it by numbers."""
