"""Evaluation protocols, selection of hyper-parameters and summaries over splits."""

from kernlearn.evaluation.metrics import LARGER_IS_BETTER, SCORES
from kernlearn.evaluation.nested import NESTED_PROTOCOLS, NestedProtocol, NestedSplit
from kernlearn.evaluation.protocols import PROTOCOLS, Protocol, Split
from kernlearn.evaluation.selection import METRICS, Selection, select

__all__ = [
    "LARGER_IS_BETTER",
    "METRICS",
    "NESTED_PROTOCOLS",
    "PROTOCOLS",
    "SCORES",
    "NestedProtocol",
    "NestedSplit",
    "Protocol",
    "Selection",
    "Split",
    "select",
]
