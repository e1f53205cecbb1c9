"""Splits whose validation and test part have one size and change places, so that each chooses for the other."""

from collections.abc import Sequence

import numpy as np

from kernlearn.errors import UserError
from kernlearn.evaluation.splits.protocols import Protocol, Split


def fixed_sizes(n: int, seed: int | Sequence[int], size: int, part: int) -> Split:
    """Draw `size` examples to train, `part` to validate and as many to test; the others are left out.

    Raises `UserError` if there are too few examples.

    References
    ----------
    Shivaswamy (2010), section 2.4.4.1, with 1000 and 3500.
    """
    if n < size + 2 * part:
        raise UserError(f"{n} examples are too few to train with {size} and validate and test with {part}")
    order = np.random.default_rng(seed).permutation(n)[: size + 2 * part]
    return Split(*(np.sort(some) for some in np.split(order, [size, size + part])))


def draws(n: int, seed: int, size: int, part: int) -> list[Split]:
    """Apply `fixed_sizes` ten times; repetition i depends on `n`, `seed` and i alone.

    References
    ----------
    Shivaswamy (2010), section 4.4.1, with 240 and 1000.
    """
    return [fixed_sizes(n, [seed, i], size, part) for i in range(10)]


def halves(n: int, seed: int) -> list[Split]:
    """Apply `draws`: half of the examples train, half of the others validate, half test; an odd one is left out.

    References
    ----------
    Shivaswamy (2010), section 4.4.2.
    """
    return draws(n, seed, n // 2, (n - n // 2) // 2)


#: Protocols by name.
SWAP_PROTOCOLS: dict[str, Protocol] = {
    "swap3500": Protocol(
        "1000 random examples for training, 3500 for validation and 3500 for testing; then the validation and the test "
        "part change places",
        1,
        lambda n, seed: [fixed_sizes(n, seed, size=1000, part=3500)],
        rule="swap",
    ),
    "swap1000": Protocol(
        "10 random splits: 240 examples for training, 1000 for validation and 1000 for testing; then the validation "
        "and the test part change places",
        10,
        lambda n, seed: draws(n, seed, size=240, part=1000),
        rule="swap",
    ),
    "published_swap": Protocol(
        "10 random splits of the published training part: half for training, a quarter for validation and a quarter "
        "for testing; then these quarters change places",
        10,
        lambda n, seed, n_train: halves(n_train, seed),
        published=True,
        rule="swap",
    ),
}
