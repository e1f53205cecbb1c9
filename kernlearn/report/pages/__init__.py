"""Results as self-contained pages of HTML: what each page shows, and the templates, style and script that show it."""
