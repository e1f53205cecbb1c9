"""What the verbs do: experiments, tables and figures, planned, run and collected."""
