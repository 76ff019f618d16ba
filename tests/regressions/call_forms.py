"""Functions of NumPy and SciPy called in less usual forms, or of operands of less usual kinds."""

import numpy as np
import scipy.fft
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


@case(S22, A3[:2])
def flags_that_change_no_result(m, x):
    y = scipy.linalg.solve(m, x * 2.0, check_finite=False, overwrite_b=True)
    values = scipy.linalg.svd(m, full_matrices=False, lapack_driver="gesvd", check_finite=False)[1]
    fitted = scipy.linalg.lstsq(m, x, lapack_driver="gelsy")[0]
    return np.sum(y**2) + values[0] + np.sum(fitted**3) + np.sum(np.real(scipy.fft.fft(x, workers=2, overwrite_x=True)) ** 2)


@case(A3[:2])
def inert_operands_that_are_overwritten(x):
    m = np.asfortranarray(S22)
    y = m @ x
    inverse = scipy.linalg.inv(m, overwrite_a=True, check_finite=False)
    return np.sum(y**2) + np.sum(inverse @ x)


@case(M23)
def medians_that_may_use_their_operand(m):
    return np.sum(np.median(m * m, axis=0, overwrite_input=True) ** 2) + np.percentile(m, 30, overwrite_input=True)


MASK = np.array([[True, False, True], [True, True, True]])


@case(M23)
def spreads_of_some_entries(m):
    total = np.std(m, correction=1) + np.sum(np.var(m, axis=1, where=MASK, ddof=1)) + np.var(m, 1, None, None, 1)[0]
    return total + np.sum(m.std(axis=1, where=MASK, keepdims=True) * m) + np.std(m, where=MASK, correction=1)


@case(M23, 0.7)
def products_that_start_from_a_number(m, x):
    return np.prod(m, initial=2.0) + np.sum(np.prod(m, axis=1, initial=x) ** 2) + m.prod(axis=1, where=MASK, initial=x)[0]


@case(A3, M23)
def indices_that_wrap_or_stop(x, m):
    return np.sum(np.take(x, [4, -1, 7], mode="wrap") ** 2) + np.sum(m.take([4, -1, 1], axis=1, mode="clip") ** 2)


@case(0.7, 1.2)
def steps_of_sequences(a, b):
    points, step = np.linspace(a, b, 5, retstep=True)
    return step * np.sum(points**2) + np.linspace(a, b, 5, False, True)[1] ** 2


@case(M23, A3)
def averages_with_their_weights(m, w):
    w = w * w
    mean, total = np.average(m, axis=1, weights=w, returned=True)
    return np.sum(mean * total) + np.average(m, 0, None, True)[0] @ w + np.average(m, weights=m, returned=True)[1]


@case(M23, A3)
def covariances_by_position(m, x):
    total = np.sum(np.cov(m, None, False) ** 2) + np.sum(np.cov(m, None, True, True) ** 2) + np.corrcoef(m, None, True)[0, 1]
    return total + np.sum(np.cov(m.T, m.T * x[:, None], False) ** 2) + np.cov(x, y=None)


@case(S22)
def upper_factors(m):
    return np.sum(np.linalg.cholesky(m @ m.T, upper=True) * m)


@case(M23, A3)
def products_along_another_axis(m, x):
    return np.sum(np.vecdot(m, m * x, axis=0) ** 2) + np.sum(np.vecdot(m, x, axis=-1))


@case(A3, 0.7)
def several_arrays_with_axes(x, y):
    return sum(np.sum(v * v) for v in np.atleast_1d(x, y)) + np.sum(np.atleast_2d(y, x)[1] @ x)


@case(M23, A3)
def borders_of_active_values_or_turned_over(m, x):
    total = np.sum(np.pad(m, ((1, 2), (0, 1)), constant_values=((x[0], x[1]), (x[2], 1.0))) ** 2)
    total += np.sum(np.pad(x, 2, mode="reflect", reflect_type="odd") ** 2) + np.sum(np.pad(x, 2, constant_values=x[0]) ** 2)
    return total + np.sum(np.pad(m, ((1, 0), (2, 1)), mode="symmetric", reflect_type="odd") ** 3)


@case(np.array([0.5, -0.3, 0.8, 0.2]))
def an_inert_copy_that_might_be_a_view(x):
    m = np.ravel(S22.T)
    y = m * x
    np.random.default_rng(0).shuffle(m)
    return np.sum(y**2) + m @ x


@case(M23, 0.7)
def reductions_of_ufuncs_of_some_entries(m, x):
    total = np.add.reduce(m, where=MASK, initial=x) @ np.multiply.reduce(m, initial=x)
    highest = np.maximum.reduce(m, 1, initial=0.3, where=MASK, keepdims=True) * m
    return total + np.sum(highest) + np.minimum.reduce(m, axis=None, initial=1.0) ** 2
