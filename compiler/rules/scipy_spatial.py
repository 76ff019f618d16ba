"""scipy.spatial.distance: distances between points, 0 where two coincide (as for a norm)."""

import numpy as np
from scipy.spatial import distance

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import divide_or_zero
from pullback.runtime.spatial import (
    distance_adjoint,
    distance_tangent,
    pair_matrix,
    square_form_adjoint,
)

METRICS = ["euclidean", "sqeuclidean", "cityblock", "chebyshev"]


@rule(distance.cdist, cases=[f"(4,3) (2,3) metric='{m}'" for m in METRICS])
def _(XA, XB, metric="euclidean"):
    d = distance.cdist(XA, XB, metric)

    d_dot = distance_tangent(XA, XA_dot, XB, XB_dot, d, metric)

    XA_bar += distance_adjoint(d_bar, XA, XB, d, metric)
    XB_bar += distance_adjoint(d_bar.T, XB, XA, d.T, metric)


@rule(distance.pdist, cases=[f"(4,3) metric='{m}'" for m in METRICS])
def _(X, metric="euclidean"):
    d = distance.pdist(X, metric)

    whole = distance_tangent(X, X_dot, X, X_dot, pair_matrix(d, len(X)), metric)
    d_dot = whole[np.triu_indices(len(X), 1)]

    X_bar += distance_adjoint(pair_matrix(d_bar, len(X)), X, X, pair_matrix(d, len(X)), metric)


@rule(distance.squareform, cases=["(6,)"])
def _(X):
    y = distance.squareform(X)

    y_dot = distance.squareform(X_dot)

    X_bar += square_form_adjoint(y_bar)


@rule(distance.euclidean, cases=["(3,) (3,)"])
def _(u, v):
    d = distance.euclidean(u, v)

    d_dot = np.dot(divide_or_zero(u - v, d), u_dot - v_dot)

    u_bar += d_bar * divide_or_zero(u - v, d)
    v_bar += d_bar * divide_or_zero(v - u, d)


@rule(distance.sqeuclidean, cases=["(3,) (3,)"])
def _(u, v):
    d = distance.sqeuclidean(u, v)

    d_dot = 2.0 * np.dot(u - v, u_dot - v_dot)

    u_bar += 2.0 * d_bar * (u - v)
    v_bar += 2.0 * d_bar * (v - u)


@rule(distance.cityblock, cases=["(3,) (3,)"])
def _(u, v):
    d = distance.cityblock(u, v)

    d_dot = np.dot(np.sign(u - v), u_dot - v_dot)

    u_bar += d_bar * np.sign(u - v)
    v_bar += d_bar * np.sign(v - u)


@rule(distance.cosine, cases=["(3,) (3,)"])
def _(u, v):
    d = distance.cosine(u, v)

    size = np.linalg.norm(u) * np.linalg.norm(v)
    d_dot = (np.dot((1.0 - d) * u / np.dot(u, u) - v / size, u_dot)
             + np.dot((1.0 - d) * v / np.dot(v, v) - u / size, v_dot))

    size = np.linalg.norm(u) * np.linalg.norm(v)
    u_bar += d_bar * ((1.0 - d) * u / np.dot(u, u) - v / size)
    v_bar += d_bar * ((1.0 - d) * v / np.dot(v, v) - u / size)
