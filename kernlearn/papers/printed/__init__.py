"""Values as printed in the papers, one CSV file a table."""
