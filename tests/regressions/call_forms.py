"""Functions of NumPy and SciPy called in less usual forms, or of operands of less usual kinds."""

import numpy as np
import scipy.linalg
import scipy.ndimage

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.5, -0.3, 0.8])
M23 = np.array([[0.5, 1.2, 0.3], [0.9, 0.4, 1.6]])
S22 = np.array([[1.3, 0.2], [0.1, 0.9]])
ROW = np.array([[1.0, 2.0, 3.0]])


@case(A3)
def reductions_of_ufuncs_with_an_identity(x):
    alone = np.hypot.reduce(x[None]) @ x + np.hypot.reduce(x[1:2]) + np.logaddexp2.reduce(x)
    return alone + np.hypot.reduce(x[:0]) + np.sum(np.hypot.reduce(x[:, None], axis=1) * x)


@case(A3[:2, None])
def a_view_beside_an_inert_array(c):
    c = c * 1.0
    v = np.broadcast_arrays(c, ROW)[0]
    c *= 3.0
    return np.sum(v**2)


@case(A3)
def phases_and_imaginary_parts_of_real_arrays(x):
    return np.sum(np.angle(x) * x) + np.sum(np.angle(x, deg=True) + x**2) + np.sum(np.imag(x) + x)


@case(np.array([1.0, -3.1, 2.0]))
def imaginary_parts_of_roots_that_are_real(d):
    def h(z):
        return np.sum(np.real(z)) * 0.7 + np.sum(np.imag(z)) + np.sum(np.angle(z))

    v = np.roots(d)
    q = h(v)
    v *= 0.5
    return q + np.sum(np.real(v * v))


@case(S22, 0.7)
def characteristic_polynomials(m, x):
    return np.polyval(np.poly(m), x) + np.sum(np.poly(m @ m)) + np.poly(np.array([x, 2.0]))[2]


@case(M23)
def factors_of_matrices_that_are_not_square(m):
    p, l, u = scipy.linalg.lu(m)
    below, above = scipy.linalg.lu(m.T)[1:]
    return np.sum((p @ l) ** 2) + np.sum(u**3) + np.sum(below**2) + above[0, 1]


@case(M23)
def borders_of_some_axes(m):
    return np.sum(np.pad(m, {0: 1}) ** 2) + np.sum(np.pad(m, {-1: (1, 2)}, mode="edge") ** 3)


@case(M23)
def a_border_of_its_own_kind_for_each_axis(m):
    smooth = scipy.ndimage.gaussian_filter(m, 1.0, mode=["wrap", "nearest"])
    return np.sum(smooth**2) + np.sum(scipy.ndimage.uniform_filter(m, 3, mode=["constant", "mirror"]) ** 2)


@np.vectorize
def parted(a):
    return (a, a * a) if a > 0.0 else (2.0 * a, 1.0)


@case(A3)
def functions_of_entries_with_several_results(x):
    first, second = parted(x)
    sums = [np.sum(v * v) for v in np.vectorize(lambda a, b: (a * b, a - b, 1))(x, x[:, None])]
    return np.sum(first * second) + sums[0] + 2.0 * sums[1] + sums[2]


@case(0.7)
def sequences_from_or_to_inert_arrays(x):
    grown = np.sum(np.geomspace(ROW[0], x, 4, axis=1) ** 2) + np.sum(np.geomspace(x, [1.0, 2.0], 4))
    return grown + np.sum(np.linspace(ROW, x, 3) ** 2) + np.sum(np.logspace(x, ROW / 3.0, 4, axis=-1))


@case(0.7, 1.2, -0.4)
def numbers_split_into_arrays(x, y, z):
    halves = np.array_split([x, y, z], 2)
    return np.sum(halves[0] * halves[0] * 2) + np.sum(np.array_split((x, y, z, y), [1])[1] * x)
