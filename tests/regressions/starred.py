"""Calls that pass on sequences and dicts: of known and of unknown length, to functions, classes and `replace`."""

import bisect
import copy
import dataclasses
import itertools
from collections import namedtuple
from types import SimpleNamespace

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])
Point = namedtuple("Point", "x y z")


@dataclasses.dataclass(frozen=True)
class Rate:
    base: float
    slope: float = 2.0

    def changed(self, **changes):
        return dataclasses.replace(self, **changes)


# ---------------------------------------------------------------------------------------------- sequences


@case(A3)
def array_spread_over_a_named_tuple(u):
    p = Point(*u)
    return p.x * p.y + sum(p)


@case(A3)
def made_of_a_list_or_an_array(u):
    p = Point._make([v * 2 for v in u])
    return p.x * p.y + Point._make(u * 2).z


@case(A3)
def parameters_of_a_model(u):
    def model(t, a, b, c):
        return a * np.exp(-b * t) + c

    return sum((model(t, *u) - y) ** 2 for t, y in [(0.0, 1.0), (1.0, 0.5)])


@case(A3)
def others_of_unknown_number(u):
    def hypotenuse(*xs):
        return np.sqrt(sum(x * x for x in xs))

    def first(x, *xs):
        return x * len(xs) + (hypotenuse(*xs) if xs else 0.0)

    rows = [u, u * 2]
    return hypotenuse(*[v for v in u if v > 0]) + first(*(list(u) + [u[0]])) + sum(hypotenuse(*r) for r in rows)


@case(A3)
def others_of_an_array_are_a_tuple(u):
    def joined(*a):
        b = a + (u[0],)
        return b[0] * b[-1] + a[-1] + sum(a[1:])

    return joined(*u)


@case(A3)
def rows_of_an_array_written(u):
    def relaxed(*rows):
        rows[0][:] *= 2
        for r in rows:
            r += u
        return rows[1] @ rows[0]

    s = np.vstack([u, u * u])
    return relaxed(*s) + np.sum(s)


@case(A3)
def constructors_and_methods(u):
    class Line:
        def __init__(self, a, b, c):
            self.p = (a, b, c)

        def at(self, x, *r):
            return self.p[0] * x + sum(r)

        @staticmethod
        def product(x, y):
            return x * y

    return Line(*u).at(*u) * Line(*map(np.sin, u)).at(u[0]) + Line.product(*u[1:])


@case(A3)
def tuples_of_unknown_length_added(u):
    t = tuple(v for v in u)
    b = t + (u[0],)
    first, *rest = u
    c = (first,) + tuple(rest)
    return b[0] * b[-1] + t[-1] + c[0] * c[1] + c[2]


# -------------------------------------------------------------------------------------------------- dicts


@case(A3)
def options_named_by_a_list(u):
    def model(t, a, b, c=0.0):
        return a * np.exp(-b * t) + c

    p = dict(zip(["a", "b", "c"], u))
    return sum((model(t, **p) - y) ** 2 for t, y in [(0.0, 1.0), (1.0, 0.5)])


@case(A3)
def options_of_a_comprehension(u):
    def total(a, **options):
        return a + sum(options.values())

    return total(u[0], **{k: v for k, v in zip("xyz", u)})


@case(A3)
def options_taken_out(u):
    def volume(a, x=1.0, y=2.0, z=1.0):
        return a + x * y * z

    d = {"x": u[1], "y": u[2]}
    if u[0] > 0:
        del d["x"]
    return volume(u[0], **d)


@case(A3)
def options_of_one_of_several(u):
    def line(x, y=1.0, z=2.0):
        return x * y - z

    kw = {"y": u[1]} if u[0] > 0 else {"z": u[2]}
    return line(u[0], **kw) + sum(line(u[0], **k) for k in [{"y": u[1]}, {"z": u[2]}, {}])


@case(A3)
def options_changed_inside(u):
    def total(a=2.0, **kw):
        kw["x"] = kw.get("x", 1.0) * 3
        kw["new"] = a
        return sum(kw.values())

    d = {"x": u[0]}
    d["y"] = u[1]
    return total(**d) * d["x"] + total(u[2], **d) + len(d)


@case(A3)
def passed_through(u):
    def inner(a, *r, k=1.0, **kw):
        return a * sum(r) * k + sum(kw.values()) + len(r)

    def outer(*a, **kw):
        return inner(*a, **kw) + inner(1.0, *a[1:], **{**kw, "z": 2.0 * a[0]})

    d = {}
    for i, v in enumerate(u):
        d["abc"[i] + "x"] = v * 2
    return outer(*u, **d) + outer(*[v for v in u if v > 0], k=u[1])


@case(A3)
def replaced_by_options(u):
    p = Point(u[0], u[1], 1.0)
    kw = {"y": u[2]}
    return p._replace(**kw).y * p.x + Rate(u[0]).changed(slope=u[1] * u[0]).slope * Rate(**{"base": u[2]}).base


@case(A3)
def replaced_by_options_of_unknown_keys(u):
    p, r = Point(u[0], u[1], 1.0), Rate(u[0], u[1])
    changes = {}
    for n, v in zip(["y", "z"], u):
        changes[n] = v * 2
    q = p._replace(**changes)
    s = dataclasses.replace(r, **{n: u[2] for n in ["slope"]})
    return q.x * q.y * q.z + s.base * s.slope + SimpleNamespace(**{"a": u[1]}).a


@case(A3)
def dicts_of_unknown_keys_joined(u):
    d = {}
    for i, v in enumerate(u):
        d[i] = v
    e, g, h = {**d, 7: u[0]}, d | {9: u[1]}, {7: 1.0, **d}
    return e[1] * e[7] + g[2] * g[9] + h[0] * 3


# ------------------------------------------------------------------------- by the length, and to primitives


@case(A3)
def as_many_as_there_are(u):
    def line(x, slope=2.0, offset=1.0):
        return x * slope - offset

    parts = [[u[0]], [u[1], u[2]], [u[2], u[0], u[1]]]
    return sum(line(*p) for p in parts) + line(*u) + line(1.0, *u[:1]) + Rate(*u[:2]).slope


@case(A3)
def forwarded_to_what_has_defaults(u):
    def doubled(f):
        def run(*a, **k):
            return 2.0 * f(*a, **k)

        return run

    @doubled
    def line(x, y=2.0):
        return x * y

    return line(u[0]) + line(u[1], y=u[2]) + line(*u[:2])


@case(A3)
def primitives_get_their_arguments(u):
    def applied(f, *a, **k):
        return f(*a, **k)

    m = np.outer(u, u + 1)
    options, out = dict(keepdims=True, axis=0), np.empty(3)
    into = {"out": out}
    np.multiply(u, 2.0, **into)
    np.add(*[u, out], out=out)
    return m.sum(**{"axis": 1})[0] * np.mean(m, **options)[0, 1] + applied(np.sum, m, axis=0)[1] + out @ applied(np.sin, u)


@case(A3)
def keys_of_a_list(u):
    new = dict.fromkeys("ab", 0.0)
    for k in "ab":
        new[k] += u[0] * len(new)
    new["a"] *= u[1]
    return new["a"] * new["b"]


@case(np.array([0.4, -0.7, 1.1]))
def first_arguments_by_keyword(u):
    xs = [u[0], u[1] * u[2], u[2]]
    t = sum(v * i for i, v in enumerate(iterable=xs, start=1))
    t += sum(itertools.accumulate(xs, func=lambda a, b: a * b)) + sum(itertools.accumulate(iterable=xs, initial=u[1]))
    t += sum(itertools.repeat(object=u[0], times=3)) * sum(itertools.islice(itertools.count(start=u[1], step=u[2]), 3))
    ys, v = copy.copy(x=xs), np.array(object=xs)
    ys[0] *= v[1]
    return t + copy.deepcopy(x=ys)[0] * np.dot(a=v, b=np.asarray(a=xs))


@case(1.3)
def insorted_by_keyword_and_by_a_key(x):
    up, down = [x, 2.0], [2.0, x]
    bisect.insort(a=up, x=x * x, lo=0)
    bisect.insort_left(down, x * x, key=lambda v: -v)
    return up[0] + 2 * up[1] + 3 * up[2] * down[1]


def by_place(x, *args):
    t = 0.0
    for i, z in enumerate(args):
        t += z * (i + 1) * x
    return t


@case(1.3, 3)
@case(1.3, 4)
def inert_lists_of_unknown_length_in_displays(x, n):
    h = [0.1 * j for j in range(n)]
    p, *q = h
    r, s, u = [*q], (*q, 5.0), [3.0, *q]
    a, *b = u
    t = max(*s) * x + max(*u) + np.sum(np.array([*h, 1.0]) * x)
    for z in s:
        t += z * x
    for z in u:
        t += z * x * x
    t += by_place(x, *q) + by_place(x, *r) * 2 + by_place(x, *s) * 3 + by_place(x, *u, *b) + by_place(x, *[*q])
    return t + len(r) * x + u[-1] * x + s[-1] * x


@case(1.3, np.array([0.4, -0.8, 1.1]), 2)
def inert_tuples_spread_beside_what_is_active(x, a, n):
    h = (n, None)
    xs = (*h, a, *h, x)
    t = 0.0
    for v in xs:
        if v is not None:
            t += np.sum(v * v)
    return t + xs[2][0] * xs[-1] + by_place(x, *(2.0, 3.0), a[0], *(*h[:1], x))


@case(1.3, 3)
def inert_lists_of_unknown_length_in_tuples(x, n):
    c = [1.0 for _ in range(n)]
    d = (*c, x)
    t = sum(d) + d[-1] * d[0] + by_place(x, *(*c, x))
    for v in (x, *c):
        t += v * x
    return t


@case(1.3, 3)
def more_before_an_inert_sequence_than_there_are_parameters(x, n):
    def weighed(*zs):
        t = 0.0
        for i, z in enumerate(zs):
            t += x * z * (i + 1)
        return t

    c = [1.0 for _ in range(n)]
    a, *r = c
    return weighed(*c) + weighed(a, *r) + weighed(2.0, *c) + by_place(x, 2.0, *[*c, x]) + by_place(x, x, *c, x)


@case(1.3, np.array([0.4, -0.8, 1.1]))
def places_where_something_holds(x, a):
    i = np.where(a * x > 0)[0]
    a[np.where(a < 0)] = x
    return by_place(x, *np.where(np.array([0, 1, 1]))[0]) + np.sum(a[i]) * x + by_place(x, *i)


class Twice:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        for v in self.x:
            yield v * 2


class OneByOne:
    def __init__(self, x):
        self.x, self.k = x, 0

    def __iter__(self):
        return self

    def __next__(self):
        self.k += 1
        if self.k > len(self.x):
            raise StopIteration
        return self.x[self.k - 1]


def gathered(first, *rest):
    return first * sum([v * v for v in rest])


@case(A3)
def iterators_spread_out(x):
    total = gathered(1.0, *Twice(x)) * gathered(x[0], *OneByOne(x)) + gathered(x[1], *reversed(x))
    total += gathered(x[2], *iter([x[0], 2.0, x[1]])) + sum([*map(np.sin, x), *reversed([x[0], x[1]])])
    steps = (v * 3 for v in x)
    kept = [*steps]
    total *= kept[0] + max(*Twice(x))
    return total + sum([i * v for i, v in [*enumerate(x)]])


@case(A3)
def iterators_unpacked(x):
    a, b, *rest = reversed(x)
    (i, c), *_ = enumerate(Twice(x))
    *_, d = OneByOne(x)
    return a * b + c * d * len(rest) + i


@case(A3)
def iterators_that_extend_lists(x):
    found = [x[0], 1.0]
    found.extend(Twice(x))
    found += OneByOne(x)
    found[1:3] = reversed(x)
    found += np.outer(x, x).flat
    return sum([v * (i + 1) for i, v in enumerate(found)])


def doubled(y):
    return y * 2.0


@case(A3)
def arrays_that_functions_return_unpacked(x):
    a, b, c = doubled(x)
    first, *rest = doubled(x * a)
    total = 0.0
    for k in range(2):
        p, q = doubled(x[:2] * (k + 1.0))
        total += p * q
    (d, _), *_ = doubled(np.outer(x, x)[:, :2])
    return a * b * c + first * rest[1] + total * d


def halves(y):
    return y[0] * y[1], y[2]


@case(A3)
def lists_as_targets(x):
    [a, b] = halves(x)
    [c, [d, *e]] = halves(x * a)[0], x
    (p, q), r = halves(x), x[2] * b
    total = 0.0
    for [k, [u, v]] in enumerate(zip(x, [p, q, r])):
        total += k * u * v
    return total + a * b * c * d * e[1] + sum([u * v for [u, v] in zip(x, x[1:])])
