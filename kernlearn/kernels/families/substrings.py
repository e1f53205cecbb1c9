# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""The kernel of common substrings, by an automaton of all sequences at once.

The substring kernel counts every string once, however often it occurs::

    K_d(x, z) = |{u : 1 <= |u| <= d, u is a substring of x and of z}| = <psi(x), psi(z)> ,   psi(x)_u = 1[u in x]

The empty string, a substring of all, is not counted: with it every value would be greater by 1. Source: Shalev-Shwartz
and Ben-David (2014), Understanding Machine Learning, section 16.2.

Strings are not listed, of which a sequence of length n has up to n^2 / 2. In the suffix automaton of all sequences
together (Blumer et al., 1987) a state stands for the strings that end at the same places: a sequence has all of them as
substrings or none. The strings of state v are one each of the lengths ``len(link(v)) + 1, ..., len(v)``, so that::

    K_d(x, z) = sum_{v of x and of z}  min(len(v), d) - min(len(link(v)), d)                                   (1)
"""

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.compiled import compiled
from kernlearn.kernels.core.choice import LENGTHS, KernelChoice
from kernlearn.kernels.core.family import KernelFamily, layer, make_members
from kernlearn.kernels.families.sequences import Codes, integer_codes
from kernlearn.memory import require
from kernlearn.parameters import Parameter
from kernlearn.types import Array


def substring(lengths: Sequence[int]) -> KernelFamily:
    """Substring kernels ``K_d``: the number of different strings of length 1 to d that are in both sequences.

    Raises `UserError` if a length is not a positive integer.

    Parameters
    ----------
    lengths : sequence of int >= 1
        One kernel for every d; one not less than the length of the sequences counts all their substrings.
    """
    members = make_members("lengths", lengths, integer=True)
    order = tuple(member["length"] for member in members)
    return KernelFamily("substring", members, partial(common_substrings, lengths=order), partial(layer, order=order))


def common_substrings(X: Array, Z: Array, lengths: Sequence[int]) -> Array:
    """Return ``K_d(x, z)`` of every length d, shape (len(X), len(Z), len(lengths)).

    Raises `UserError` if a value is not a code, or the automaton needs more memory than is available.
    """
    same = X is Z
    codes = integer_codes("substring", X if same else np.concatenate([X, Z]))
    automaton = suffix_automaton(codes)
    longest, shorter = automaton.length[:, None], automaton.length[automaton.link, None]
    worth = np.minimum(longest, lengths) - np.minimum(shorter, lengths)  # the terms of (1)
    worth[0] = 0  # the empty string
    counted = np.flatnonzero(worth.any(axis=1))
    members = automaton.members(codes)[:, counted]
    x, z = (members, members) if same else (members[: len(X)], members[len(X) :])
    K = np.zeros((len(X), len(Z), len(lengths)))
    of_state = z.tocsc()
    starts = of_state.indptr[:-1].copy()
    _add_common(
        x.indptr, x.indices, starts, of_state.indptr, of_state.indices, worth[counted].astype(np.float64), same, K
    )
    return K


class Automaton(NamedTuple):
    """The suffix automaton of some sequences; state 0 is the empty string."""

    #: Shape (n_states, n_letters): the state that a letter leads to; -1 where none of the sequences goes on so.
    step: NDArray[np.int32]
    #: Shape (n_states,): the state of the longest suffix that ends at more places; of state 0, -1.
    link: NDArray[np.int32]
    #: Shape (n_states,): of the longest string of a state.
    length: NDArray[np.int32]

    def members(self, codes: Codes) -> sparse.csr_array:
        """Return which states stand for substrings of which of the sequences that it is of, one row a sequence."""
        ends = np.zeros(len(codes) + 1, dtype=np.int64)
        states = _states(_letters(codes), self.step, self.link, ends)
        members = sparse.csr_array((np.ones(len(states)), states, ends), shape=(len(codes), len(self.link)))
        members.sort_indices()
        return members


def suffix_automaton(codes: Codes) -> Automaton:
    """Return the suffix automaton of sequences, shape (n, longest); a negative code ends a sequence.

    Raises `UserError` if it needs more memory than is available.
    """
    letters = _letters(codes)
    n_states, n_letters = 2 * int((codes >= 0).sum()) + 1, int(letters.max(initial=0)) + 1
    require(
        4.0 * n_states * (n_letters + 2),
        f"the states of the automaton of {len(codes)} sequences",
        "use fewer or shorter ones",
    )
    step = np.full((n_states, n_letters), -1, dtype=np.int32)
    link, length = np.full(n_states, -1, dtype=np.int32), np.zeros(n_states, dtype=np.int32)
    made = _build(letters, step, link, length)
    return Automaton(step[:made], link[:made], length[:made])


def _letters(codes: Codes) -> Codes:
    """Return codes as numbers 0, 1, ... without a gap; those beyond the end of a sequence stay negative."""
    used = np.unique(codes[codes >= 0])
    return np.where(codes >= 0, np.searchsorted(used, codes), -1)


@compiled
def _build(letters, step, link, length):
    """Add one sequence after the other to an automaton of none; return the number of states."""
    made = 1
    for row in letters:
        last = 0
        for c in row:
            if c < 0:
                break
            before, last = last, step[last, c]
            if last >= 0:  # an earlier sequence has gone here
                if length[last] != length[before] + 1:
                    last, made = _split(before, c, step, link, length, made), made + 1
                continue
            last, made = made, made + 1
            length[last] = length[before] + 1
            while before >= 0 and step[before, c] < 0:
                step[before, c] = last
                before = link[before]
            if before < 0:
                link[last] = 0
            elif length[step[before, c]] == length[before] + 1:
                link[last] = step[before, c]
            else:
                link[last] = _split(before, c, step, link, length, made)
                made += 1
    return made


@compiled
def _split(before, c, step, link, length, new):
    """Give the strings up to one letter more than those of `before` a state of their own, `new`, and return it."""
    original = step[before, c]
    length[new] = length[before] + 1
    step[new] = step[original]
    link[new] = link[original]
    link[original] = new
    while before >= 0 and step[before, c] == original:
        step[before, c] = new
        before = link[before]
    return new


@compiled
def _states(letters, step, link, ends):
    """Return the states of every sequence but state 0, those of one after those of the other, and where they end.

    Those of the strings that end at a place are the state of the longest, and all that its links lead to.
    """
    seen = np.full(len(link), -1, dtype=np.int64)
    states = np.empty(4 * letters.size + 1, dtype=np.int32)
    n = 0
    for i in range(len(letters)):
        at = 0
        for c in letters[i]:
            if c < 0:
                break
            at = step[at, c]
            v = at
            while v > 0 and seen[v] != i:
                if n == len(states):
                    states = np.concatenate((states, np.empty_like(states)))
                seen[v], states[n] = i, v
                n += 1
                v = link[v]
        ends[i + 1] = n
    return states[:n]


@compiled
def _add_common(x_ends, x_states, starts, state_ends, examples, worth, same, K):
    """Add the worth of every state of x to the kernels with all z that have it, from `starts` on.

    Where x and z are the same, only with x itself and those after it, what is before is passed over for good; and the
    kernels of later with earlier ones are those of earlier with later ones.
    """
    for i in range(len(K)):
        total = K[i]
        for s in range(x_ends[i], x_ends[i + 1]):
            v = x_states[s]
            for t in range(starts[v], state_ends[v + 1]):
                for k in range(total.shape[1]):
                    total[examples[t], k] += worth[v, k]
            starts[v] += same
        if same:
            for j in range(i + 1, len(K)):
                K[j, i] = total[j]


KERNELS = {
    "substring": KernelChoice(
        substring,
        {
            "lengths": Parameter(
                [1, 2, 3, 4, 6, 8], LENGTHS, "longest substrings, one kernel for each; with scaling=none"
            )
        },
        "sequences",
    )
}
