"""A plug-in with a paper of its own: a table, and a figure with repetitions; nothing else knows of them."""

PAPERS = "tests.papers.toy"
