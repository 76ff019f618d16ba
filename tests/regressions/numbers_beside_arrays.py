"""Copies and unions of dicts, and tuples, that hold numbers beside arrays, read without knowing which comes."""

import numpy as np

from regressions import Cases

CASES = case = Cases()


def squared(d):
    t = 0.0
    for k in d:
        z = d[k]
        t += np.sum(z * z)
    return t


@case(1.3)
def copies_of_dicts(x):
    d = {"p": x * x, "q": x * np.ones(2)}
    e = {**d, "r": x}
    f = dict(d)
    g = d | {"p": x}
    t = d["p"] * 3.0
    for k in f:
        z = f[k]
        t += np.sum(z * z)
    return squared(e) + squared(g) * t + squared({**d, "p": x * x})


@case(1.3)
def copies_that_change(x):
    d = {"p": x * x, "q": x}
    e = {**d, "w": x * np.ones(2)}
    t = 0.0
    for k in list(e):
        z = e[k]
        e[k] = z * z
        t += np.sum(z) * np.sum(e[k])
    several = [{**d}, {**e, "p": x}]
    return t + d["p"] * d["q"] + sum(squared(s) for s in several)


@case(1.3)
def updates(x):
    d, c = {"p": x * x}, {"p": x, "q": x * np.ones(2)}
    d.update(q=x * np.ones(2), r=x)
    t = squared(d)
    d.update(c)
    d |= {"p": x * c["p"], "s": x * np.ones(3)}
    for k in list(d):
        z = d[k]
        t += np.sum(z * z)
        d[k] = z * x
    return t + squared(d) * c["p"]


@case(1.3)
def complex_numbers_in_a_copy(x):
    d = {"p": complex(x, x * x), "q": x * np.ones(2)}
    e = {**d, "r": x}
    t = 0.0
    for k in e:
        z = e[k]
        t += np.sum((z * (0.8 - 0.6j)).real)
    return t


@case(1.3)
def tuples(x):
    u = x * np.ones(2)
    c = (x, u)
    u[0] = 3.0 * x
    xs = [x, u]
    b = tuple(xs)
    t = xs[0]
    for i in range(2):
        w = c[i]
        t += np.sum(w * w) * i
    for v in b:
        w = v
        t += np.sum(w * w)
    for p in zip([x, x * x], [u, x * np.ones(3)]):
        for i in range(2):
            w = p[i]
            t += np.sum(w * w)
    return t


@case(1.3)
def starred_parameters(x):
    def total(*vs):
        t = 0.0
        for v in vs:
            w = v
            t += np.sum(w * w)
        return t

    def chosen(i, *vs):
        w = vs[i]
        return np.sum(w * w)

    c = [x, x * np.ones(2)]
    return total(*c) + total(x, *c) + total(*c, x * np.ones(3)) + chosen(0, *c) + chosen(1, *c) * c[0]
