# mypy: allow-untyped-defs, allow-incomplete-defs, allow-untyped-calls
"""Methods that see one example at a time, compiled: subgradient steps on the hinge loss, and the perceptron.

Both have two equivalent forms: on features, the rows of a sparse matrix, and on a Gram matrix. With a Gram matrix, the
weight vector is ``theta = sum_j beta_j psi(x_j)``, and the products ``g = K beta`` are stored. A step without an update
then costs nothing.

The subgradient method averages ``w_t = theta_t / (lambda t)`` over t = 1, ..., T. What is added to theta in step t is
in w_{t+1}, ..., w_T, and so counts ``(H_T - H_t) / (lambda T)`` in the mean, with ``H_t = 1 + 1/2 + ... + 1/t``. Hence
two sums are kept, of what is added and of ``H_t`` times it, and no step touches more than its own example.
"""

from kernlearn.compiled import compiled


@compiled
def kernel_steps(K, y, lambda_, indices, t, harmonic, beta, late, g):
    """Do a step for every index (section 16.3); `beta`, `late` and `g` are updated in place.

    Parameters
    ----------
    K : array of shape (m, m)
    y : array of shape (m,)
        Labels +-1.
    indices : integer array of shape (T,)
        The examples that are drawn.
    t : int
        Steps before these.
    harmonic : float
        ``H_t``.
    beta, late, g : arrays of shape (m,)
        Coefficients, the sum of ``H_t`` times what was added to them, and ``K beta``.

    Returns
    -------
    t, harmonic
    """
    for i in indices:
        t += 1
        harmonic += 1.0 / t
        if y[i] * g[i] < lambda_ * t:  # y_i <w_t, psi(x_i)> < 1
            beta[i] += y[i]
            late[i] += y[i] * harmonic
            g += y[i] * K[i]
    return t, harmonic


@compiled
def feature_steps(ends, features, values, y, lambda_, indices, t, harmonic, theta, late):
    """Do a step for every index (section 15.5); as `kernel_steps`, with `theta` and `late` of shape (d,).

    `ends`, `features` and `values` are the examples as sparse rows.
    """
    for i in indices:
        t += 1
        harmonic += 1.0 / t
        product = 0.0
        for s in range(ends[i], ends[i + 1]):
            product += theta[features[s]] * values[s]
        if y[i] * product < lambda_ * t:
            for s in range(ends[i], ends[i + 1]):
                theta[features[s]] += y[i] * values[s]
                late[features[s]] += y[i] * values[s] * harmonic
    return t, harmonic


@compiled
def kernel_updates(K, y, unsure, most, beta, g):
    """Run the perceptron: take the examples in turn, and add each that is not on its side, until all are.

    Parameters
    ----------
    K : array of shape (m, m)
    y : array of shape (m,)
    unsure : array of shape (m,)
        What rounding may be worth in ``g_i``, by update: an output within it of 0 is on neither side.
    most : int
        Updates after which it stops all the same.
    beta, g : arrays of shape (m,)
        Zeros; the coefficients and ``K beta`` afterwards.

    Returns
    -------
    updates : int
    """
    updates, right, i = 0, 0, 0
    while right < len(y) and updates < most:
        if y[i] * g[i] <= updates * unsure[i]:
            beta[i] += y[i]
            g += y[i] * K[i]
            updates, right = updates + 1, 0
        else:
            right += 1
        i = (i + 1) % len(y)
    return updates


@compiled
def feature_updates(ends, features, values, y, unsure, most, w):
    """Run the perceptron on examples as sparse rows; as `kernel_updates`, with weights w of shape (d,)."""
    updates, right, i = 0, 0, 0
    while right < len(y) and updates < most:
        product = 0.0
        for s in range(ends[i], ends[i + 1]):
            product += w[features[s]] * values[s]
        if y[i] * product <= updates * unsure[i]:
            for s in range(ends[i], ends[i + 1]):
                w[features[s]] += y[i] * values[s]
            updates, right = updates + 1, 0
        else:
            right += 1
        i = (i + 1) % len(y)
    return updates
