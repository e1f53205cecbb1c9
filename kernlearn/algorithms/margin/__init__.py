"""Large margins with given kernels: voted kernels, the norm-1 SVM, the SVM."""
