"""What the rules of triangular, banded and other structured matrices name. NumPy alone and others
of this file."""

import numpy as np


def half_of(a, lower=False, unit_diagonal=False):
    """The triangle of a that a solver reads."""
    skip = 1 if unit_diagonal else 0
    return np.tril(a, -skip) if lower else np.triu(a, skip)


def left_over(c, a, lower=False):
    """True where cho_factor left the entries of a beside the triangle that holds the factor (SciPy
    before 1.18), else False: nothing that is documented reads them."""
    return (half_of(np.ones(np.shape(c)), not lower, True) == 1.0) & (c == a) & (a != 0)


def cholesky_tangent(a_dot, c, lower=False):
    """The tangent of scipy.linalg.cholesky(a, lower) = c, in the triangle that holds it."""
    factor = np.tril(c) if lower else np.triu(c).T
    inner = np.linalg.solve(factor, np.linalg.solve(factor, 0.5 * (a_dot + a_dot.T)).T)
    move = factor @ (np.tril(inner) - 0.5 * np.diag(np.diag(inner)))
    return move if lower else move.T


def cho_solve_adjoint(s, x, c, lower=False):
    """The adjoint of the factor c in x = scipy.linalg.cho_solve((c, lower), b), where s is that of
    b."""
    s, x = np.reshape(s, (len(s), -1)), np.reshape(x, (len(x), -1))
    sides = -(s @ x.T + x @ s.T)
    factor = half_of(c, lower)
    return half_of(sides @ factor if lower else factor @ sides, lower)


def lu_tangents(a_dot, p, l, u):
    """The tangents of l and u in p @ l @ u = a: those of the square part, and what solves for the rest."""
    k = len(u)
    l1, u1, move = l[:k], u[:, :k], p.T @ a_dot
    inner = np.linalg.solve(l1, np.linalg.solve(u1.T, move[:k, :k].T).T)
    l1_dot, u1_dot = l1 @ np.tril(inner, -1), np.triu(inner) @ u1
    l2_dot = np.linalg.solve(u1.T, (move[k:, :k] - l[k:] @ u1_dot).T).T
    u2_dot = np.linalg.solve(l1, move[:k, k:] - l1_dot @ u[:, k:])
    return np.concatenate((l1_dot, l2_dot)), np.concatenate((u1_dot, u2_dot), 1)


def between_factors(inner, l, u):
    """The adjoint of l @ u, square, from its part between the factors: inv(l).T @ inner @ inv(u).T"""
    return np.linalg.solve(l.T, np.linalg.solve(u, inner.T).T)


def lu_lower_adjoint(bar, p, l, u):
    """The adjoint of a by way of l in p @ l @ u = a."""
    k = len(u)
    u1 = u[:, :k]
    rest = np.linalg.solve(u1, bar[k:].T).T
    inner = np.tril(l[:k].T @ bar[:k], -1) - np.triu(l[k:].T @ rest @ u1.T)
    columns = np.concatenate((between_factors(inner, l[:k], u1), rest))
    return p @ np.concatenate((columns, np.zeros((len(l), u.shape[1] - k))), 1)


def lu_upper_adjoint(bar, p, l, u):
    """The adjoint of a by way of u in p @ l @ u = a."""
    k = len(u)
    l1 = l[:k]
    rest = np.linalg.solve(l1.T, bar[:, k:])
    inner = np.triu(bar[:, :k] @ u[:, :k].T) - np.tril(l1.T @ rest @ u[:, k:].T, -1)
    rows = np.concatenate((between_factors(inner, l1, u[:, :k]), rest), 1)
    return p @ np.concatenate((rows, np.zeros((len(l) - k, u.shape[1]))))


def unpacked(lu, piv):
    """p, l and u of what scipy.linalg.lu_factor packs into one matrix and its interchanged rows."""
    order = np.arange(len(lu))
    for i, j in enumerate(piv):
        order[[i, j]] = order[[j, i]]
    return np.eye(len(lu))[:, order], np.tril(lu, -1) + np.eye(len(lu)), np.triu(lu)


def packed_tangent(a_dot, lu, piv):
    """The tangent of lu in scipy.linalg.lu_factor(a)."""
    l_dot, u_dot = lu_tangents(a_dot, *unpacked(lu, piv))
    return l_dot + u_dot


def packed_adjoint(bar, lu, piv):
    """The adjoint of a in lu, piv = scipy.linalg.lu_factor(a)."""
    factors = unpacked(lu, piv)
    return lu_lower_adjoint(np.tril(bar, -1), *factors) + lu_upper_adjoint(np.triu(bar), *factors)


def product_tangent(lu, piv, lu_dot):
    """The tangent of the matrix that was factored, from that of its packed factors."""
    p, l, u = unpacked(lu, piv)
    return p @ (np.tril(lu_dot, -1) @ u + l @ np.triu(lu_dot))


def lu_solve_adjoint(s, x, lu, piv):
    """The adjoint of the packed factors, where that of their product is -outer(s, x)."""
    p, l, u = unpacked(lu, piv)
    product = -p.T @ np.reshape(s, (len(s), -1)) @ np.reshape(x, (len(x), -1)).T
    return np.tril(product @ u.T, -1) + np.triu(l.T @ product)


def unitary_move(e, a):
    """The tangent along e of the factor u in the polar decomposition of a; a symmetric map, and so its adjoint."""
    w, s, vh = np.linalg.svd(a, full_matrices=False)
    inner = w.T @ e @ vh.T
    turned = w @ ((inner - inner.T) / (s[:, None] + s)) @ vh
    beside = (e - w @ (w.T @ e)) @ (vh.T / s) @ vh + (w / s) @ (w.T @ (e - (e @ vh.T) @ vh))
    return turned + beside


def frechet(function, a, e):
    """The derivative of a matrix function at a along e: the corner of function([[a, e], [0,
    a]])."""
    n = len(a)
    return function(np.block([[a, e], [np.zeros_like(a), a]]))[:n, n:]


def band_diagonals(l_and_u, n):
    """Of each row of a band that holds a diagonal of an n by n matrix: its number, and the diagonal's rows and columns."""
    lower, upper = l_and_u
    for k in range(lower + upper + 1):
        first, last = max(0, upper - k), n - max(0, k - upper)
        if first < last:
            yield k, slice(first + k - upper, last + k - upper), slice(first, last)


def transposed_band(l_and_u, ab):
    """The band of the transposed matrix."""
    flipped = np.zeros_like(ab)
    for k, rows, columns in band_diagonals(l_and_u, np.shape(ab)[1]):
        flipped[-1 - k, rows] = ab[k, columns]
    return flipped


def banded_product(l_and_u, ab, x):
    """The banded matrix times x."""
    product = np.zeros(np.shape(x), dtype=np.result_type(ab, x))
    for k, rows, columns in band_diagonals(l_and_u, np.shape(ab)[1]):
        product[rows] += np.reshape(ab[k, columns], (-1,) + (1,) * (np.ndim(x) - 1)) * x[columns]
    return product


def band_of_product(l_and_u, s, x):
    """The band of outer(s, x), summed over columns where s and x are matrices."""
    s, x = np.reshape(s, (len(s), -1)), np.reshape(x, (len(x), -1))
    band = np.zeros((sum(l_and_u) + 1, len(s)), dtype=np.result_type(s, x))
    for k, rows, columns in band_diagonals(l_and_u, len(s)):
        band[k, columns] = np.sum(s[rows] * x[columns], axis=1)
    return band


def toeplitz_adjoint(bar, column=True, row=True):
    """The sums over the diagonals of bar: those from the first column, from the first row, or both
    for one vector."""
    m, n = np.shape(bar)
    below = np.array([np.trace(bar, -i) for i in range(m)])
    above = np.array([0.0, *(np.trace(bar, i) for i in range(1, n))])
    if column and row:
        return below + above
    return below if column else above


def hankel_adjoint(bar):
    """The sums over the antidiagonals of bar, of which a Hankel matrix has one value each."""
    flipped = np.flip(bar, 1)
    m, n = np.shape(bar)
    return np.array([np.trace(flipped, n - 1 - i) for i in range(m + n - 1)])


def block_part(bar, arrays, k):
    """The adjoint of arrays[k] in scipy.linalg.block_diag(*arrays), its shape."""
    shapes = [np.shape(np.atleast_2d(x)) for x in arrays]
    top, left = (sum(s[i] for s in shapes[:k]) for i in (0, 1))
    part = bar[top:top + shapes[k][0], left:left + shapes[k][1]]
    return np.reshape(part, np.shape(arrays[k]))[()]
