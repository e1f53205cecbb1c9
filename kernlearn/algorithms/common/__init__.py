"""What is no method: problems, points of a path, predictors, what several methods share."""
