"""The order in which Python evaluates: places before what goes there, draws and counters once."""

import itertools

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])


@case(A3)
def a_list_that_feeds_its_own_end(x):
    kept = [x[0]]
    for _ in range(3):
        kept.append(kept[-1] * x[1] + 0.1)
    return sum(kept)


@case(A3)
def the_same_through_another_name(x):
    m = kept = [x[0]]
    for _ in range(3):
        m.append(kept[-1] * x[1])
        kept.insert(0, m[-1] * kept[0])
        kept.insert(len(kept), kept[-1] * 0.5)
    return sum(kept) * m[2]


@case(A3)
def a_list_in_a_dict_that_feeds_its_own_end(x):
    d = {"l": [x[0]], "m": []}
    for i in range(3):
        d["l"].append(d["l"][-1] * x[1] + i)
        d["m"].append(d["l"][-1])
        d["m"].append(d["m"][-1] * d["l"][-2])
    return sum(d["l"]) * d["m"][-1]


class Counter:
    def __init__(self, rng):
        self.rng, self.n = rng, 0

    def pick(self):
        self.n += 1
        return self.rng.integers(3)

    def next(self):
        self.n += 1
        return self.n % 3


def moved(v, k):
    v *= k
    v[0] += 1.0


@case(A3)
def places_that_are_counted(x):
    i = [0]

    def following():
        i[0] += 1
        return i[0] % 3

    y = x * 1.0
    y[following()] += y[following()] * x[2]
    y[following()] *= y[following()]
    kept = [y, x]
    kept[following() % 2][following()] *= 2.0
    return y[0] * y[1] ** 2 + x[1]


@case(A3)
def places_that_are_drawn(x):
    rng = np.random.default_rng(3)
    y = x[rng.integers(3)] * 2.0
    y += x[rng.integers(3)] * 2.0
    z = x * 1.0
    for _ in range(5):
        z[rng.integers(3)] += z[rng.integers(3)] * x[rng.integers(3)]
        z[rng.random(3) > 0.5] *= y
    return y * np.sum(z**2)


@case(A3)
def views_that_are_drawn(x):
    rng = np.random.default_rng(3)
    u = np.outer(x, x)
    v = u[rng.integers(3)]
    v *= x[0]
    v[rng.integers(3)] = x[1]
    for row in u[rng.permutation(3)][:2]:
        x = x + row * u[rng.integers(3)]
    for _ in range(4):
        moved(u[rng.integers(3)], x[rng.integers(3)])
    a, b = u[rng.integers(3)], u[rng.integers(3)]
    a += b * x[0]
    return np.sum(u**2) * u[rng.integers(3)].sum() + np.sum(x)


@case(A3)
def places_that_an_object_counts(x):
    s, y = Counter(np.random.default_rng(1)), x * 1.0
    for _ in range(4):
        y[s.pick()] += x[s.next()] * y[s.pick()]
        y[s.next()] *= y[s.next()]
    v = y[s.next() :]
    v *= x[s.next()]
    return np.sum(y**2) * y[s.next()]


@case(A3)
def places_of_iterators(x):
    it, y = iter(range(100)), np.outer(x, x)
    y[next(it) % 3, next(it) % 3] += y[next(it) % 3][next(it) % 3] * x[next(it) % 3]
    w = y[next(it) % 3]
    w[next(it) % 3] = x[next(it) % 3] * w[next(it) % 3]
    z = [w, x, y[next(it) % 3]]
    z[next(it) % 3][next(it) % 3] *= 2.0
    c = itertools.count()
    return np.sum(y**2) * z[next(it) % 3][0] * x[next(c)] * x[next(c)]


@case(A3)
def draws_of_the_module(x):
    np.random.seed(0)
    y = x[np.random.randint(3)] * x[np.random.permutation(3)] + np.random.randn(3) * x
    y[np.random.randint(3)] = np.random.rand() * x[np.random.randint(3)]
    return np.sum(y**2)


@case(A3)
def draws_in_tests_and_containers(x):
    rng = np.random.default_rng(2)
    kept = [x[rng.integers(3)] for _ in range(3)]
    kept.append(kept[rng.integers(3)] * 2.0)
    kept.insert(rng.integers(3), x[0] * x[1])
    kept.pop(rng.integers(3))
    i = 0
    while rng.random() < 0.8 and i < 5:
        x = x * (1.0 + rng.random() * x[rng.integers(3)])
        x = x + rng.normal(size=3) * (x if rng.random() < 0.5 else x * x)
        i += 1
    return sum(kept) * np.sum(x) * kept[rng.integers(3)] ** 2


@case(A3)
def lists_that_change_as_they_are_gone_through(x):
    order, y = [2, 0, 1], x * 1.0
    for t in range(2):
        for a in order:
            if a == 1 and t:
                break
            y[a] *= x[a - 1] * y[order[1]]
            order[2] = (order[2] + 1) % 3
    for a, b in zip(order, reversed(order)):
        y[a] *= x[b]
        order[1] = 2
    for i, a in enumerate(order):
        y[a] *= x[i]
        order[2] = 0
    return np.sum(y**2)


@case(A3)
def arrays_and_dicts_that_change_as_they_are_gone_through(x):
    order, places, y = np.array([2, 0, 1]), {"a": 0, "b": 1}, x * 1.0
    for a in order:
        y[a] *= x[a - 1]
        order[a] = (order[a] + 1) % 3
    for k in places:
        y[places[k]] *= x[0]
        places["b"] = 2
    for _, v in places.items():
        y[v] *= x[1]
        places["b"] = 0
    return np.sum(y**2)


@case(A3)
def iterators_without_an_end(x):
    s, y = 1.0, x * 1.0
    for k in itertools.count():
        s += x[k % 3] * k
        if k > 4:
            break
    for i, k in enumerate(itertools.cycle([0, 2, 1])):
        s = s * x[k] + i
        if i > 4:
            break
    it = iter([0, 1, 2, 0, 1])
    for a in it:
        y[a] *= x[next(it)]
        if a == 2:
            break
    return s * np.sum(y) * x[next(it, 0)]


@case(A3)
def keys_that_come_and_go(x):
    d, s = {"k": x[0]}, 1.0
    for k in ("a", "b", "a", "k", "c"):
        if k in d:
            s += d[k] * x[2]
        d[k] = x[1] * s + x[0]
        s += len(d) * x[1]
    for k in ("a", "z", "c"):
        s += d.get(k, x[2]) * x[0]
        d.pop(k, None)
        d[k + "2"] = s * 0.1
    d["m"] = s
    d.pop("m")
    return s * d.get("m", x[1]) + sum(d.values())


@case(A3)
def counted_in_a_dict(x):
    d = {}
    for k in (1, 2, 3, 1):
        d[k] = d.get(k, x[0]) * x[1]
    d.setdefault(4, x[2])
    return sum(d.values()) * len(d)


def grown(old, acc, f):
    acc += f


def ignored(x, *rest):
    pass


@case(np.ones((2, 3)), A3)
def calls_in_starred_displays(m, a):
    b = m * 1.0
    ignored(b, *[grown(a, b, a), 0.2])
    return np.sum(b**2)


def bumped(w):
    w *= 0.9
    w += 0.1
    return 2.0


def turned(places):
    places += 1
    places %= 4
    return 0.5


@case(np.array([0.3, 0.7, 1.2, 0.5]), 2)
def operands_beside_a_call_that_writes_them(x, n):
    w, places = np.array([1.0, 1.5, 2.0, 0.5]), np.arange(4)
    s = np.sum(x[places] * np.arange(4.0)) * turned(places) * x[places[0]]
    s += (w * x)[1] * bumped(w) + (x.T @ w) * bumped(w)
    s += x[1] * (w > 1.1).sum() * bumped(w) + x[2] * (w > 1.1).sum()
    s += (x * (w if n else places)).sum() * bumped(w) - max(w @ x, bumped(w) * x[1]) * (w @ x)
    pair = [w @ x, (w @ x) * bumped(w), {"a": w @ x, "b": bumped(w), "c": w @ x}["c"]]
    return s + pair[0] * pair[1] * pair[2] + x[1] * w[1]


@case(np.array([0.3, 0.7, 1.2, 0.5]), 2)
def parts_of_choices_and_loops_beside_one(x, n):
    w = np.array([1.0, 1.5, 2.0, 0.5])
    s = (x * w).sum() * bumped(w) * (x**w).sum() if n else 0.0
    s += sum([(x[0] * w[1]) * bumped(w) * w[0] * v for v in x])
    s += n and (x * w).sum() * bumped(w) * (x * w).sum()
    return s * ((x[0] * w[0] if n else x[1]) * bumped(w) * (x[1] * w[0] if n else w[1]))


@case(np.array([0.3, 0.7, 1.2, 0.5]))
def items_of_a_tuple_beside_one(x):
    w = np.array([1.0, 1.5, 2.0, 0.5])
    held = (w, np.arange(3.0))
    s = x[0] * np.sum(np.concatenate(held)) * bumped(w) + x[1] * np.sum(np.concatenate(held))
    places = np.arange(4)
    given = (places, 2.0)

    def moved(pair):
        order, k = pair
        order += 1
        order %= 4
        return k

    for _ in range(3):
        s += np.sum(x[places] * np.arange(4.0)) ** 2 * moved(given)
        s *= 1.0 + x[given[0][0]]
    return s


@case(np.array([0.3, 0.7, 1.2, 0.5]))
def keywords_beside_one(x):
    def shifted(y):
        y[1:] += y[:-1]
        return y

    def joined(a, b, c):
        return a * np.sum(b) * c

    y = np.sin(x) + 1.0
    first = dict(a=y.sum(), b=shifted(y), c=y.sum())["a"] * y[1]
    return first + joined(a=y.sum(), b=shifted(y), c=y.sum()) * np.clip(a=y[:2], a_min=None, a_max=shifted(y)[0]).sum()


class Dial:
    def __init__(self, w):
        self.at, self.w, self.k = 0, w, w[0]

    def next(self):
        self.at = (self.at + 1) % 4
        return self.at

    @property
    def shown(self):
        return self.at

    def raised(self):
        self.k = self.k + 1.0
        self.at += 1
        return 2.0


@case(np.array([0.3, 0.7, 1.2, 0.5]))
def places_that_what_is_added_moves(x):
    y, m, dial, places = np.sin(x) + 1.0, np.outer(x, x), Dial(x * 2.0), np.arange(4)
    y[places[0]] += turned(places) * x[0]
    y[dial.shown] += dial.next() * x[dial.shown]
    m[dial.next() % 2, dial.shown % 2] -= m[dial.next() % 2, dial.shown % 2] * 3
    dial.k += dial.raised() * x[0]
    dial.k *= dial.raised() + dial.k
    dial.w[dial.at % 3] += dial.raised() * x[1]
    turned_twice = x[:2] * dial.next()
    for y[dial.next() % 4] in turned_twice:
        pass
    return np.sum(y**2 * [1, 2, 3, 4]) + np.sum(m**3) + dial.k * dial.w @ x + x[places[0]]


@case(np.array([0.3, 0.7, 1.2, 0.5]))
def places_by_variables_that_are_bound_meanwhile(x):
    y, m, kept, named = np.sin(x) + 1.0, np.outer(x, x), [x[0], x[1] * 2, x[3]], {0: x[0], 1: x[1], 2: x[2]}
    i = 0

    def moved():
        nonlocal i
        i = (i + 1) % 3
        return 0.5

    for _ in range(2):
        y[i + 1] += moved() * x[0]
        y[i] *= moved() * x[i] + 1.0
        y[i : i + 2] += moved() * x[i]
        m[i][i] += moved() * x[i]
        kept[i] += moved() * x[2]
        named[i] -= moved() * x[3]
        y[i] *= (i := (i + 1) % 3) * x[i]
        y[0] += (y := y * x[1])[1]
    return np.sum(y**2 * [1, 2, 3, 4]) + np.sum(m**3) + kept[0] * kept[1] * kept[2] + named[0] * named[1] * named[2]


@case(np.array([0.3, 0.7, 1.2, 0.5]))
def variables_that_what_is_added_binds(x):
    t, z = x[0], x * 1.0

    def changed():
        nonlocal t
        t = t * x[1] + 1.0
        return t

    def scaled():
        nonlocal z
        z = z * x[1]
        return z

    t += changed()
    t *= changed() + t
    held = z
    z += scaled()
    z[1:] += scaled()[1:]
    return t**2 + np.sum(z**2) + np.sum(held**3)


def gathered(x):
    found = []
    for k in range(3):
        found.append(x[k])
    found.reverse()
    return found


@case(A3)
def lists_made_twice_in_one_expression(x):
    return x[2] * gathered(x)[0] * gathered(x)[2]


def raised(a, v):
    a[0] += v
    return v * 2


@case(A3)
def elements_of_a_returned_tuple_one_after_the_other(x):
    a, k = x * 2.0, x[0]

    def parts():
        return a[0], raised(a, x[1]), a[0]

    def turned():
        nonlocal k
        k = k * x[1]
        return k

    def counted():
        return k, turned(), (k, a[1] * 2.0)

    p, q, r = parts()
    s, t, (u, v) = counted()
    return p * q * r * np.sum(a) + s * t * u * v
