"""Elements of containers that are numbers on one path and inert arrays, complex numbers or None on another."""

import copy
import dataclasses
import functools
from collections import OrderedDict, deque
from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np

from regressions import Cases

CASES = case = Cases()
NAMES = ("q", "r")
A = np.array([0.4, -0.8, 1.1])


class Pair(NamedTuple):
    u: object
    v: object
    w: object = 1.0


@dataclass
class Record:
    u: object
    v: object
    w: object = 1.0


class Box:
    rate = 1.0

    def __init__(self, u, v):
        self.u, self.v = u, v

    def get(self, name):
        return getattr(self, name)

    def give(self, name, value):
        setattr(self, name, value)


def of_words(**words):
    t = 0.0
    for k in words:
        t += np.sum(words[k]) * len(k)
    return t


@case(A, 1)
def numbers_or_inert_arrays(a, m):
    d, xs = {}, []
    for j, k in enumerate(NAMES):
        d[k] = float(a[1]) if j == m else np.array([1, 2])
        xs.append(float(a[0]) if j == m else np.array([1, 2]))
        xs.insert(m, float(a[2]) if j == m else np.array([1.0, 2.0]))
    b = Box(a[0], 1.0)
    b.v = float(a[2]) if m > 0 else np.arange(2)
    return of_words(**d) + sum(np.sum(x) * (i + 1) for i, x in enumerate(xs)) + np.sum(b.v) * b.u


def turned(zs):
    t = 0.0
    for i in range(len(zs)):
        zs[i] = zs[i] * zs[i]
        t += np.real(zs[i] * (1 + 2j))
    return t


@case(1.3, 0)
@case(1.3, 1)
@case(1.3, 2)
def numbers_or_complex_numbers(x, n):
    r = abs(complex(x, 1.0))
    pair, xs, d, b = (r, r), [r, r], {"a": r, "b": x}, Box(r, 1.0)
    for j in range(n):
        pair = (x * 1j, pair[0])
        xs[j] = 1j * x + xs[0]
        d["ab"[j]] = 1j * x + d["a"]
        d["ab"[j]] += d["b"]
        b.u = b.u * 1j * x
        b.rate *= 1j * x
    z = b.u * b.rate
    t = np.real(z * z * (1 + 2j))
    for w in pair:
        t += np.real(w * w * (1 + 2j))
    for w in xs + list(d.values()):
        t += np.real(w * w * (1 + 2j))
    return t + turned([r, 1.0]) + turned([1j * x, x]) + turned([1j * x, 1j + x])


@case(1.3, A)
def complex_numbers_or_parts_of_arrays(x, a):
    h = (a[::-1], a[0])
    for _ in range(2):
        h = h[1:] + (x * 1j,)
    t = functools.reduce(lambda s, z: 0.5 * s + np.sum(np.real(z * z)), h, 0.0)
    xs = [None, None, x]
    xs[0] = 1j * x
    for z in xs:
        if z is not None:
            t += np.real(z * z * (1 + 2j))
    return t


@case(1.3, A)
def numbers_beside_arrays_in_new_containers(x, a):
    xs = [a for _ in range(3)]
    xs[1] = np.sum(a)
    t = sum(dict(p=0, q=xs[1], r=2).values())
    for o in (Pair(xs[1], 0.0), Pair(v=xs[1], u=x)):
        for z in o:
            t += np.sum(z * z)
    record = replace(Record(xs[1], v=x), w=xs[1])
    for held in (record, Box(xs[1], xs[0]), SimpleNamespace(u=xs[1], v=xs[2])):
        t += np.sum(held.u * held.u) + np.sum(held.v * held.v)
    ys = [*[x for _ in range(3)], a]
    for i in range(2):
        t += np.sum(ys[i]) * i
    return t + np.sum(record.w * 3.0)


@case(1.3, 2)
@case(1.3, 8)
def numbers_or_none(x, m):
    d = dict.fromkeys(NAMES, x * 2.0)
    d |= {"r": None if x < 9.0 else x * x}
    if m > 7:
        d["q"] = x * 1j
    held = SimpleNamespace(xs=deque([3, x * x, None]), m=m).xs
    held[m % 2] = (x + 2j) * x
    t = 0.0
    for z in sorted(held, key=lambda z: 0.3 if z is None else np.real(z)):
        t = 0.7 * t + (0.3 if z is None else np.real(z * z))
    ys = [None if x > 9.0 else x, np.ones(2)]
    for z in {k: ys[j] for j, k in enumerate(NAMES)}.values():
        t += 0.0 if z is None else np.sum(z)
    while d:
        k, z = d.popitem()
        t += 0.5 if z is None else np.real(z * z) * (1 + len(k))
    return t


@case(1.3)
def dicts_with_more_keys_than_are_known(x):
    d = {}
    for k in NAMES:
        d[k] = x
    d.setdefault("p", x * x)
    t = 0.0
    for k, v in copy.deepcopy(d).items():
        t += v * (1 + ord(k))
    return t


@case(1.3, 0.7)
def attributes_by_name(x, y):
    b = Box(x, y)
    t = b.get("u") + 2.0 * b.get("v")
    b.u = b.get("v") * x
    return t * b.get("u")


def looked_into(held):
    match held:
        case [u, v]:
            return u * v
        case {"p": u}:
            return u * 3.0


@case(1.3)
def patterns_of_deques_and_ordered_dicts(x):
    return looked_into(deque([x, x * x])) + looked_into(OrderedDict(p=x)) * looked_into([x, 2.0])


@case(1.3, A)
def arrays_of_no_dimension(x, a):
    pair = (x, np.asarray(x))
    held = Box(np.full(3, x), x)
    xs = [held.u, held.v, a]
    z = pair[1]
    z += x
    t = 0.0
    for q in xs:
        t += np.sum(q * q)
    return t + z * x


def cell(x, h):
    z = np.concatenate([x, h])
    gates = {g: z for g in "if"}
    o, i = (gates[g] for g in "if")
    return o[:2], i


@case(1.3, 0.6)
def arrays_bound_together(x, y):
    h, c = np.zeros(2), np.zeros(2)
    for _ in range(2):
        h, c = cell(np.ones(2) * x, h * y)
    return np.sum(h * h) + np.sum(c)


@case(1.3, A)
def tuples_in_the_place_of_none(x, a):
    state, kept = None, {}
    for k, w in enumerate(a):
        if state is None:
            state = (x, w)
        else:
            u, v = state
            state = (u * v, state[0] + w)
        kept[k] = state
    return state[0] + state[1] * sum(p * q for p, q in kept.values())


class Holder:
    rate = 2.0

    def __init__(self, u, v):
        self.u, self.v = u, v

    def __iter__(self):
        yield self.u
        yield self.v


@case(1.3)
def inert_dicts_made_of_pairs(x):
    def used(z):
        return x * z

    held = SimpleNamespace(d=dict(zip("abc", range(3))), e=dict([("a", 1.0), ("b", 2.0)]))
    t = sum(used(z) for z in held.d.values()) + sum(used(held.e[k]) for k in held.e)
    return t + dict(zip("ab", (3.0, 4.0)))["b"] * x


@case(1.3)
def inert_objects_gone_through(x):
    t = 0.0
    for z in Holder(3.0, 2.0):
        t = t * 2.0 + z * x
    return t


@case(1.3)
def inert_fields_set_by_names_that_are_not_known(x):
    h, g, f = Holder(1.0, 2.0), Holder(1.0, 2.0), Holder(1.0, 2.0)
    for k in "uv":
        setattr(h, k, np.arange(3.0))
    g.__dict__.update({"rate": np.arange(3.0)})
    setattr(f, NAMES[0] and "v", np.arange(3.0))
    for z in (h.u, g.rate, f.v):
        z -= 0.5
    return np.sum(h.u) * x + np.sum(g.rate) * x + np.sum(f.v) * x


@case(1.3)
def fields_by_name_where_some_are_inert(x):
    def used(z):
        return x

    records = [Record(x, np.ones(2), 0.7)]
    t = 0.0
    for field in dataclasses.fields(records[0]):
        t += used(getattr(records[0], field.name))
    return t


@case(1.3, A)
def copied_lists_of_functions(x, a):
    either = [lambda c: np.tanh(a[0]) * c, lambda c: 2.0 * c, lambda c: 3.0 * c]
    again = [each for each in either]
    return again[1](0.3) + again[0](0.2) * x


@case(1.3)
def inert_unions_of_dicts(x):
    d = {"a": 1.0}
    alias, e = d, {"k": d}
    d |= {"b": 2.0}
    e["k"] |= dict(c=3.0)
    f = {"z": 1.0} | (d | {"c": 4.0})
    g = d | {}
    g["q"] = x
    h = dict.fromkeys("ab")
    h |= {"r": 1.5}
    t = sum(v * x for v in f.values()) + sum(v * x for v in g.values())
    for k in alias:
        t += alias[k] * x * x
    for k in h:
        t += x if h[k] is None else h[k] * x
    return t
