"""What all data sets are made of: tables of text, their columns and labels, arrays, chains."""
