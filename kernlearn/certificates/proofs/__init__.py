"""What is proved of a solution, whoever found it: problems as losses with a penalty, dual points, and the record."""
