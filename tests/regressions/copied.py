"""Copies and listings of arrays and containers, views by name, variables deleted."""

import copy

import numpy as np

from regressions import Cases

CASES = case = Cases()
A4 = np.array([0.4, -0.7, 1.1, 0.3])


@case(A4)
def copies_of_arrays_and_lists(a):
    v = a * 1.0
    w, x = copy.copy(v), copy.deepcopy(v)
    w[0] = 3
    x[1] *= 2
    xs, d = [a[0], a[1]], {"k": a[0]}
    ys, e, f = copy.copy(xs), copy.copy(d), copy.deepcopy(d)
    ys[0] = a[2]
    e["k"] *= 2
    f["k"] += 1
    return np.sum(v * w * x) + sum(xs) * sum(ys) * d["k"] * e["k"] * f["k"]


@case(A4)
def arrays_as_lists(a):
    xs = a.tolist()
    xs[0] *= 2
    m = np.outer(a, a).tolist()
    return sum(xs) * xs[1] + m[0][1] * m[2][3] + sum(sum(r) for r in m)


@case(A4)
def entries_with_their_places(a):
    q = np.outer(a, a)
    w = q * 1.0
    s = 0.0
    for (i, j), x in np.ndenumerate(q):
        s += x * (i + 1) * (j + 2) * q[i, j]
    for i, x in np.ndenumerate(q):
        w[i] = x * x
    return s + np.sum(w)


@case(A4)
def views_by_name(a):
    v = a * 1.0
    w = v.view()
    w[0] *= 3
    x = v[1:].view()
    x[0] = a[0]
    o = np.full_like(a, a[3])
    o[0] = 2.0
    return np.sum(v * v * a) + np.sum(o * o)


@case(A4)
def variables_deleted(a):
    x = np.exp(a)
    y = x * x
    del x
    s = 0.0
    for i in range(3):
        t = a[i] * s + 1
        u = t * t
        del t
        s += u
    x = y * 2
    z = x
    z[0] *= y[1]
    if a[0] > 0:
        del y, z
    return np.sum(x) * s


@case(np.array([0.4, -0.8, 1.1]))
def slices_written_with_their_own_list(v):
    a = b = [v[0], v[1]]
    b[:1] = [*b]
    a += [v[1]]
    b[:2] = [v[0] * v[0], *b[1:2], 2.0]
    c = [v[0], v * 2.0]
    c[:1] = [*c]
    c += [*c, v]
    return sum(w * (i + 1) for i, w in enumerate(a)) + sum(np.sum(w) * (i + 1) for i, w in enumerate(c))
