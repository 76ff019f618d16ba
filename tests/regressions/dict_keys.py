"""Dicts with keys that are known and keys that are not, defaults of `get`, settings beside active values."""

import math

import numpy as np

from regressions import Cases

CASES = case = Cases()


@case(1.3)
def merged_with_a_comprehension(x):
    d = {"q": 1.0, **{k: x for k in ["q", "r"]}}
    e = {"s": 2.0}
    e.update({k: x * x for k in ("s", "t")})
    f = dict(e)
    return d["q"] * x * d["r"] + e["s"] * f["t"]


@case(1.3)
@case(-1.3)
def a_known_key_after_unknown_ones(x):
    d, e = {}, {}
    for k in ["q"]:
        d[k] = x
        e[k] = 3.0
    if x < 0:
        d["q"] = 2.0
        e["q"] = 2
    m = np.zeros(3)
    m[e["q"] > 2.5] = x
    return d["q"] * x + np.sum(m) * e["q"]


@case(1.3)
def a_default_that_does_something(x):
    log = []

    def tolerance():
        log.append(x)
        return x

    settings = {"p": 2.0, "q": 1.0}
    places = {"p": x}
    z = settings.get("q", tolerance()) + places.get("p", tolerance()) + settings.get("r", tolerance())
    return z * x * sum(log)


@case(1.3)
def settings_of_every_kind(x):
    c = {"solver": "rk4", "steps": 10, "dt": 0.1, "f": math.sin, "log": None}
    z = c.get("dt", x * x)
    w = c.get("tol", x)
    v = c["rtol"] if "rtol" in c else x * x
    return z * x * w * c["steps"] + v * c.get("f", math.cos)(x)


@case(0.4)
def lists_of_what_is_inert(x):
    p = {"p": np.zeros(2), "q": x}
    p["q"] += max(x if x > 0 else x * x, p["p"].tolist()[0])
    rows = np.arange(4.0).reshape(2, 2).tolist()
    rows[0][1] = x
    return p["q"] * max(x, rows[0][1] + rows[1][0]) * np.array(3.0).tolist()
