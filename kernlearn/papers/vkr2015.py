"""Cortes, Goyal, Kuznetsov and Mohri (2015), Voted Kernel Regularization: which experiments are in its tables."""

from collections.abc import Mapping
from typing import Any

#: Names of our data sets that are printed in Table 1 under the same name.
TABLE1_DATASETS = frozenset(
    "breastcancer climate german ionosphere musk ocr49 phishing pima retinopathy vertebral waveform01".split()
)

#: The kernels of Table 1: ``(x.y + 1)^k``, k = 1..10.
TABLE1_KERNEL = {"name": "polynomial", "degrees": list(range(1, 11)), "coef0": 1.0}


def table1_dataset(experiment: Mapping[str, Any]) -> str | None:
    """Return the printed data set name if the experiment has the data, kernels and protocol of Table 1, else None.

    The scaling of examples is left open, because the paper does not state it.
    """
    name = experiment["dataset"]["name"]
    same = experiment["kernel"] == TABLE1_KERNEL and experiment["protocol"]["name"] == "rotation5"
    return name if same and name in TABLE1_DATASETS else None
