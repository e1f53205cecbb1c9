"""The contract of a method: problem, METHOD, path of points, predictors."""
