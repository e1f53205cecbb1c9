"""Examples whose radius and margin are known: what the theorems of chapter 15 are about."""

import numpy as np

from kernlearn.types import Array


def in_the_disc(n: int, gamma: float, seed: int, offset: float = 0.0) -> tuple[Array, Array]:
    """Return n points of the unit disc, at a distance of at least gamma from a line, and their sides.

    Parameters
    ----------
    offset : float
        Distance of the line from the origin.
    """
    rng = np.random.default_rng([seed, n])
    X = np.empty((0, 2))
    while len(X) < n:
        more = rng.uniform(-1, 1, (n, 2))
        inside = (np.linalg.norm(more, axis=1) <= 1) & (np.abs(more @ [0.6, 0.8] - offset) >= gamma)
        X = np.concatenate([X, more[inside]])[:n]
    return X, np.sign(X @ [0.6, 0.8] - offset)


def on_the_sphere(n: int, d: int, gamma: float, noise: float, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return n unit vectors, and on which side of a hyperplane through the origin they are: rho = 1.

    The distance is uniform between gamma and three times that, the direction along the hyperplane too. With `noise`, so
    large a part of the labels is wrong, at random. The normal vector is the first of the standard basis.
    """
    y = rng.choice([-1.0, 1.0], n)
    distance = rng.uniform(gamma, 3.0 * gamma, n)
    along = rng.normal(size=(n, d - 1))
    along *= (np.sqrt(1.0 - distance**2) / np.linalg.norm(along, axis=1))[:, None]
    return np.column_stack([y * distance, along]), np.where(rng.random(n) < noise, -y, y)
