"""Evaluation protocols, selection of hyper-parameters and summaries over splits."""

from kernlearn.evaluation.metrics import LARGER_IS_BETTER, SCORES
from kernlearn.evaluation.nested import NESTED_PROTOCOLS
from kernlearn.evaluation.protocols import SPLIT_PROTOCOLS, NestedSplit, Protocol, Split
from kernlearn.evaluation.selection import METRICS, Selection, select
from kernlearn.plugins import Registry

#: Protocols by name, one configuration file each; those of plug-ins, too.
PROTOCOLS: Registry[Protocol] = Registry("PROTOCOLS", SPLIT_PROTOCOLS | NESTED_PROTOCOLS)

__all__ = [
    "LARGER_IS_BETTER",
    "METRICS",
    "NESTED_PROTOCOLS",
    "PROTOCOLS",
    "SCORES",
    "SPLIT_PROTOCOLS",
    "NestedSplit",
    "Protocol",
    "Selection",
    "Split",
    "select",
]
