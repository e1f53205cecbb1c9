"""The verbs that show the results of finished and running work."""
