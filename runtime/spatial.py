"""What the rules of scipy.spatial name. Every function needs NumPy alone and others of this file."""

import numpy as np

from pullback.runtime.refusals import Refusal


def distance_slopes(a, b, d, metric="euclidean"):
    """The slope of each distance d[i, j] in a[i], and minus that in b[j]: an array (i, j, axis)."""
    gap = a[:, None, :] - b[None, :, :]
    if metric == "sqeuclidean":
        return 2.0 * gap
    if metric == "euclidean":
        return gap / np.where(d == 0, 1.0, d)[..., None]
    if metric == "cityblock":
        return np.sign(gap)
    if metric == "chebyshev":
        hit = np.abs(gap) == d[..., None]
        return np.sign(gap) * hit / np.sum(hit, axis=-1, keepdims=True)
    raise Refusal(f"distances with metric={metric!r} have no derivative", "write the distance with NumPy")


def distance_adjoint(bar, a, b, d, metric="euclidean"):
    """The adjoint of a in the distances d[i, j] from a[i] to b[j], shape of a."""
    if metric in ("euclidean", "sqeuclidean"):  # without an array of all the gaps
        weights = 2.0 * bar if metric == "sqeuclidean" else bar * (d != 0) / np.where(d == 0, 1.0, d)
        return np.sum(weights, axis=1)[:, None] * a - weights @ b
    return np.einsum("ij,ijk->ik", bar, distance_slopes(a, b, d, metric))


def distance_tangent(a, a_dot, b, b_dot, d, metric="euclidean"):
    """The tangent of the distances d[i, j] from a[i] to b[j]."""
    moved = a_dot[:, None, :] - b_dot[None, :, :]
    return np.sum(distance_slopes(a, b, d, metric) * moved, axis=-1)


def pair_matrix(values, n):
    """The symmetric matrix of n points that has `values` above its diagonal, in scipy's order of pairs."""
    whole = np.zeros((n, n), dtype=np.result_type(values))
    whole[np.triu_indices(n, 1)] = values
    return whole + whole.T


def square_form_adjoint(bar):
    """The adjoint of x in scipy's squareform(x): a vector's from a matrix, or a matrix's from a vector."""
    if np.ndim(bar) == 2:
        return (bar + bar.T)[np.triu_indices(len(bar), 1)]
    n = round((1.0 + np.sqrt(1.0 + 8.0 * len(bar))) / 2.0)
    return np.triu(pair_matrix(bar, n))
