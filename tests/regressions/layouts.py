"""Views that cannot be written, or overlap themselves, and arrays whose memory layout decides what is a view."""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])
A4 = np.array([0.4, -0.7, 1.1, 0.3])
Q = np.array([[0.3, -0.8, 0.5], [1.1, 0.2, -0.4], [0.7, 0.6, -1.2]])
GAPS = np.zeros((4, 6))[::2, ::2]
GAPS[...] = Q[:2]
BACKWARDS = Q[::-1].copy()[::-1]
FORTRAN = np.asfortranarray(Q[:2])


@case(Q)
def diagonal_of_an_array_written_later(q):
    v = q * 1.0
    d, e = v.diagonal(), np.diag(v)
    s = np.sum(d * d)
    v[1, 1] = q[0, 0] * 2
    v *= 2
    return s + np.sum(d * d * d) + np.sum(e * e) + np.sum(np.diag(v[0]) * v)


@case(A3)
def broadcast_view_of_an_array_written_later(a):
    v = a * 1.0
    b = np.broadcast_to(v, (2, 3))
    s = np.sum(b * b)
    v[0] = a[1]
    return s * np.sum(b) + b[1, 0] * np.sum(b[0] * a)


@case(A4)
def windows_of_an_array_written_later(a):
    v = a * 1.0
    w = sliding_window_view(v, 2)
    v[1] *= 3
    s = np.sum(w[:, 0] * w[:, 1])
    v[2] = s
    return s + np.sum(w * w)


def _writes_through_reshape(u):
    r = u.reshape(-1)
    r[0] = 5.0
    u += 1
    u.reshape(-1)[1] *= 2
    return np.sum(u * u * u) + np.sum(r * r)


case(GAPS)(_writes_through_reshape)
case(BACKWARDS)(_writes_through_reshape)
case(FORTRAN)(_writes_through_reshape)


def _orders_of_memory(u):
    r = (u * 1.0).ravel("K")
    r[2] *= 2
    return np.sum(u.ravel(order="F") * u.flatten(order="A") ** 2) + np.sum(u.ravel("K") * u.flatten("K") * r)


case(GAPS)(_orders_of_memory)
case(BACKWARDS)(_orders_of_memory)
case(FORTRAN)(_orders_of_memory)


@case(Q)
def copies_in_an_order(q):
    v = q * 1.0
    w = np.array(v, order="F")
    w.T[0] *= 3
    r = w.reshape(-1, order="F")
    r[0] *= 4
    return np.sum(v * w) + np.sum(np.asarray(q, order="F") * w)


@case(np.array([0.4, 0.9, 1.7]), 0.3)
def the_real_part_of_something_complex_has_gaps(w, x):
    m = np.real(np.outer(w, w) * np.exp(1j))
    t = m.ravel()
    m[0] = x
    return np.sum(t * np.arange(9.0)) + np.sum(m * m)


@case(np.array([0.4, -0.7, 1.1, 0.3]))
def entries_by_flat_of_what_may_be_a_copy(x):
    y = x * 2.0
    y[3] *= x[0]
    whole = np.transpose(y.reshape(2, 2)).flat
    whole[1] *= x[1]
    return whole[1] * whole[2] + np.transpose(y.reshape(2, 2)).flat[-1] ** 2
