"""Families of kernels on sequences.

An example is a row of whole numbers, one code a position; the first negative code ends a sequence that is shorter than
the row. Codes are names, not quantities: they are only ever compared with each other.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray
from scipy import sparse

from kernlearn.errors import UserError
from kernlearn.kernels.core.choice import GAMMAS, LENGTHS, POSITIVE, KernelChoice
from kernlearn.kernels.core.family import KernelFamily, exponential, layer, make_members
from kernlearn.parameters import Number, Parameter
from kernlearn.types import Array

Codes = NDArray[np.int64]

#: Entries of the table of a dynamic program in memory at once: what fits in a processor's cache.
BLOCK_ENTRIES = 2**17


def edit_distance(
    gammas: Sequence[float], insertion: float = 1.0, deletion: float = 1.0, substitution: float = 1.0
) -> KernelFamily:
    """Edit distance kernels ``K_k(x, z) = exp(-gamma_k D(x, z))`` on sequences, not positive definite in general.

    ``D(x, z)`` is the least cost of a chain of insertions, deletions and substitutions that turns x into z: with costs
    of 1 the distance of Levenshtein. The kernels are symmetric if insertion and deletion cost the same, or if all
    sequences have the same length: each insertion is then paid together with a deletion.

    Raises `UserError` if a gamma is not a positive number or a cost is negative or not finite.

    Parameters
    ----------
    gammas : sequence of float > 0
    insertion, deletion, substitution : float >= 0
        Cost of one operation.

    References
    ----------
    R. Wagner and M. Fischer. The string-to-string correction problem. Journal of the ACM 21, 1974.
    C. Cortes, P. Haffner and M. Mohri. Rational kernels: theory and algorithms. JMLR 5, 2004: the edit distance is not
    negative definite, so these kernels are not positive definite for all gamma.
    """
    base = partial(
        edit_distances,
        insertion=Number(low=0).check("insertion", insertion),
        deletion=Number(low=0).check("deletion", deletion),
        substitution=Number(low=0).check("substitution", substitution),
    )
    return KernelFamily("edit_distance", make_members("gammas", gammas), base, exponential, positive_definite=False)


def spectrum(lengths: Sequence[int]) -> KernelFamily:
    """Spectrum kernels ``K_k(x, z) = sum_u n_u(x) n_u(z)``: words u of length k occur n_u(x) times in the sequence x.

    Every block of k symbols is a word; words may overlap.

    Raises `UserError` if a length is not a positive integer.

    Parameters
    ----------
    lengths : sequence of int >= 1

    References
    ----------
    C. Leslie, E. Eskin and W. S. Noble. The spectrum kernel: a string kernel for SVM protein classification. PSB, 2002.
    """
    members = make_members("lengths", lengths, integer=True)
    order = tuple(member["length"] for member in members)
    return KernelFamily("spectrum", members, partial(common_words, lengths=order), partial(layer, order=order))


def weighted_degree(degrees: Sequence[int]) -> KernelFamily:
    """Weighted degree kernels on sequences: equal words of length 1 to d at the same positions, counted and normalised.

    ``K_d(x, z) = S_d(x, z) / sqrt(S_d(x, x) S_d(z, z))`` with, over all places i::

        S_d(x, z) = sum_{k=1}^d beta_k sum_i 1[x_i ... x_{i+k-1} = z_i ... z_{i+k-1}]
        beta_k = 2 (d - k + 1) / (d (d + 1))

    Raises `UserError` if a degree is not a positive integer.

    Parameters
    ----------
    degrees : sequence of int >= 1
        One kernel for every d.

    References
    ----------
    G. Raetsch and S. Sonnenburg. Accurate splice site detection for Caenorhabditis elegans. In Kernel Methods in
    Computational Biology, MIT Press, 2004.
    """
    members = make_members("degrees", degrees, integer=True)
    order = tuple(member["degree"] for member in members)
    return KernelFamily("weighted_degree", members, partial(common_places, degrees=order), partial(layer, order=order))


def edit_distances(X: Array, Z: Array, insertion: float, deletion: float, substitution: float) -> Array:
    """Return the least costs ``D(x, z)`` of turning x into z, shape (len(X), len(Z)).

    With ``D_i[j]`` the cost of turning the first i codes of x into the first j of z, for all pairs (x, z) at once::

        D_0[j] = j insertion
        C_i[j] = min( D_{i-1}[j] + deletion,  D_{i-1}[j-1] + substitution (x_i != z_j) )
        D_i[j] = min_{l <= j}  C_i[l] + (j - l) insertion

    The last line, all insertions after the last other operation, is a running minimum of ``C_i[l] - l insertion``.

    Raises `UserError` if a value is not a code.
    """
    x, z = integer_codes("edit_distance", X), integer_codes("edit_distance", Z)
    x_lengths, z_lengths = (x >= 0).sum(axis=1), (z >= 0).sum(axis=1)
    inserted = insertion * np.arange(z.shape[1] + 1)
    D = np.empty((len(x), len(z)))
    size = max(1, BLOCK_ENTRIES // (len(z) * len(inserted)))
    for start in range(0, len(x), size):
        block, ends = x[start : start + size], x_lengths[start : start + size]
        table = np.tile(inserted, (len(block), len(z), 1))  # D_0
        for i in range(x.shape[1] + 1):
            (over,) = np.nonzero(ends == i)  # these x end here: their costs are final, at the ends of the z
            D[start + over] = table[over[:, None], np.arange(len(z)), z_lengths]
            if i < x.shape[1]:
                substituted = table[:, :, :-1] + substitution * (block[:, i, None, None] != z)
                table += deletion
                np.minimum(table[:, :, 1:], substituted, out=table[:, :, 1:])  # C_{i+1}
                table -= inserted
                np.minimum.accumulate(table, axis=2, out=table)
                table += inserted
    return D


def common_words(X: Array, Z: Array, lengths: Sequence[int]) -> Array:
    """Return ``sum_u n_u(x) n_u(z)`` over the words u of every length, shape (len(X), len(Z), len(lengths)).

    Raises `UserError` if a value is not a code or a length exceeds that of the rows.
    """
    codes = integer_codes("spectrum", np.concatenate([X, Z]))
    return np.stack([_products(word_counts(codes, length), len(X)) for length in lengths], axis=2)


def word_counts(codes: Codes, length: int) -> sparse.csr_array:
    """Return how often each word of a length that occurs at all occurs in each sequence, one row a sequence."""
    n, longest = codes.shape
    if length > longest:
        raise UserError(f"kernel.lengths: {length} is more than the {longest} positions of the sequences")
    windows = sliding_window_view(codes, length, axis=1).reshape(-1, length)
    words, column = np.unique(windows, axis=0, return_inverse=True)
    row = np.repeat(np.arange(n), longest - length + 1)
    inside = (windows >= 0).all(axis=1)  # of the sequence: not beyond its end
    entries = (inside.astype(float), (row, column.ravel()))
    return sparse.csr_array(entries, shape=(n, len(words)))  # which adds up what occurs several times


def common_places(X: Array, Z: Array, degrees: Sequence[int]) -> Array:
    """Return the weighted degree kernel of every degree, shape (len(X), len(Z), len(degrees)).

    Raises `UserError` if a value is not a code.
    """
    x, z = integer_codes("weighted_degree", X), integer_codes("weighted_degree", Z)
    K = np.empty((len(degrees), len(x), len(z)))
    worth = [_worth_of_runs(degree, x.shape[1]) for degree in degrees]
    size = max(1, BLOCK_ENTRIES // len(z))
    for start in range(0, len(x), size):
        K[:, start : start + size] = _matching_runs(x[start : start + size], z, worth)
    # S_d(x, x) is that of one run as long as the sequence; one without any code has no word, and K = 0.
    x_norms, z_norms = (
        np.sqrt([np.maximum(w.cumsum()[(codes >= 0).sum(axis=1)], w[1]) for w in worth]) for codes in (x, z)
    )
    return np.moveaxis(K / (x_norms[:, :, None] * z_norms[:, None, :]), 0, 2)


def _matching_runs(x: Codes, z: Codes, worth: Sequence[Array]) -> Array:
    """Return ``S_d`` of all degrees and pairs: the sum over all places of the words that end there and agree.

    Of a run of r codes that agree, the last one ends a common word of every length up to r; `worth` has for every
    degree, by r, what these words weigh together.
    """
    S = np.zeros((len(worth), len(x), len(z)))
    run = np.zeros((len(x), len(z)), dtype=np.intp)
    for i in range(x.shape[1]):
        run += 1
        run *= (x[:, i, None] == z[None, :, i]) & (x[:, i, None] >= 0)
        for total, w in zip(S, worth, strict=True):
            total += w[run]
    return S


def _worth_of_runs(degree: int, longest: int) -> Array:
    """Return ``sum_{k <= min(r, d)} beta_k`` for r = 0, ..., `longest`."""
    k = np.arange(1, longest + 1)
    beta = np.maximum(2 * (degree - k + 1) / (degree * (degree + 1)), 0.0)
    return np.concatenate([[0.0], beta.cumsum()])


def integer_codes(kernel: str, X: Array) -> Codes:
    """Return sequences as whole numbers, with -1 at all positions from the first negative code on.

    Raises `UserError` if a value is not a whole number, as after most scalings.
    """
    with np.errstate(invalid="ignore"):  # a number too large for a code is found below
        codes = X.astype(np.int64)
    wrong = X[codes != X]
    if wrong.size:
        raise UserError(
            f"kernel={kernel}: works on sequences of integer codes and found the value {wrong[0]:g}; use it on such "
            "data with scaling=none"
        )
    return np.where(np.minimum.accumulate(codes, axis=1) < 0, -1, codes)


def _products(counts: sparse.csr_array, n: int) -> Array:
    return (counts[:n] @ counts[n:].T).toarray()


COST = Number(low=0)
KERNELS = {
    "edit_distance": KernelChoice(
        edit_distance,
        {
            "gammas": Parameter(
                [1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3], POSITIVE, f"{GAMMAS}; with scaling=none algo.complexity=massart"
            ),
            "insertion": Parameter(1.0, COST, "what it costs; 1, 1, 1 is the distance of Levenshtein"),
            "deletion": Parameter(1.0, COST, "what it costs"),
            "substitution": Parameter(1.0, COST, "what it costs"),
        },
        "sequences",
    ),
    "spectrum": KernelChoice(
        spectrum,
        {"lengths": Parameter([1, 2, 3, 4, 5, 6], LENGTHS, "of words, one kernel for each; with scaling=none")},
        "sequences",
    ),
    "weighted_degree": KernelChoice(
        weighted_degree,
        {"degrees": Parameter([1, 2, 3, 4, 5, 6], LENGTHS, "longest words, one kernel for each; with scaling=none")},
        "sequences",
    ),
}
