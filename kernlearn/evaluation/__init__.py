"""Evaluation protocols, selection of hyper-parameters and summaries over splits."""

from kernlearn.evaluation.protocols import PROTOCOLS, Protocol, Split
from kernlearn.evaluation.selection import METRICS, Selection, select

__all__ = ["METRICS", "PROTOCOLS", "Protocol", "Selection", "Split", "select"]
