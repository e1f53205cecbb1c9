"""What is no method: points of a path, the bases of the estimators, what several methods share."""
