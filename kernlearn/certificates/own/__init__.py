"""What is proved of the stored solutions of our own methods, on the data of whoever asks."""
