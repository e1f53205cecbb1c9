"""Shalev-Shwartz and Ben-David (2014), Understanding Machine Learning, chapters 15 and 16: SVM and kernel methods."""
