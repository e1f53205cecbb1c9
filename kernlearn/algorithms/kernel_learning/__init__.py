"""Learning the weights of kernels for an SVM: in two stages, or along with it."""
