"""What differs between results: tables, verdicts, certificates, models and parameters."""
