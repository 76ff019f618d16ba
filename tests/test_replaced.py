"""A variable, item or field that is given the result of something made of parts of what it held before."""

import itertools

import numpy as np
import program_check
import pytest

IMPORTS = """
import copy
import functools
import numpy as np
from pullback import grad


class Held:
    def __init__(self, v):
        self.v = v

    def scaled(self, k):
        return Held(self.v * k)


def made(u, k):
    y = u * 1.0
    y[0] = k * y[1]
    return y


def written(u, k):
    u[1] *= k
    return u


def number(u, k):
    return u[1] * k


def empty(u, k):
    y = np.zeros(3)
    y[0] = k
    return y


def both(u, k):
    y = u * k
    y[0] = k
    return y, k * 2


def several(u, k):
    return [u * k, k]


def named(u, k):
    return {"a": u * k, "b": k}


def held(u, k):
    return Held(u * k)

"""

ARRAY = "a = x * 2.0\na[2] = x[0]"
CALLS = ["FUNCTION(x, a[2])", "FUNCTION(a, a[2] * a[0])", "FUNCTION(a[::-1], k=a[2])", "FUNCTION(*(a * 2, a[1]))"]
FUNCTIONS = {"made": "np.sum(a * x)", "written": "np.sum(a * x)", "number": "a * x[1]", "empty": "np.sum(a * x)"}
STATEMENTS = {  # what is read, how it begins, and what replaces it
    "np.sum(a * a * x)": (
        ARRAY,
        ["a, k = both(x, a[2])", "a, a[0] = both(a, a[2])", "k, a = a[1], both(x, a[2])[0]", "a = several(a, a[2])[0]"]
        + ['a = named(x, a[2])["a"]', "a = held(x, a[1]).v", "a = made(made(x, a[2]), a[1])", "a[1:] = made(a, a[2])[1:]"]
        + ["a = a * a[0]", "a = a[::-1] * a[1]", "a, b = a * a[1], a[0]", "a[0], a = a[1], a * 2", "a -= a[1]"]
        + ["a = functools.reduce(lambda p, q: p * q[0], [a, a], a)", "a = (lambda a: a * a[0])(a)"]
        + ["a = grad(lambda v: np.sum(np.sin(v)) * a[0])(a)", "b, a = np.meshgrid(a, a * 2); a = a[:, 0]"],
    ),
    'np.sum(d["a"] * d["b"])': (
        'd = {"a": x * 2, "b": x[0]}',
        ['d = named(d["a"], d["b"])', 'd = named(x, d["a"][1])', 'd = {**d, "a": d["a"] * d["b"]}', 'd |= {"b": d["a"][2]}'],
    ),
    "np.sum(l[0] * l[1])": (
        "l = [x * 2, x[0]]",
        ["l = several(l[0], l[1])", "l = several(x, l[0][1])", "l = [l[0] * l[1], l[0][2]]", "l = [v * l[1] for v in l]"],
    ),
    "np.sum(o.v * x)": (
        "o = Held(x * 2)\no.v[1] = x[0]",
        ["o = held(o.v, o.v[1])", "o.v = written(o.v, o.v[2])", "o = o.scaled(o.v[0])", "o.v = number(o.v, o.v[2]) * o.v"],
    ),
    "np.sum(t[0] * t[1])": (
        "t = (x * 2, x[0])",
        ["t = both(t[0], t[1])", "t = both(x, t[0][1])", "t = (t[0] * t[1], t[0][1])", "t = t[0] * t[1], t[0][2]"],
    ),
    "np.sum(m * m * x)": (
        "m = np.outer(x, x) + 3.0 * np.eye(3)\nm[0] += x\nv, s = x * 2, x[1]\nv[1] = s",
        ["q, m = np.linalg.qr(m)", "s, m = np.linalg.slogdet(m)", "v, m = np.gradient(m)", "m, v = np.meshgrid(v, v * 2)"]
        + ["m, v, s = v, s, m", "v, m = m @ v, np.linalg.inv(m)"],
    ),
}

PLACES = {
    "at once": "{start}\nr = {read}\n{change}\nreturn r * {read}",
    "in a branch": "{start}\nr = {read}\nif x[0] > 0.0:\n    {change}\nreturn r * {read}",
    "in a loop": "{start}\nr = {read}\nfor _ in range(2):\n    {change}\n    r = r + {read} * x[0]\nreturn r * {read}",
}


def programs():
    for (function, read), call in itertools.product(FUNCTIONS.items(), CALLS):
        change = f"a = {call.replace('FUNCTION', function)}"
        yield PLACES["at once"].format(start=ARRAY, read="np.sum(a)", change=change).replace("return r * np.sum(a)", f"return r * {read}")
    for read, (start, changes) in STATEMENTS.items():
        for change, place in itertools.product(changes, PLACES.values()):
            if place is PLACES["in a loop"] and ("slogdet" in change or "meshgrid" in change or change == "m, v, s = v, s, m"):
                continue  # what it holds then has another rank, or may be a view
            yield place.format(start=start, read=read, change=change)


@pytest.mark.parametrize("body", [pytest.param(b, id=" | ".join(b.split("\n")[1:])) for b in programs()])
def test_what_it_was_made_of_receives_its_adjoint(body) -> None:
    text = IMPORTS + "def program(x):\n" + "".join(f"    {line}\n" for line in body.split("\n"))
    outcome = program_check.check_text(text, [np.array([0.7, -0.4, 1.1])])
    assert outcome.kind == "right", f"{body}\n{outcome}"
