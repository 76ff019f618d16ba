"""Complex numbers inside real programs: written into, converted, factorised."""

import numpy as np

from pullback import grad
from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])


@case(A3)
def real_numbers_written_into_complex_places(a):
    v = np.zeros((2, 3), complex)
    v[:] = a
    v += a
    v[0] -= a[0]
    v[1, 1] = a[2] * a[0]
    v[:, 0] = a[1]
    v.imag[:] += a * a
    v *= 1 + 2j
    v *= a
    return np.sum(np.abs(v) ** 2)


@case(A3)
def parts_of_complex_and_real_arrays(a):
    z = a * (1 + 2j)
    z.real[0] = a[1]
    z.imag = a * a
    v = a * 1.0
    v[0] = 2 * v[1]
    v.real[2] *= 3
    s = np.sum(v.imag * a) + np.sum(np.imag(v) * v)
    w = v.conj()
    w[1] *= 3
    return s + np.sum(np.abs(z) ** 2 * a) + np.sum(v * v)


@case(A3)
def conversions_that_copy_nothing(a):
    v = a * 1.0
    w = v.astype(float, copy=False)
    w[0] = a[1] * 5
    x = v.astype(np.float32, copy=False).astype(float)
    x[0] = 1.0
    u = v.astype("float64", copy=False)
    u += 1
    y = v / np.array([1.0, 0.0, 1.0])
    z = y[1:]
    q = np.nan_to_num(y, copy=False, posinf=2.0, neginf=3.0)
    q[0] *= 2
    return np.sum(v * v) + np.sum(y * y) + np.sum(z)


@case(A3)
def eigenvectors_of_a_hermitian_matrix(a):
    h = np.outer(a, a) * (1 + 0j) + np.diag(a)
    h[0, 1] += 1j * a[2]
    h[1, 0] -= 1j * a[2]
    h[1, 2] += np.exp(1j * a[0])
    h[2, 1] += np.exp(-1j * a[0])
    w, v = np.linalg.eigh(h)
    u = np.linalg.eigh(h, "U")[1]
    e = np.linalg.eigvalsh(h)
    return w[0] * e[1] + np.abs(v[0, 0] * v[1, 1]) + v[1, 0].real * v[2, 1].imag + np.sum(u.real**3 + u.imag)


@case(A3)
def eigenvectors_without_a_phase_of_their_own(a):
    h = np.zeros((3, 3), complex)
    h[0, 0] = a[0]
    h[1, 1] = a[1]
    h[2, 2] = a[2] * 3
    h[1, 2] = 1j * a[0]
    h[2, 1] = -1j * a[0]
    w, v = np.linalg.eigh(h)
    p = v[:, :1] @ v[:, :1].conj().T
    return np.sum(w * np.array([1, 2, 3])) + p[1, 1].real * 2 + np.abs(p[1, 2])


@case(A3)
def factors_and_norms_of_complex_matrices(a):
    b = np.outer(a, a) + 1j * np.array([[0, 1, 2], [-1, 0, 3], [-2, -3, 0]]) * a[0]
    f = np.linalg.cholesky(b @ b.conj().T + np.eye(3))
    s = np.linalg.svd(b, compute_uv=False)
    norms = np.linalg.norm(b) + np.linalg.norm(b[0]) + np.linalg.norm(b, "nuc") + np.linalg.norm(b[1], 1)
    return np.sum(np.abs(f) ** 3) + f[1, 0].imag + np.sum(s**3) + norms


@case(np.array([0.4, 0.7, 1.1]))
def parts_of_what_is_summed_too(x):
    w = x * (1 + 2j)
    total = w[0].imag
    for k in range(3):
        total += w[k].imag * k + w[k].real
    v = w.reshape(3, 1)
    return total + w.sum().real + v[1, 0].imag + w.imag[2] * np.sum(x)[()]


@case(1.3)
def signs_of_complex_numbers(x):
    z = np.array([x + 1j, x * x - 2j])
    y = complex(x, x * x)
    first = grad(lambda v: abs(complex(v, x)) + np.sum(np.abs(np.array([v + 1j * x, 2j * v * v + x]))))
    return np.sum((np.sign(z) * (1 - 2j)).real) * first(x) + np.sign(y).real * 2.0 + np.sign(y).imag * np.sign(x)


@case(np.array([0.3, 0.7, 1.2]), 2)
def cast_from_one_precision_or_another(x, n):
    b = np.cos(x)
    y = x[:2] * 1.0 if n > 1 else x[:2].astype(np.float32)
    if n > 1:
        y[0] = y[1] * 0.6
        y = b[1:]
    z = y.astype(complex)
    b[0] = 2.0
    return np.sum(np.abs(z + 7.0)) + np.sum(np.sin(y) * (n > 1)) + np.sum(b)
