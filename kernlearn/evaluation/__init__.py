"""Evaluation protocols, selection of hyper-parameters and summaries over splits."""

from kernlearn.evaluation.benchmark import BENCHMARK_PROTOCOLS, median_of_first
from kernlearn.evaluation.metrics import METRICS, SCORES, Metric
from kernlearn.evaluation.nested import NESTED_PROTOCOLS
from kernlearn.evaluation.protocols import SPLIT_PROTOCOLS, NestedSplit, Protocol, Split
from kernlearn.evaluation.published import PUBLISHED_PROTOCOLS
from kernlearn.evaluation.selection import Selection, select
from kernlearn.evaluation.stopping import patience
from kernlearn.plugins import Registry

#: Protocols by name, one configuration file each; those of plug-ins, too.
PROTOCOLS: Registry[Protocol] = Registry(
    "PROTOCOLS", SPLIT_PROTOCOLS | NESTED_PROTOCOLS | PUBLISHED_PROTOCOLS | BENCHMARK_PROTOCOLS
)

__all__ = [
    "BENCHMARK_PROTOCOLS",
    "METRICS",
    "NESTED_PROTOCOLS",
    "PROTOCOLS",
    "PUBLISHED_PROTOCOLS",
    "SCORES",
    "SPLIT_PROTOCOLS",
    "Metric",
    "NestedSplit",
    "Protocol",
    "Selection",
    "Split",
    "median_of_first",
    "patience",
    "select",
]
