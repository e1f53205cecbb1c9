"""Evaluation protocols, selection of hyper-parameters and summaries over splits."""

from kernlearn.evaluation.protocols import PROTOCOLS, Protocol, Split
from kernlearn.evaluation.selection import Selection, select

__all__ = ["PROTOCOLS", "Protocol", "Selection", "Split", "select"]
