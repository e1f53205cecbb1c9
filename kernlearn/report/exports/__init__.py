"""Results as other programs take them: LaTeX, Markdown, CSV, Parquet, JSON and spreadsheets."""
