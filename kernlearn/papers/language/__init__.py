"""The language of claims: expressions over the measured columns of a table, which are checked and never executed."""
