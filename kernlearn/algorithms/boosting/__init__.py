"""Boosting: weighted votes of decision stumps, one more in every round, or weighed anew."""
