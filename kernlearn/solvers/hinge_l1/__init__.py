"""The hinge loss with a weighted 1-norm: interior points over the columns that matter, priced round by round."""
