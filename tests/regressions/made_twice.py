"""Equal texts that are not one value: each makes an object of its own, draws anew, or asks again."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])


@case(A3)
def two_draws_in_one_expression(a):
    rng = np.random.default_rng(0)
    s = a[0] * rng.random() * a[1] + a[2] * rng.random() * a[1] * rng.random()
    return s + np.sum(a * rng.normal(size=3) * a) + np.sum(a * rng.normal(size=3))


@case(A3)
def a_draw_that_is_not_kept_comes_first(a):
    rng = np.random.default_rng(0)
    return a[0] ** 2 * (rng.random() + a[1] * rng.random()) + a[2] * (2.0 if rng.random() > 0.1 else rng.random())


@case(A3)
def two_buffers_in_a_display(a):
    b = [np.zeros(3), np.zeros(3)]
    b[0][:] = a
    b[1][1] = a[0]
    d = {"x": np.zeros_like(a), "y": np.zeros_like(a)}
    d["x"] += a
    d["y"] -= 2 * a
    t = (np.zeros(3), np.zeros(3))
    t[0][:] = a
    return np.sum(b[0] * b[1]) + np.sum(d["x"] * d["y"]) + np.sum(t[1] * a) + np.sum(t[0])


@case(A3)
def two_copies_in_a_display(a):
    v = a * 1.0
    c = [v.copy(), v.copy()]
    c[0][0] = 3
    d = [v * 2, v * 2]
    d[0] *= 2
    f = [list(a), list(a)]
    f[0][0] *= 2
    return np.sum(c[0] * c[1]) + np.sum(d[1] * d[0]) + f[1][0] * f[0][0]


@case(A3)
def ping_pong_buffers_in_a_list(a):
    b = [np.zeros(3), np.zeros(3)]
    b[0][:] = a
    for k in range(3):
        np.multiply(b[k % 2], a, out=b[(k + 1) % 2])
        b[(k + 1) % 2] += 1
    return np.sum(b[0] * b[1])


@case(A3)
def iterators_and_counters(a):
    it, k = iter([2.0, 3.0]), iter(range(3))
    n = [0]

    def tick():
        n[0] += 1
        return n[0]

    s = a[next(k)] * next(it) * a[next(k)] * next(it)
    return s + a[0] * tick() * a[1] + a[2] * tick() * a[1] * n[0]


@case(A3)
def order_of_calls_that_change_what_others_read(a):
    xs, x, c = [1], {"n": 1}, [1.0]

    def f():
        xs.append(1)
        x["n"] += 1
        c[0] *= 2
        return 2.0

    z = a[2] * len(xs) * x["n"] * c[0] + f() * a[1] * len(xs) * x["n"] * c[0]
    return z * z


@case(A3)
def order_of_calls_among_indices(a):
    n = [0]

    def place():
        n[0] += 1
        return n[0] % 3

    v = a * 1.0
    v[place()] += a[0]
    v[place()] *= v[place()]
    v[place()] = v[place()] * 2
    it = iter([2, 1, 0])
    v[next(it)] = v[next(it)] * (next(it) + 3)
    return np.sum(v * v * a) * n[0]


@case(A3)
def draws_in_comprehensions(a):
    rng = np.random.default_rng(0)
    xs = [rng.random() * x for x in a]
    d = {k: rng.random() * a[k] for k in range(3)}
    t = (rng.random() * a[0], rng.random())
    while sum(xs) < 3.0:
        xs.append(abs(a[0] * rng.normal()) + 0.3)
    return sum(xs) * d[1] * t[0] * t[1]
