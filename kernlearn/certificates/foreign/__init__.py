"""Certificates for anyone's solution: fitted estimators, model files of LibSVM, and arrays."""

from kernlearn.certificates.foreign.certify import certify
from kernlearn.certificates.proofs.arrays import certify_arrays
from kernlearn.certificates.proofs.proof import Proof

__all__ = ["Proof", "certify", "certify_arrays"]
