"""Tables and figures of papers: their descriptions, printed values, claims and verdicts."""
