# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Steps of UFO-MKL, compiled: one example at a time, on kernel matrices or on features.

With ``theta = sum_i A_i psi(x_i)`` the sum of all that t steps have subtracted, and ``theta_k`` its block of kernel k,
``w`` minimises ``lambda t/2 ||w||_{2,p}^2 + alpha t ||w||_{2,1} - <theta, w>``, so that ``w_k = mu_k theta_k`` with the
mu of `weigh`. A step takes an example i, finds the class r with the largest ``[c != y_i] + f_c(x_i)``, and adds its
weight to ``A_{i,y_i}`` and subtracts it from ``A_ir``, unless r is ``y_i``. What a step needs of theta are the products
with the kernels or the features, which are stored, and the squares ``|theta_k|^2``.

Kernels are divided by sizes t_k: here `shares` are the ``1 / t_k``. Source: Orabona and Luo (2011), algorithm 1.
"""

from math import sqrt

import numpy as np

from kernlearn.compiled import compiled


@compiled
def weigh(squares, lambda_, alpha, q, mu):
    """Write to `mu` the weights of the blocks of theta in w, the gradient of the conjugate of both norms at theta.

    ``mu_k = v_k (v_k / ||v||_q)^(q-2) / (lambda |theta_k|)`` with ``v_k = max(0, |theta_k| - alpha)``.

    Parameters
    ----------
    squares : array of shape (p,)
        ``|theta_k|^2``.
    mu : array of shape (p,)
    """
    largest = 0.0
    for k in range(len(mu)):
        mu[k] = max(0.0, sqrt(max(0.0, squares[k])) - alpha)
        largest = max(largest, mu[k])
    if largest == 0.0:
        return
    total = 0.0
    for k in range(len(mu)):
        total += (mu[k] / largest) ** q
    norm = largest * total ** (1.0 / q)
    for k in range(len(mu)):
        if mu[k] > 0.0:
            mu[k] *= (mu[k] / norm) ** (q - 2.0) / (lambda_ * sqrt(squares[k]))


@compiled
def worst(outputs, own):
    """Return the class c with the largest ``[c != own] + f_c``, of equal ones the own, then the first."""
    best, r = outputs[own], own
    for c in range(len(outputs)):
        if c != own and outputs[c] + 1.0 > best:
            best, r = outputs[c] + 1.0, c
    return r


@compiled
def kernel_steps(K, shares, y, costs, lambda_, alpha, q, order, t, A, G, squares):
    """Do a step for every index; `A`, `G` and `squares` are updated in place.

    Parameters
    ----------
    K : array of shape (p, n, n)
    shares : array of shape (p,)
    y : integer array of shape (n,)
    costs : array of shape (n,)
        Weights of the losses.
    order : integer array
        The examples that are taken.
    t : int
        Steps before these.
    A : array of shape (n, n_classes)
    G : array of shape (p, n_classes, n)
        ``K_k A``.
    squares : array of shape (p,)
        ``|theta_k|^2 = tr(A' K_k A) / t_k``.

    Returns
    -------
    t
    """
    mu, f = np.zeros(len(K)), np.zeros(A.shape[1])
    for i in order:
        if t > 0:
            weigh(squares, lambda_ * t, alpha * t, q, mu)
        t += 1
        f[:] = 0.0
        for k in range(len(K)):
            if mu[k] > 0.0:
                for c in range(len(f)):
                    f[c] += mu[k] * shares[k] * G[k, c, i]
        own, cost = y[i], costs[i]
        r = worst(f, own)
        if r != own:
            for k in range(len(K)):
                change = 2.0 * cost * (G[k, own, i] - G[k, r, i] + cost * K[k, i, i])
                squares[k] += shares[k] * change
                G[k, own] += cost * K[k, i]
                G[k, r] -= cost * K[k, i]
            A[i, own] += cost
            A[i, r] -= cost
    return t


@compiled
def feature_steps(ends, features, values, shift, groups, shares, y, costs, lambda_, alpha, q, order, t, A, G, squares):
    """Do a step for every index, as `kernel_steps` does, on features.

    `ends`, `features` and `values` are the examples as sparse rows, less `shift`, shape (D,); `groups`, shape (D,), are
    the kernels of the features, and `G` is ``V' A``, shape (n_classes, D).
    """
    mu, f, row = np.zeros(len(shares)), np.zeros(A.shape[1]), np.zeros(len(groups))
    for i in order:
        if t > 0:
            weigh(squares, lambda_ * t, alpha * t, q, mu)
        t += 1
        for d in range(len(row)):
            row[d] = -shift[d]
        for s in range(ends[i], ends[i + 1]):
            row[features[s]] += values[s]
        f[:] = 0.0
        for d in range(len(row)):
            part = mu[groups[d]] * shares[groups[d]] * row[d]
            if part != 0.0:
                for c in range(len(f)):
                    f[c] += part * G[c, d]
        own, cost = y[i], costs[i]
        r = worst(f, own)
        if r != own:
            for d in range(len(row)):
                change = 2.0 * cost * row[d] * (G[own, d] - G[r, d] + cost * row[d])
                squares[groups[d]] += shares[groups[d]] * change
            G[own] += cost * row
            G[r] -= cost * row
            A[i, own] += cost
            A[i, r] -= cost
    return t
