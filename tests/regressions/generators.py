"""Generator functions, generator expressions and iterators, gone through at once or kept."""

import itertools

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])


def squares(xs, w):
    for x in xs:
        yield x * x * w


def running(xs):
    total = 0.0
    for x in xs:
        total += x
        if total > 2.0:
            return
        yield total


def chained(xs, w):
    yield w
    yield from squares(xs, w)
    yield w * w


def pairs(xs):
    for i in range(len(xs) - 1):
        yield xs[i], xs[i + 1]


@case(A3, 0.3)
def g_for(a, w):
    s = 0.0
    for v in squares(a, w):
        s = s * 0.5 + v
    return s


@case(A3, 0.3)
def g_sum(a, w):
    return sum(squares(a, w)) * w


@case(A3, 0.3)
def g_list(a, w):
    xs = list(squares(a, w))
    return xs[0] * xs[2]


@case(A3, 0.3)
def g_zip(a, w):
    return sum(x * y for x, y in zip(squares(a, w), running(a)))


@case(A3, 0.3)
def g_enumerate(a, w):
    return sum(i * y for i, y in enumerate(squares(a, w)))


@case(A3, 0.3)
def g_next(a, w):
    return next(squares(a, w)) * w


@case(A3, 0.3)
def g_next_default(a, w):
    return next((v for v in a if v > 5.0), w) * w


@case(A3, 0.3)
def g_next_genexp(a, w):
    return next(v * w for v in a if v < 0) * w


@case(A3, 0.3)
def g_minmax(a, w):
    return min(squares(a, w)) + max(squares(a, w)) ** 2


@case(A3, 0.3)
def g_comprehension(a, w):
    return sum([v * w for v in squares(a, w) if v > 0.0])


@case(A3, 0.3)
def g_from(a, w):
    return sum(v**2 for v in chained(a, w))


@case(A3, 0.3)
def g_early_return(a, w):
    return sum(running(a)) * w


@case(A3, 0.3)
def g_pairs(a, w):
    return sum(x * y * w for x, y in pairs(a))


@case(A3, 0.3)
def g_unpack(a, w):
    x, y, z = squares(a, w)
    return x * y + z


@case(A3, 0.3)
def g_local(a, w):
    def local(n):
        for i in range(n):
            yield a[i] * w

    return sum(local(3)) * sum(local(2))


@case(A3, 0.3)
def g_kept(a, w):
    g = squares(a, w)
    x = next(g)
    y = next(g)
    return x * y + sum(g)


@case(A3, 0.3)
def g_kept_twice(a, w):
    g = squares(a, w)
    s = sum(g)
    return s + sum(g) * 100.0


@case(A3, 0.3)
def g_map_twice(a, w):
    m = map(lambda v: v * w, a)
    return sum(m) + sum(m) * 100.0


@case(0.7, 1.3)
def map_late(x, t):
    k = x
    m = map(lambda v: v * k, [x, t])
    k = t * t
    return sum(m)


@case(0.7, 1.3)
def genexp_late(x, t):
    k = x
    m = (v * k for v in [x, t])
    k = t * t
    return sum(m)


@case(0.7, 1.3)
def filter_late(x, t):
    k = x
    m = filter(lambda v: v > k, [x, t, 1.0])
    k = 0.1
    return sum(m)


@case(0.7, 1.3)
def first_iterable_is_early(x, t):
    xs = [x, t]
    m = (v * x for v in xs)
    xs = [t, t, t]
    return sum(m)


@case(0.7, 1.3)
def list_grows_before(x, t):
    xs = [x, t]
    m = (v * x for v in xs)
    xs.append(t * t)
    return sum(m)


@case(0.7, 1.3)
def passed_generator(x, t):
    return consumer(v * x for v in (x, t, 2.0)) + consumer2(squares([x, t], t))


def consumer(g):
    s = 1.0
    for v in g:
        s *= v
    return s


def consumer2(g):
    a = next(g)
    return a * sum(g) + sum(g) * 100


@case(0.7, 1.3)
def returned_generator(x, t):
    g = maker(x, t)
    return sum(g) + sum(g)


def maker(x, t):
    return (v * x for v in (x, t))


@case(0.7, 1.3)
def generators_in_list(x, t):
    gs = [squares([x, t], t), (v * t for v in (x, x))]
    return sum(gs[0]) * next(gs[1]) + sum(gs[1])


@case(A3, 0.3)
def explicit_iterator(a, w):
    it = iter([a[0], a[1] * w, a[2]])
    s = next(it)
    for v in it:
        s = s * v
    return s


@case(A3, 0.3)
def explicit_iterator_default(a, w):
    it = iter(a)
    s = 0.0
    while True:
        v = next(it, None)
        if v is None:
            break
        s += v * v
    return s


@case(A3, 0.3)
def zip_kept(a, w):
    z = zip(a, a[1:])
    s = 0.0
    for x, y in z:
        s += x * y * w
    for x, y in z:
        s += 100.0 * x
    return s


@case(A3, 0.3)
def break_then_done(a, w):
    g = squares(a, w)
    s = 0.0
    for v in g:
        s += v
        if s > 0.1:
            break
    return s


class Bag:
    def __init__(self, xs):
        self.xs = xs

    def __iter__(self):
        for x in self.xs:
            yield x * 2.0

    def scaled(self, w):
        for x in self:
            yield x * w


@case(A3, 0.3)
def generator_methods(a, w):
    b = Bag(a * w)
    return sum(b) * sum(b.scaled(w)) + sum(x * x for x in b)


@case(A3, 0.3)
def any_all(a, w):
    s = w
    if any(v > 1.0 for v in a):
        s = s * 2.0
    if all(v > 0 for v in squares(a, w)):
        s = s * a[0]
    return s


@case(A3, 0.3)
def np_from_gen(a, w):
    return np.sum(np.array(list(squares(a, w))) ** 2)


@case(A3, 0.3)
def nested_gen(a, w):
    return sum(sum(v * u for v in a) for u in squares(a, w))


@case(A3, 0.3)
def gen_with_state(a, w):
    def ema(xs, k):
        m = 0.0
        for x in xs:
            m = (1 - k) * m + k * x
            yield m

    out = 0.0
    for m, x in zip(ema(a, w), a):
        out += (m - x) ** 2
    return out


@case(A3, 0.3)
def islice_gen(a, w):
    return sum(itertools.islice(squares(a, w), 2)) * w


@case(A3, 0.3)
def sorted_gen(a, w):
    return sorted(squares(a, w))[0] * w


@case(A3, 0.3)
def try_finally_gen(a, w):
    def g():
        try:
            for v in a:
                yield v * w
        finally:
            pass

    return sum(g())


@case(A3, 0.3)
def dict_from_gen(a, w):
    d = dict((i, v) for i, v in enumerate(squares(a, w)))
    return d[0] * d[2]


def first_key_above(d, bound):
    return next((key for key, v in d.items() if v > bound), None)


@case(0.7, 1.3)
def keys_found_by_active_values_one_by_one(p, x):
    d = {"a": p, "b": x, "c": 1.5 * x}
    it = (key for key, v in d.items() if v > 0.9)
    found = d[next(it)] ** 2 + d[next(it)]
    last = max(key for key, v in d.items() if v > 0.9)
    missing = first_key_above(d, 9.0)
    return found * d[first_key_above(d, 0.9)] * d[last] * (1.0 if missing is None else d[missing])
