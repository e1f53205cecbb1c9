"""The files of papers of one's own, which may come from anywhere: read as data, within stated bounds."""
