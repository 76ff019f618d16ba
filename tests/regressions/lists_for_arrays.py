"""Lists and tuples where NumPy makes arrays of them: inert ones beside active arrays, by keyword, several at once."""

import functools

import numpy as np
import scipy.linalg

from regressions import Cases

CASES = case = Cases()
A2 = np.array([0.5, 1.2])
M = np.array([[0.3, -0.8, 0.5], [1.1, 0.2, -0.4]])


@case(A2)
def inert_list_beside_an_array(v):
    powers = np.power([1, 2], v) * np.power(v, [1, 2])
    return np.sum(np.multiply([1, 2], v) * np.maximum(v, [0, 2]) + powers)


@case(0.9, A2)
def matrices_as_lists(x, v):
    solved = np.linalg.solve([[3.0, 0.1], [0.2, 2.0]], v) + np.linalg.solve(a=[[3.0, x], [0.2, 2.0]], b=[x, 1.0])
    return np.sum(solved) + np.matmul([x, 1.0], [2.0, 3.0])


@case(0.9, A2)
def lists_among_several(x, v):
    rows = [[x, 2.0], [x * x, 1.0]]
    parts = np.concatenate((v, [1.0], [x, 3.0])) * 2.0
    chain = np.linalg.multi_dot([[[x, 1.0], [2.0, x]], [[1.0, 1.0], [1.0, 2.0]], v])
    return np.sum(parts**2) + np.sum(np.vstack(rows) ** 2) + np.sum(np.concatenate(rows)) + np.sum(chain)


@case(0.9, A2)
def lists_by_keyword(x, v):
    mean = np.average([1.0, 2.0], weights=[x, 1.0]) + np.average([x, 1.0], weights=[1.0, 2.0])
    return mean + np.sum(np.clip(v, min=[0.1, 0.2], max=[x, 2.0]))


@case(0.9, A2)
def lists_given_to_methods(x, v):
    w = v * 2.0
    return v.dot([1.0, 2.0]) + w.dot([x, 2.0]) + np.sum(v.clip([0.1, x], [5.0, 2.0]))


@case(0.9)
def product_of_polynomials_in_integers(x):
    return np.sum(np.polymul([1, x], [1, 2]) ** 2)


@case(0.9, A2, M)
def partial_functions_given_the_rest_by_keyword(x, v, m):
    reshaped = functools.partial(np.reshape, m)
    totals = functools.partial(np.sum, axis=0)
    limited = functools.partial(np.clip, a_max=0.9)
    rows = reshaped((3, 2), order="F") * v + reshaped(shape=(3, 2)) + reshaped((3, 2), "F")
    return np.sum(rows**2) + np.sum(totals(m, keepdims=True) ** 2) + np.sum(limited(v, a_min=0.1)) * x


@case(A2, M)
def methods_of_ufuncs_as_values(v, m):
    total = functools.partial(np.add.reduce, m)
    outer = functools.reduce(np.add.outer, [v, v, v])
    return np.sum(total(1) ** 2) + np.sum(outer**2)


@case(A2)
def outputs_in_tuples(v):
    o, fraction, whole = np.zeros(2), np.zeros(2), np.zeros(2)
    y = np.cos(v, out=(o,))
    np.modf(v * 3.0, out=(fraction, whole))
    return np.sum(o * y) + np.sum(fraction * whole)


@case(A2, M[:, :2])
def pair_in_a_variable(v, m):
    c = scipy.linalg.cho_factor(m @ m.T + np.eye(2), lower=True)
    return np.sum(scipy.linalg.cho_solve(c, v) * scipy.linalg.cho_solve(c, (v * v).tolist()))


@case(0.7, np.array([0.5, 1.2, 0.7]), M)
def covariance_of_two(x, v, m):
    return np.sum(np.cov(m, v) ** 2) + np.corrcoef(v, m[0])[0, 1] * x + np.cov(v, y=[1.0, 2.0, 4.0])[0, 1]


@case(0.7, np.array([0.5, 1.2, 0.7]))
def interpolated_between_values_outside(x, v):
    inside = np.interp(v, [0.6, 1.0], [x, 2.0], left=x, right=0.0)
    return np.sum(inside**2) + np.interp(9.0 * x, [0.6, 1.0], [x, 2.0], right=x)
