"""The work of the verbs: plan, run and collect experiments, tables and figures."""
