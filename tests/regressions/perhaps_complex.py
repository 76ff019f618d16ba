"""Values that are real on some paths, or for some arguments, and complex on or for others."""

import cmath

import numpy as np

from regressions import Cases

CASES = case = Cases()
W = np.array([0.4, 0.9, 1.7])


@case(0.3, W)
@case(-0.3, W)
def a_variable_complex_on_one_path(x, w):
    c = 1.5 if x > 0 else 2j
    z = w if x < 0 else w * 2j
    y = x * z
    return np.sum((y * (1 + 2j) * z).imag) + abs(c * x * (1 + 2j) + w[0])


@case(0.3, W)
@case(-0.3, W)
def an_array_complex_on_one_path_is_written(x, w):
    z = w.copy() if x > 0 else w * 2j
    z[0] *= x
    u = w if x > 0 else w * (1 + 1j)
    u[1] *= x
    return np.sum((z * z * (1 + 2j)).imag) + np.sum((u * z * (1 - 2j)).imag) + w[0]


@case(0.3, W)
def lists_of_real_and_complex_rows(x, w):
    rows = [w, 1j * w, (1 + 1j) * w * x]
    for v in rows:
        v *= x
    made = np.array(rows) + np.stack(rows) + np.concatenate(rows).reshape(3, 3)
    return np.sum((made * (1 + 1j) * made[::-1, ::-1]).imag) + np.sum(rows[1].imag ** 2) * w[1]


@case(0.3, W)
def numbers_that_turn_complex_in_a_loop(x, w):
    t, c, kept = 0, 1, []
    for i in range(3):
        t = t + c * w[i]
        c = c * 1j
        kept.append(t if i else x)
    z = x
    while abs(z) < 3:
        z = z * (1.5 + 0.5j)
    last = kept[0] * kept[1] * kept[2]
    return abs(t) * x + t.real * t.imag + z.real * z.imag + (last * (1 - 2j)).imag


@case(0.3, W)
@case(-2.3, W)
def a_function_with_a_real_and_a_complex_return(x, w):
    def turned(a):
        if a[0] * x > 0.1:
            return a * 2
        return a * 1j

    z = turned(w)
    return np.sum((z * z * (1 + 2j)).imag) + w[0] * x


@case(0.3, W)
@case(-0.3, W)
def eigenvalues_of_a_real_matrix(x, w):
    a = np.array([[x, 1.0], [np.sign(x), w[1]]])
    e = np.linalg.eigvals(a)
    held = [e, w]
    e[0] *= x
    values, vectors = np.linalg.eig(a)
    return np.sum(np.abs(held[0]) * np.array([1, 2.0])) + np.sum(np.abs(vectors[0]) * values.real)


@case(0.3, W)
def what_may_be_complex_is_returned_real(x, w):
    return np.emath.sqrt(x) * np.emath.log(w[1] + 1.0)


@case(0.3, W)
@case(-0.3, W)
def functions_that_turn_complex(x, w):
    y = np.emath.sqrt(w - 1) * np.emath.log(x) + np.emath.power(w - 0.6, x) + np.emath.arcsin(w)
    z = cmath.sqrt(x) * cmath.acosh(x) + cmath.rect(w[0], x) + cmath.asinh(x) * cmath.atanh(x)
    r, phi = cmath.polar(x + 1j * w[1])
    return np.sum((y * (1 + 2j)).real * y.imag) + (z * (1 - 1j)).real * r * phi


@case(0.3, W)
def powers_of_what_may_not_be_negative(x, w):
    r = (x * x + w[0] ** 2) ** 0.5
    return abs(x - 5) / r**1.5 + abs(x) ** 0.3


@case(1.3)
def complex_numbers_beside_arrays_in_containers(x):
    d = {"p": complex(x, x * x), "w": x * np.ones(2)}
    old = dict(zip(d, d.values()))
    t = (old["p"] * (0.8 - 0.6j)).real
    for z in [complex(x, x * x), x * np.ones(2) * 1j, x]:
        y = z
        t += np.sum((y * (0.8 - 0.6j)).real)
    for z in reversed([x * x, x * np.ones(2) * 1j, x]):
        z = z * 1j
        t += np.sum((z * (0.8 - 0.6j)).real)
    return t


@case(1.3)
def numbers_and_arrays_replaced_by_complex_ones(x):
    d = {0: x * x, 1: x * np.ones(2) * 1j, 2: x}
    e = [x * x, x * 1j * np.ones(2), x]
    t = 0.0
    for k in range(3):
        z = d[k]
        d[k] = z * z
        e[k] = e[k] * x
        t += np.sum((d[k] * (0.8 - 0.6j)).real) + np.sum((e[k] * (0.6 + 0.8j)).real)
    return t


# ---------------------------------------------------------------- of a rank that is not known either


@case(np.array([0.4, 0.7, 1.3]))
def sum_begun_with_a_plain_zero(x):
    b = 0
    for k in range(3):
        b = b + np.exp(1j * k * x)
    q = b.copy()
    q[0] *= 2.0
    r = np.array(b) * np.conj(b) + np.roll(b, 1) + np.where(x > 0.5, b, 1.0)
    return np.sum(np.abs(q + 0.3) ** 2) + np.sum((r * (0.3 - 1j)).real)


@case(np.array([0.4, 0.7, 1.3]))
def joined_and_taken_apart(x):
    b = 0.0
    for _ in range(2):
        b = b * 1j + x
    rows = np.concatenate([b, np.stack([b, b * 2])[1]])
    return np.sum(np.abs(rows + 0.3) ** 2) + sum([(v * (0.3 - 1j)).real * k for k, v in enumerate(b)]) + np.sum([v for v in b]).real
