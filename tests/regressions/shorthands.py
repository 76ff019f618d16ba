"""Short ways of writing arrays: lists where arrays are meant, np.r_ and np.c_, parts of arrays that are split."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
A2 = np.array([0.4, -0.7])
A3 = np.array([0.4, -0.7, 1.1])
A5 = np.array([0.4, -0.7, 1.1, 0.3, 0.9])
M = np.array([[0.3, -0.8, 0.5], [1.1, 0.2, -0.4]])


@case(0.7, A3)
def lists_of_numbers(x, u):
    xs = [x, x * x, u[1]]
    total = np.sum([x, 2.0 * x]) + np.mean(xs) * np.max([x, u[0], u[2]])
    return total + np.dot([x, u[0], 2.0], xs) + np.linalg.norm((x, u[1])) + np.sum(np.sin([x, u[0]]))


@case(A3, 0.7)
def lists_of_arrays(u, x):
    rows = [u, u * x, u**2]
    return np.sum(rows) + np.sum(np.prod(rows, axis=0)) + np.sum(np.cumsum([[x, u[0]], [1.0, x]], axis=1) ** 2)


@case(A5, 0.7)
def list_into_a_slice(u, x):
    v = u * 1.0
    v[0:2] = [x, x * x]
    v[2:] = (u[0], x, 3.0)
    return np.sum(v * u)


@case(A3, 0.7)
def joined_by_r(u, x):
    v = np.r_[u, x, 2.0, u[:2]]
    return np.sum(v * v) * np.r_[x, 2.0][0] + np.r_[u][1]


@case(M, A3)
def matrices_joined_by_r(m, u):
    return np.sum(np.r_[m, m * 2.0] ** 2) + np.sum(np.r_[u[None, :], m] ** 3)


@case(M, A2, 0.7)
def joined_by_c(m, u, x):
    v = np.c_[u, m, u * x]
    return np.sum(v * v) + np.c_[np.array([x, 2.0])][0, 0] + np.sum(np.c_[[x, 2.0], u] ** 2) + np.c_[x, 3.0][0, 0]


@case(A5)
def uneven_parts_are_written(u):
    v = u * 2.0
    parts = np.array_split(v, 2)
    parts[0][1] = u[0]
    parts[1] *= u[4]
    return np.sum(v * v) + np.sum(parts[0]) * np.sum(parts[1])


@case(M)
def uneven_columns(m):
    left, right = np.array_split(m, 2, axis=1)
    return np.sum(left**2) * np.sum(right)


@case(M)
def unstacked(m):
    a, b = np.unstack(m)
    v = m * 1.0
    rows = np.unstack(v, axis=1)
    rows[2][0] = a[0]
    return np.sum(a * b) + np.sum(v**2)


@case(A5)
def pieces(u):
    v = np.piecewise(u, [u < 0.0, u > 0.8], [lambda t: t * t, lambda t: np.sqrt(t), 2.0])
    return np.sum(v * u)


@case(A3)
def an_array_made_without_a_copy(u):
    w = u * 1.0
    v = np.array(w, copy=None)
    v[0] = 5.0 * u[1]
    return np.sum(w * w)


@case(A3)
def dimensions_in_front(u):
    v = np.array(u * 2.0, ndmin=2)
    return np.sum(v * np.ones((3, 1)))


@case(A3, 0.7)
def lists_added_to_arrays(u, x):
    v = u * [x, 2.0, x * x]
    v += (x, u[0], 1.0)
    v[1:] *= [u[1], x]
    return np.sum(v * u + [x, x, 1.0])


@case(np.array([0.4, 0.9, 1.7]), 0.3)
def slopes_over_active_spacing(w, x):
    a, b = np.gradient(np.outer(w, w), x, w)
    c = np.gradient(np.outer(w, w * w), w, axis=1, edge_order=2)
    return np.sum(a * b) + np.sum(c**2) + np.sum(np.gradient(w**2, x) ** 2)


@case(np.array([0.4, 0.9, 1.7]), 0.3)
def results_that_are_not_taken_apart(w, x):
    y = np.histogram([0.1, 0.5, 0.2], 3, weights=w * x)
    return np.sum(y[0] ** 2) + np.sum(np.diag(np.diag(w)) ** 2) + np.sum(w * w)


@case(0.7, 1.2)
def chained_assignment_to_parts(x, y):
    def pair():
        return x, x * y

    a, b = c = x, y
    d, e = f = pair()
    (g, h), i = j = ([a, e], y)
    *k, last = t = [x, y, x * y]
    j[0][0] = g * h
    t[0] = 1.0
    return a * c[1] + b * d * f[1] + j[0][0] * i + sum(k) * last + t[0] * e
