"""Certificates: the value of a problem at a predictor as it is handed out, and a lower bound of the optimal value.

One function a problem. Each takes the data of the problem, the predictor and a dual point, and knows nothing of how
they were found: no solver is imported here.
"""

from kernlearn.certificates.band import band
from kernlearn.certificates.certificate import Certificate, relative_gap, status_of
from kernlearn.certificates.hinge_l1 import hinge_l1
from kernlearn.certificates.kernel_weights import weighted_svm
from kernlearn.certificates.multiclass import group_norm_multiclass, weighted_multiclass
from kernlearn.certificates.outputs import Matrix
from kernlearn.certificates.svm import hard_svm, svm

__all__ = [
    "Certificate",
    "Matrix",
    "band",
    "group_norm_multiclass",
    "hard_svm",
    "hinge_l1",
    "relative_gap",
    "status_of",
    "svm",
    "weighted_multiclass",
    "weighted_svm",
]
