"""The catalogue of data sets, where their files are, and how they are downloaded."""
