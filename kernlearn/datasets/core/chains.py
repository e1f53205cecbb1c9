"""Sequences: what is known of every place of them, one below the other, and where each of them begins."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.datasets.core.raw import RawFeatures
from kernlearn.errors import UserError
from kernlearn.types import Index


@dataclass(frozen=True, eq=False)  # compared and hashed as the object that it is
class Chains:
    """n sequences of N places in all."""

    #: Shape (N, d), or array of shape (N,). The features of every place, or its label: the places of the first
    #: sequence, then those of the second, ...
    values: Any
    #: Shape (n + 1,). Where each sequence begins, and N; no sequence is empty.
    starts: Index

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of sequences, and that of features, if these are features."""
        return (len(self), *self.values.shape[1:])

    @property
    def lengths(self) -> Index:
        """How many places every sequence has, shape (n,)."""
        return np.diff(self.starts)

    def __getitem__(self, rows: Any) -> "Chains":
        """Return some of the sequences, in the order of their numbers `rows`."""
        begin, lengths = self.starts[:-1][rows], self.lengths[rows]
        starts = np.concatenate([[0], np.cumsum(lengths)])
        places = np.repeat(begin - starts[:-1], lengths) + np.arange(starts[-1])
        return Chains(self.values[places], starts)

    def with_values(self, values: Any) -> "Chains":
        """Return the same sequences with something else at their places."""
        return replace(self, values=values)

    def split(self, values: Sequence[Any] | NDArray[Any]) -> Iterator[Any]:
        """Yield what stands at the places of every sequence of some values, one for every place."""
        for a, b in zip(self.starts, self.starts[1:], strict=False):
            yield values[a:b]


def chains_of(lengths: Sequence[int], values: Any) -> Chains:
    """Return sequences of given lengths.

    Raises `UserError` if one is empty; its number is in the message.
    """
    sizes = np.asarray(lengths, dtype=np.intp)
    if len(empty := np.flatnonzero(sizes == 0)):
        raise UserError(f"sequence {empty[0]} (from 0) is empty: leave it out")
    return Chains(values, np.concatenate([np.zeros(1, dtype=np.intp), np.cumsum(sizes)]))


def entries(data: Any) -> Any:
    """Return what stands one below the other: examples, or the places of sequences."""
    return data.values if isinstance(data, Chains | RawFeatures) else data


def with_entries(data: Any, values: Any) -> Any:
    """Return other entries in the form of `data`: as examples, or as the places of the same sequences."""
    return data.with_values(values) if isinstance(data, Chains | RawFeatures) else values


def shifted(chains: Chains, offset: int) -> sparse.csr_array:
    """Return of every place the features `offset` places on in its sequence, zeros where there is none."""
    X, N = chains.values, len(chains.values.indptr) - 1
    first, last = (np.repeat(ends, chains.lengths) for ends in (chains.starts[:-1], chains.starts[1:] - 1))
    source = np.arange(N) + offset
    inside = np.flatnonzero((first <= source) & (source <= last))
    rows = X[source[inside]]
    counts = np.zeros(N, dtype=X.indptr.dtype)
    counts[inside] = np.diff(rows.indptr)
    indptr = np.concatenate([np.zeros(1, dtype=X.indptr.dtype), np.cumsum(counts, dtype=X.indptr.dtype)])
    return sparse.csr_array((rows.data, rows.indices, indptr), shape=X.shape)
