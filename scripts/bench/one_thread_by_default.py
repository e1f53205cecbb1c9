"""Imported before numpy, which reads them when it is loaded: one thread, or as many as the environment says."""

import os

#: What OpenMP, OpenBLAS and MKL are told their number of threads by.
VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")

for name in VARIABLES:
    os.environ.setdefault(name, "1")
