"""Evaluation protocols, rules that choose hyper-parameters, and summaries over splits."""

from collections.abc import Mapping
from typing import Any

from kernlearn.evaluation import tallies, votes
from kernlearn.evaluation.metrics import METRICS, SCORES, Metric
from kernlearn.evaluation.rows import Row, number
from kernlearn.evaluation.rules import AS_USUAL, RULES, ChosenBy, select
from kernlearn.evaluation.selection import Selection, best_of
from kernlearn.evaluation.splits.benchmark import BENCHMARK_PROTOCOLS
from kernlearn.evaluation.splits.nested import NESTED_PROTOCOLS
from kernlearn.evaluation.splits.protocols import SPLIT_PROTOCOLS, NestedSplit, Protocol, Split
from kernlearn.evaluation.splits.published import PUBLISHED_PROTOCOLS
from kernlearn.evaluation.splits.stratified import STRATIFIED_PROTOCOLS
from kernlearn.evaluation.splits.swapping import SWAP_PROTOCOLS
from kernlearn.evaluation.splits.transduction import TRANSDUCTION_PROTOCOLS
from kernlearn.plugins import Registry

#: Protocols by name, one configuration file each; those of plug-ins, too.
PROTOCOLS: Registry[Protocol] = Registry(
    "PROTOCOLS",
    SPLIT_PROTOCOLS
    | SWAP_PROTOCOLS
    | NESTED_PROTOCOLS
    | STRATIFIED_PROTOCOLS
    | PUBLISHED_PROTOCOLS
    | BENCHMARK_PROTOCOLS
    | TRANSDUCTION_PROTOCOLS,
)


def protocol_of(values: Mapping[str, Any]) -> Protocol:
    """Return the protocol of a configuration: its name, and the values that it takes."""
    given = dict(values)
    protocol = PROTOCOLS[given.pop("name")]
    return protocol.made(**given) if protocol.made else protocol


__all__ = [
    "AS_USUAL",
    "METRICS",
    "PROTOCOLS",
    "RULES",
    "SCORES",
    "SPLIT_PROTOCOLS",
    "ChosenBy",
    "Metric",
    "NestedSplit",
    "Row",
    "Selection",
    "Split",
    "best_of",
    "number",
    "protocol_of",
    "select",
    "tallies",
    "votes",
]
