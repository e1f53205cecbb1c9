"""Plan, execution and storage of experiments."""
