"""Kernels on DNA around a signal, of the five kinds that Cortes, Kloft and Mohri (2013) combine in their figure 2."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from kernlearn.errors import UserError
from kernlearn.kernels.core.choice import LENGTH, KernelChoice
from kernlearn.kernels.core.family import KernelFamily, same, side_by_side
from kernlearn.kernels.families.sequences import integer_codes, spectrum, weighted_degree
from kernlearn.parameters import Number, Numbers, Parameter, Text
from kernlearn.types import Array

#: Of every step from a base to the next one (the other six are read on the other strand): twist in degrees ...
TWIST = dict(AA=35.6, AC=34.4, AG=27.7, AT=31.5, CA=34.5, CC=33.7, CG=29.8, GA=36.9, GC=40.0, TA=36.0)
#: ... and stacking energy in kcal/mol (Ornstein et al., 1978).
STACKING = dict(AA=-5.37, AC=-10.51, AG=-6.78, AT=-6.57, CA=-6.57, CC=-8.26, CG=-9.69, GA=-9.81, GC=-14.59, TA=-3.82)
STRANDS = str.maketrans("ACGT", "TGCA")


def dna_signals(degree: int, length: int, letters: str, signals: Sequence[int] = (1, 2, 3, 4, 5)) -> KernelFamily:
    """Up to five kernels (`signals`) on DNA sequences of equal length around a site, such as a transcription start.

    1: weighted degree kernel; 2 and 3: spectrum kernel of the first and of the second half; 4 and 5: linear kernel of
    twist angles and of stacking energies from base to base.

    Raises `UserError` if a number is out of range, or a letter is missing.

    Parameters
    ----------
    degree : int >= 1
        Of the weighted degree kernel.
    length : int >= 1
        Of the words of the spectrum kernels.
    letters : str
        Which letter a code stands for: that at its place, from 0, as in "ACGT" or "-AGCT".
    signals : sequence of int
        Which of the five.

    References
    ----------
    S. Sonnenburg, A. Zien and G. Raetsch. ARTS: accurate recognition of transcription starts in human. Bioinformatics
    22, 2006, has such kernels around transcription starts.
    """
    letters = letters.upper()
    if missing := [base for base in "ACGT" if letters.count(base) != 1]:
        raise UserError(f"kernel.letters={letters}: must have each of A, C, G and T once, not so {missing[0]}")
    if not signals or len(set(signals)) < len(signals) or not all(1 <= signal <= 5 for signal in signals):
        raise UserError(f"kernel.signals={list(signals)}: must be different numbers from 1 to 5")
    words = spectrum([length])
    five = (
        weighted_degree([degree]),
        KernelFamily("first half", words.members, partial(_half, base=words.base, second=False), words.transform),
        KernelFamily("second half", words.members, partial(_half, base=words.base, second=True), words.transform),
        *(KernelFamily("steps", ({},), partial(step_products, table=table(steps, letters)), same) for steps in STEPS),
    )
    return side_by_side("dna_signals", [five[signal - 1] for signal in signals])


STEPS = (TWIST, STACKING)


def table(steps: Mapping[str, float], letters: str) -> Array:
    """Return the property of the step from every code to every code, NaN for codes that are no base."""
    full = np.full((len(letters), len(letters)), np.nan)
    for step, value in steps.items():
        for pair in (step, step[::-1].translate(STRANDS)):
            full[letters.index(pair[0]), letters.index(pair[1])] = value
    return full


def step_products(X: Array, Z: Array, table: Array) -> Array:
    """Return the inner products of the properties of all steps of the sequences.

    Raises `UserError` if a code stands for no base.
    """
    x, z = (integer_codes("dna_signals", codes) for codes in (X, Z))
    if min(x.min(), z.min()) < 0 or max(x.max(), z.max()) >= len(table):
        raise UserError(f"kernel=dna_signals: a code is not one of 0 to {len(table) - 1}, the places of kernel.letters")
    steps = [table[codes[:, :-1], codes[:, 1:]] for codes in (x, z)]
    if not all(np.isfinite(values).all() for values in steps):
        raise UserError("kernel=dna_signals: a code stands for none of A, C, G and T; set kernel.letters")
    return steps[0] @ steps[1].T


def _half(X: Array, Z: Array, base: Callable[[Array, Array], Array], second: bool) -> Array:
    middle = X.shape[1] // 2
    part = slice(middle, None) if second else slice(middle)
    return base(X[:, part], Z[:, part])


KERNELS = {
    "dna_signals": KernelChoice(
        dna_signals,
        {
            "degree": Parameter(5, LENGTH, "of the weighted degree kernel"),
            "length": Parameter(3, LENGTH, "of the words of the spectrum kernels"),
            "letters": Parameter("ACGT", Text(), "what the codes 0, 1, ... stand for; of splice_delve it is -AGCT"),
            "signals": Parameter(
                [1, 2, 3, 4, 5],
                Numbers(Number(low=1, high=5, integer=True)),
                "1: weighted degree, 2 and 3: spectra of the halves, 4: twist, 5: stacking",
            ),
        },
        "sequences",
    )
}
