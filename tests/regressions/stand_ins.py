"""Deques, default and ordered dicts, heaps, and what more there is to do with lists and dicts of active values."""

import bisect
import heapq
import operator
from collections import OrderedDict, defaultdict, deque

import numpy as np

from regressions import Cases

CASES = case = Cases()
A4 = np.array([0.4, -0.7, 1.1, 0.3])


class Mean:
    def __init__(self):
        self.kept = deque(maxlen=2)
        self.total = 0.0

    def push(self, x):
        if len(self.kept) == self.kept.maxlen:
            self.total = self.total - self.kept.popleft()
        self.kept.append(x)
        self.total = self.total + x
        return self.total


@case(A4)
def deque_as_a_field(a):
    mean = Mean()
    return sum(mean.push(x * x) * x for x in a)


@case(A4, 2)
def deque_of_computed_length(a, n):
    kept = deque(maxlen=n)
    s = 0.0
    for x in a:
        kept.append(x)
        s += kept[0] * kept[-1]
    return s * len(kept) * kept.maxlen


@case(A4)
def delay_line(a):
    taps = [0.5, 0.3]
    line = deque([0.0] * len(taps), len(taps))
    out = []
    for x in a:
        line.appendleft(x)
        out.append(sum(c * v for c, v in zip(taps, line)))
    return sum(o * o for o in out)


@case(A4)
def deque_passed_on_and_captured(a):
    def step(buffer, x):
        buffer.append(x * x)
        return sum(buffer) / len(buffer)

    kept = deque(maxlen=3)

    def push(x):
        kept.append(x)
        return kept[0]

    return sum(step(kept, x) * x for x in a) * sum(push(x) * x for x in a)


@case(A4)
def deque_methods(a):
    d = deque([1.0])
    d.rotate(3)
    d.extend(a[:2])
    d.extendleft(a[2:])
    e = d.copy()
    e.popleft()
    d.rotate(1)
    d.rotate(-3)
    d[1] = a[0] * d[2]
    d.insert(1, a[1])
    d.reverse()
    d.remove(d[0])
    del d[0]
    q = deque((x * x for x in a), maxlen=3)
    q.extend([a[0] * 2, a[1] * 3])
    q.extendleft([a[2] * 5])
    return sum(x * (i + 1) for i, x in enumerate(d)) * sum(e) + q[0] * q[1] + sum(reversed(q)) + np.sum(np.array(q) ** 2)


@case(A4)
def deque_of_arrays(a):
    d = deque(maxlen=2)
    for k in range(4):
        d.append(a * k)
        if len(d) == 2:
            d[0] += d[1] * a[0]
    return np.sum(d[0] * d[1]) + np.sum(np.mean(d, axis=0) ** 2)


@case(A4)
def search_by_breadth(a):
    after = {0: [1, 2], 1: [3], 2: [3], 3: []}
    value = {0: a[0]}
    waiting = deque([0])
    while waiting:
        u = waiting.popleft()
        for v in after[u]:
            if v not in value:
                value[v] = value[u] * a[v]
                waiting.append(v)
    return sum(value.values())


@case(A4)
def dicts_with_defaults(a):
    groups = defaultdict(list)
    sums = defaultdict(float)
    nested = defaultdict(lambda: defaultdict(float))
    arrays = defaultdict(lambda: np.zeros(4))
    for i, x in enumerate(a):
        groups[i % 2].append(x * x)
        sums["ab"[i % 2]] += x * x
        nested[i % 2][i] += x
        arrays[i % 2] += a * i

    def add(d, k, x):
        d[k] += x
        d[k] *= 2.0

    add(sums, "c", a[0])
    s = sum(sum(v) * (k + 1) for k, v in groups.items()) + sums["a"] * sums["b"] * sums["c"] + sums["d"]
    return s + nested[0][0] * nested[0][2] + nested[1][9] + np.sum(arrays[0] * arrays[1])


@case(A4)
def items_of_a_dict_taken(a):
    d = {"x": a[0], "w": a[1]}
    k, v = d.popitem()
    d[k + "2"] = v * 2
    q, r = d.setdefault("x", 5.0), d.setdefault("n", a[2] * a[0])
    p = d.pop("n") * d.pop("absent", a[3])
    e = dict.fromkeys("uv", a[0] * 2)
    e["u"] += 1
    return v * d["x"] * d["w2"] * q * r + p * e["u"] * e["v"]


@case(A4)
def least_recently_used(a):
    kept = OrderedDict()
    s = 0.0
    for k in [0, 1, 0, 2, 3, 0, 1]:
        if k in kept:
            kept.move_to_end(k)
        else:
            kept[k] = a[k] * a[k]
            if len(kept) > 2:
                _, v = kept.popitem(last=False)
                s += v * 2
        s += kept[k]
    return s


@case(A4)
def heaps(a):
    h = []
    for i, x in enumerate(a):
        heapq.heappush(h, (abs(x), i, x * 2))
    s = 0.0
    for k in range(2):
        _, i, v = heapq.heapreplace(h, (5.0 + k, k, a[0]))
        s += v * (k + 1) * a[i]
    top = list(a[:2])
    heapq.heapify(top)
    for x in a[2:]:
        if x > top[0]:
            heapq.heapreplace(top, x)
        s += heapq.heappushpop(top, x * 0.5)
    s += heapq.nsmallest(2, h)[1][0] + heapq.nlargest(1, h, key=lambda t: t[2])[0][2]
    while h:
        s = s * 0.5 + heapq.heappop(h)[0]
    return s + sum(x * (i + 1) for i, x in enumerate(heapq.merge(sorted(a[:2]), sorted(a[2:]))))


@case(A4)
def shortest_paths(a):
    roads = {0: [(1, a[0] ** 2), (2, a[2] ** 2 + 1)], 1: [(2, a[1] ** 2)], 2: []}
    far = {0: 0.0}
    h = [(0.0, 0)]
    while h:
        d, u = heapq.heappop(h)
        if d > far.get(u, 1e9):
            continue
        for v, length in roads[u]:
            if d + length < far.get(v, 1e9):
                far[v] = d + length
                heapq.heappush(h, (d + length, v))
    return far[2] * far[1]


@case(A4)
def places_in_sorted_lists(a):
    s = sorted(a)
    i = bisect.bisect_left(s, 0.35)
    bisect.insort(s, a[0] * a[1])
    return s[i] * s[1] * bisect.bisect(s, 0.0) * s[2]


@case(A4)
def columns_of_rows(a):
    p = [(x, x * x, i) for i, x in enumerate(a)]
    xs, ys, ii = zip(*p)
    m = [[a[0], a[1]], [a[2], a[3]]]
    t = [list(r) for r in zip(*m)]
    m[0][0] *= 2
    n = [[x * i for x in a] for i in range(3)]
    s = sum(c[1] * c[2] for c in zip(*n)) + sum(np.sum(c) * c[0] for c in zip(*np.outer(a, a)))
    return s + sum(x * y * i for x, y, i in zip(xs, ys, ii)) + t[0][1] * t[1][0] + m[0][0]


@case(A4)
def operators_called_by_name(a):
    v = a * 1.0
    w = v
    v.__setitem__(0, a[1] * 2)
    operator.setitem(v, slice(1, 3), v[:2])
    operator.iadd(v, a)
    operator.imul(w, 2)
    v = operator.isub(v, 1)
    v[1:].__imul__(3)
    x = operator.itruediv(v[0], a[1])
    xs, d = [a[0], a[1]], {}
    operator.setitem(xs, 0, a[2])
    xs.__setitem__(1, xs[0] * 2)
    d.__setitem__("k", a[3])
    return np.sum(v * w) * x + operator.getitem(xs, 1) * xs.__getitem__(0) * d["k"] + v.__getitem__(0) * a.__add__(1)[0]
