"""Certificates for anyone's solution: fitted estimators of other packages, model files, and arrays."""

from kernlearn.certificates.foreign.arrays import certify_arrays
from kernlearn.certificates.foreign.certify import certify
from kernlearn.certificates.foreign.proof import Proof

__all__ = ["Proof", "certify", "certify_arrays"]
