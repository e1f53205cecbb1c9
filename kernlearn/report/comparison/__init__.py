"""Reports of comparisons: ranked tables, a picture of mean ranks, and a page."""
