"""Parts of arrays by attributes: flat, real, imag; buffers that round or truncate; conversions."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
A2 = np.array([0.4, -0.7])
A3 = np.array([0.4, -0.7, 1.1])
A4 = np.array([0.4, -0.7, 1.1, 0.3])
M = np.array([[0.3, -0.8, 0.5], [1.1, 0.2, -0.4]])
W = np.array([[2.0, -1.0, 3.0], [0.5, 1.5, -2.5]])


# ------------------------------------------------------------------------------------------- flat


@case(M, 0.7)
def one_entry_of_flat_is_written(m, x):
    v = m * 1.0
    v.flat[2] = x
    v.T.flat[-1] = x * x
    v.flat[3] *= x
    return np.sum(v * W)


@case(M, 0.7)
def several_entries_of_flat_are_written(m, x):
    v = m * 1.0
    v.flat[[0, 4]] = x
    v.flat[1:3] = [x, x * x]
    v.flat[2:] += m[0, 0]
    return np.sum(v * W)


@case(A4, 0.7)
def flat_of_a_vector_is_written(u, x):
    v = u * 1.0
    v.flat[u > 0.0] = x
    v[1:].flat[0] = u[0]
    return np.sum(v * u)


@case(M, 0.7)
def all_of_flat_is_written(m, x):
    v = m * 1.0
    v.flat = m[0] * x
    w = m * 1.0
    w.flat[...] = x
    w.flat[:] = x * m[0, 1]
    return np.sum(v * W) + np.sum(w * W)


@case(M)
def flat_is_read(m):
    v = m * 2.0
    part = v.flat[1:4]
    v[0, 1] = 5.0
    part[1] *= m[0, 0]
    return v.flat[0] * m.flat[4] + np.sum(part * v.flat[[0, 2, 5]]) + m.T.flat[1]


@case(M)
def flat_is_iterated_and_passed_on(m):
    total = 0.0
    for x in m.flat:
        total += x * x
    for k, x in enumerate(m.T.flat):
        total += k * x
    return total + np.sum(m.flat) * np.max(m.flat) + sum(x**3 for x in m.flat)


# ------------------------------------------------------------------------------------------- real and imag


@case(A2, A2 + 1.0)
def real_and_imag_are_written(u, w):
    z = np.zeros(2, complex)
    z.real = u
    z.imag[...] = w * w
    z.imag[0] += u[1]
    z.real[1:] = w[0]
    s = z * z
    return np.sum(s.real * u) + s.imag[0]


@case(A2)
def real_of_an_array_of_floats_is_the_array(u):
    v = u * 1.0
    v.real[0] = u[1]
    v.real = v * u
    return np.sum(v * u)


@case(M[:, :2])
def real_and_imag_are_taken_apart(m):
    z = np.zeros(2, complex)
    z.real, z.imag = m
    w = np.zeros((2, 2))
    pair = (z.real * m[0], 2.0 * m[1])
    w.flat[:2], w.flat[2:] = pair
    return np.sum((z * z).imag * m[1]) + np.sum(w * m)


@case(A2)
def imag_is_added_to(u):
    z = u + 1j
    z.imag += u * u
    z.real *= 3.0
    return np.sum((z * z).imag)


@case(A2)
def real_and_imag_by_function(u):
    z = u * (1.0 + 2.0j)
    np.copyto(z.real, u * u)
    np.multiply(z.imag, u, out=z.imag)
    np.add(z.imag, u, z.real)
    return np.sum(np.abs(z) ** 2)


# ------------------------------------------------------------------------------------------- buffers and conversions


@case(A3)
def integers_truncate(u):
    k = np.zeros(3, int)
    k[...] = u * 3.0
    k += 1
    k[0] = u[0]
    return np.sum(k * u)


@case(A3)
def conversions_to_integers(u):
    k = np.array(u * 3.0, int)
    i = np.asarray(u * 3.0, dtype=int)
    j = (u * 3.0).astype(dtype=np.int64)
    n = (u * 3.0).astype(k.dtype)
    return np.sum((k + i + j + n) * u)


@case(A3, np.float64(0.7))
def item_of_a_numpy_float(u, x):
    return np.float64(u[0]).item() * u[1].item() * x.item() + np.float64(x).item() * u.sum().item()


@case(np.array(0.7), A3)
def items_of_arrays(x, u):
    return x.item() * u.item(1) * u[1:].item(-1) + u.astype(np.float64)[0] + x.astype(float).item()


@case(np.array([0.133, -0.808]))
def spreads_of_equal_entries(a):
    v = np.full((3, 2), a[1])
    v[:, 1] = a[0] + np.array([0.0, 0.1, 0.3])
    w = np.where(np.arange(4) < 3, a[0] * 7.7, np.nan)
    return np.sum(v.std(0) * a) + np.nanstd(w) + np.std(np.full(3, a[1]), ddof=1)
