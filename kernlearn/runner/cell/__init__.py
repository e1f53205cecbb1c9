"""What a cell is, and how its grid is solved and measured."""
