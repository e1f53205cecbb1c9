"""Votes of pairs of classes, kept in rows, so that ties and a choice for every pair are functions of what is stored."""

from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from zlib import compress, decompress

import numpy as np
from numpy.typing import NDArray

#: Whether each pair, in the first dimension, chooses its second class for each example.
Choices = NDArray[np.bool_]
Pair = tuple[int, int]
#: Something that is counted, of every pair.
Counts = Mapping[Pair, int]


def pair_errors(choices: Choices, pairs: Sequence[Pair], y: NDArray[Any]) -> dict[Pair, int]:
    """Return how many examples of its two classes every pair gives to the wrong one."""
    return {
        pair: int(np.sum((y == pair[0]) & chosen) + np.sum((y == pair[1]) & ~chosen))
        for pair, chosen in zip(pairs, choices, strict=True)
    }


def to_text(counts: Counts) -> str:
    """Return counts as a row has them, such as ``0-1:3 0-2:0``."""
    return " ".join(f"{first}-{second}:{count}" for (first, second), count in counts.items())


def read(text: str) -> dict[Pair, int]:
    """Undo `to_text`."""
    votes = {}
    for word in text.split():
        pair, _, count = word.partition(":")
        first, _, second = pair.partition("-")
        votes[int(first), int(second)] = int(count)
    return votes


def added(counts: Iterable[Counts]) -> dict[Pair, int]:
    """Return the sums of counts; a pair that some of them lack counts 0 there."""
    total: Counter[Pair] = Counter()
    for one in counts:
        total.update(one)
    return dict(sorted(total.items()))


def pack(choices: Choices) -> str:
    """Return choices, shape (n_pairs, n), as text: eight in a byte, compressed."""
    return b64encode(compress(np.packbits(choices).tobytes(), 9)).decode()


def unpack(text: str, n_pairs: int, n: int) -> Choices:
    """Undo `pack`."""
    bits = np.unpackbits(np.frombuffer(decompress(b64decode(text)), dtype=np.uint8), count=n_pairs * n)
    return bits.astype(bool).reshape(n_pairs, n)
