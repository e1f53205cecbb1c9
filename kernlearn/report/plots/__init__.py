"""Pictures of results: what each one shows, as SVG for pages and by matplotlib for print."""
