"""Reports for people: summary tables, reproduced tables and figures, and the output on the terminal."""
