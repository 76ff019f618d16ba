"""Lengths that arithmetic on the length of something longer gets wrong: slices leave out no more than there is."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
A2 = np.array([0.4, -0.7])
A4 = np.array([0.4, -0.7, 1.1, 0.3])
A6 = np.array([0.4, -0.7, 1.1, 0.3, 0.9, -0.2])


@case(A2)
@case(A6)
def ones_as_many_as_a_clipped_slice_has_and_three_more(u):
    m = len(u[4:])
    w = np.ones(m + 3) * u[0]
    return np.sum(u[1 : m + 4] * w)


@case(A2)
def ones_as_many_as_half_a_length(u):
    w = np.ones(len(u) // 2 + 2) * u[0]
    return np.sum(u[1:] * w)


@case(A4)
def every_other_number_below_a_length(u):
    w = np.arange(0, len(u), 2) * u[0]
    return np.sum(w * u[0])


@case(A2)
def a_length_converted_to_an_int(u):
    w = np.ones(int(len(u) - 4) + 3) * u[0]
    return np.sum(u[1:] * w)


@case(A6, -1)
def rows_as_many_as_there_are(u, k):
    return np.sum(u.reshape(k, 3) * u[:3].reshape(k, 3))


@case(A2)
def slices_of_a_slice_that_is_empty(u):
    v = u[1:][2:]
    return np.sum(np.concatenate((v, u[:1])) * u)


@case(A4)
def slices_of_a_slice_from_behind(u):
    v = u * 1.0
    v[-2:][:-1] += u[0]
    v[::2][1:] *= u[1]
    return np.sum(v * u)
