"""What a family of kernels is: several entrywise functions of one base."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from kernlearn.errors import UserError
from kernlearn.kernels.fused.sums import Kernels
from kernlearn.parameters import Number, Numbers
from kernlearn.types import Array


@dataclass(frozen=True)
class KernelFamily:
    """An ordered set of kernels ``K_1, ..., K_p`` that are entrywise functions of one base.

    Attributes
    ----------
    name : str
        The name of the family, as in ``FAMILIES``.
    members : tuple of dict
        One dictionary of parameters a kernel, e.g. ``({"degree": 1}, {"degree": 2})``.
    base : callable
        ``base(X, Z)`` gives the base, shape (len(X), len(Z)), or (len(X), len(Z), q) for q values a pair of examples.
    transform : callable
        ``transform(B, **member)`` maps base values to kernel values, pair by pair; of several pairs the largest
        absolute value belongs to the least or the largest base.
    positive_definite : bool
        Whether all its kernels are symmetric and positive (semi-)definite, whatever the examples.
    less_constant : callable, optional
        ``transform`` minus a constant, without cancellation, of a kernel that is near it for near examples. Centring
        takes out what is constant, and an expansion whose coefficients add up to 0 does not see it.
    price : callable, optional
        ``price(B, v, members)`` gives ``sum_i v_i K_k(i, j)`` for all members, shape (p, m), without the matrices.
    streamed_values : callable, optional
        ``streamed_values(B, less_constant, **member)`` gives, for such a base, what `less_constant` gives, or what
        `transform` does, but for the last digits.
    fused : callable, optional
        ``fused(members, d)`` gives the kernels, of d features, for sums over kernel values of dense examples for which
        no base is made, see `kernlearn.kernels.fused.sums`.
    bilinear : bool
        Whether its one kernel is ``x.z``, so that examples may be moved where coefficients add up to 0.
    centre : array of shape (d,), optional
        Around which they are moved; without it that is the mean of the expansion points, if it is far from the origin.
    streams : bool
        Whether its base, of one value a pair, is as soon computed from the examples as read from memory.
    norms : callable, optional
        ``norms(X, Z)`` gives the sizes r and s, shapes (n, 1) and (1, m), of what a base value is a sum of. Without
        them kernel values count as exact but for their last places.
    error : callable, optional
        ``error(r, s, K, **member)`` gives how much kernel values K move for a relative error of these sums.
    recipe : (str, dict), optional
        The name and the parameters that the family was made from, for a file; None if a user's function is part of it.
    """

    name: str
    members: tuple[dict[str, Any], ...]
    base: Callable[[Array, Array], Array]
    transform: Callable[..., Array]
    positive_definite: bool = True
    less_constant: Callable[..., Array] | None = None
    price: Callable[[Array, Array, tuple[dict[str, Any], ...]], Array] | None = None
    streamed_values: Callable[..., Array] | None = None
    fused: Callable[[tuple[dict[str, Any], ...], int], Kernels] | None = None
    bilinear: bool = False
    centre: Array | None = field(default=None, compare=False)
    streams: bool = False
    norms: Callable[[Any, Any], tuple[Array, Array]] | None = None
    error: Callable[..., Array] | None = None
    recipe: tuple[str, dict[str, Any]] | None = field(default=None, compare=False)

    def __len__(self) -> int:
        return len(self.members)

    def values(self, k: int, base: Array, less_constant: bool = False) -> Array:
        """Return those of kernel number `k`, from 0, on some of the base; if asked for minus a constant, as it can."""
        transform = self.less_constant if less_constant and self.less_constant is not None else self.transform
        return transform(base, **self.members[k])

    def values_for_once(self, k: int, base: Array, less_constant: bool = False) -> Array:
        """Return `values` of a base that is there for a moment; their last digits may differ."""
        if self.streamed_values is None:
            return self.values(k, base, less_constant)
        return self.streamed_values(base, less_constant and self.less_constant is not None, **self.members[k])

    def magnitudes(self, k: int, base: Array, r: Array, s: Array, less_constant: bool = False) -> Array:
        """Return bounds of the absolute values, and of rounding errors over eps, of kernel number `k`."""
        sizes: Array = np.abs(self.values(k, base, less_constant))
        if self.error is not None:
            sizes = sizes + self.error(r, s, self.values(k, base), **self.members[k])
        return sizes

    def require_finite(self, extremes: Array, n: int, m: int) -> None:
        """Raise `UserError` if a kernel of n x m values overflows where the base has its least or largest values."""
        for member in self.members:
            with np.errstate(over="ignore", invalid="ignore"):
                squares = self.transform(extremes, **member) ** 2 * n * m
            if not np.isfinite(squares).all():  # sums of squares are norms of kernels
                raise UserError(
                    f"{describe(self, member)} overflows on these features (values of the base up to "
                    f"{np.abs(extremes).max():.3g}): scale the examples (scaling=unit) or use smaller degrees"
                )


def describe(family: KernelFamily, member: dict[str, object]) -> str:
    """Return a kernel in words, such as ``polynomial kernel (degree=3)``."""
    parameters = ", ".join(f"{key}={value}" for key, value in member.items())
    return f"{family.name} kernel" + (f" ({parameters})" if parameters else "")


def side_by_side(name: str, parts: Sequence[KernelFamily]) -> KernelFamily:
    """Return the family of kernels of different kinds: those of the parts, which have one member each, in order.

    Its base are the values of the kernels themselves.
    """
    members = tuple({"kernel": k} for k in range(1, len(parts) + 1))
    definite = all(part.positive_definite for part in parts)
    return KernelFamily(
        name,
        members,
        partial(_values, parts=tuple(parts)),
        _value,
        definite,
        norms=partial(_norms, parts=tuple(parts)),
        error=partial(_error, parts=tuple(parts)),
    )


def _values(X: Array, Z: Array, parts: tuple[KernelFamily, ...]) -> Array:
    return np.stack([part.transform(part.base(X, Z), **part.members[0]) for part in parts], axis=2)


def _value(B: Array, kernel: int) -> Array:
    return np.ascontiguousarray(B[..., kernel - 1])


def _norms(X: Any, Z: Any, parts: tuple[KernelFamily, ...]) -> tuple[Array, Array]:
    """Return the sizes of all parts on the last axis, 0 for those without."""
    none = np.zeros((X.shape[0], 1)), np.zeros((1, Z.shape[0]))
    r, s = zip(*(none if part.norms is None else part.norms(X, Z) for part in parts), strict=True)
    return np.stack(r, axis=2), np.stack(s, axis=2)


def _error(r: Array, s: Array, K: Array, kernel: int, parts: tuple[KernelFamily, ...]) -> Array:
    part = parts[kernel - 1]
    if part.error is None:
        return np.zeros_like(K)
    return part.error(r[..., kernel - 1], s[..., kernel - 1], K, **part.members[0])


def make_members(key: str, values: Sequence[float], *, integer: bool = False) -> tuple[dict[str, Any], ...]:
    """Return one member of a family for every value of the list parameter `key`, e.g. ``degrees``.

    Raises `UserError` if there is no value, the same twice, or one that is not a positive number (with `integer`, a
    whole one).
    """
    each = Number(low=1, integer=True) if integer else Number(positive=True)
    return tuple({key.removesuffix("s"): value} for value in Numbers(each).check(key, values) or ())


def same(B: Array, _: Array | None = None) -> Array:
    """Return B as it is: the transform of a family whose base are the values of its one kernel."""
    return B


def layer(B: Array, order: tuple[int, ...], **member: int) -> Array:
    """Return the values of one member of a family whose base has those of all, in an order, on its last axis."""
    (value,) = member.values()
    return np.ascontiguousarray(B[..., order.index(value)])


def exponential_less_constant(B: Array, gamma: float) -> Array:
    """Return ``exp(-gamma B) - 1``, exact where it is next to nothing."""
    scaled = -gamma * B
    if scaled.min(initial=0.0) > -0.5:
        return np.expm1(scaled, out=scaled)
    result = np.exp(scaled, out=scaled)
    result -= 1.0
    return result


def exponential_error(r: Array, s: Array, K: Array, gamma: float) -> Array:
    """Return ``gamma (r + s) K``, by which a kernel moves with squared distances of squares r and s.

    It is 0 where the kernel is, even if the squares overflow.
    """
    with np.errstate(over="ignore"):
        slopes: Array = gamma * (r + s)
    return np.multiply(slopes, K, out=np.zeros_like(K), where=K != 0)


def product_error(r: Array, s: Array, K: Array, **_: Any) -> Array:
    """Return ``r s``, what an inner product of vectors of these lengths adds up at most."""
    return r * s


def exponential(B: Array, gamma: float) -> Array:
    """Return ``exp(-gamma B)``, the kernel of a matrix of distances."""
    scaled = -gamma * B
    return np.exp(scaled, out=scaled)
