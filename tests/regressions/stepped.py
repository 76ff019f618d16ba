"""Generators that run from one item to the next: endless ones, and those that see what happens between two items."""

import itertools

import numpy as np

from regressions import Cases

CASES = case = Cases()


def powers(b):
    t = 1.0
    while True:
        yield t
        t = t * b


@case(0.7, 1.3)
def islice_endless(x, y):
    s = 0.0
    for p in itertools.islice(powers(x), 4):
        s += p * y
    return s


@case(0.7, 1.3)
def zip_endless(x, y):
    s = 0.0
    for p, i in zip(powers(x), range(4)):
        s += p * y * i
    g = powers(y)
    next(g)
    return s + next(g) * next(g)


@case(0.7, 1.3)
def takewhile_endless(x, y):
    s = 0.0
    for p in itertools.takewhile(lambda v: v > 0.1, powers(x)):
        s += p * y
    return s


class S:
    def __init__(self, a): self.a = a
    def steps(self, n):
        for i in range(n):
            self.a = self.a * 1.5
            yield self.a


@case(0.7, 1.3)
def method_that_writes(x, y):
    s = S(x)
    r = 0.0
    for v in s.steps(3):
        r += v * y + s.a
    return r


@case(0.7, 1.3)
def shared_log(x, y):
    log = []
    def gen():
        for v in (x, y):
            log.append(v)
            yield v
    s = 0.0
    for v in gen():
        s += v * len(log) * log[-1]
        log.append(s)
    return s


@case(0.7, 1.3)
def shared_state(x, y):
    state = [x]
    def gen():
        for i in range(3):
            yield state[0] * i
    s = 0.0
    for v in gen():
        s += v
        state[0] = state[0] * y
    return s


def rows(a):
    for i in range(len(a)):
        a[i] *= 2.0
        yield a


@case(np.array([1.0, 2.0, 3.0]), 1.3)
def rows_changed(a, k):
    s = 0.0
    for v in rows(a):
        s += np.sum(v * v) * k
    return s


def gen(n, x):
    if n > 0:
        yield x
        yield from gen(n - 1, x * 1.1)


@case(0.7, 1.3)
def recursive(x, y):
    return sum(gen(4, x)) * y


def chunked(xs, n):
    it = iter(xs)
    while chunk := list(itertools.islice(it, n)):
        yield chunk


@case(0.7, 1.3)
def chunks(x, y):
    s = 1.0
    for c in chunked([x, y, x * y, 2.0, y], 2):
        s = s * sum(c)
    return s


@case(0.7, 1.3)
def sent_and_ignored(x, y):
    def g():
        t = x
        while t < 10:
            got = yield t
            t = t * (2 if got is None else 3)
    return sum(g()) * y


def late_binding_gen(a):
    for i in range(3):
        yield lambda t: t * a * i


@case(0.7, 1.3)
def late_binding(x, y):
    s = 0.0
    for f in late_binding_gen(x):
        s += f(y)
    return s


def countdown(x):
    while x > 1e-2:
        x = x / 2
        yield x


@case(0.7, 1.3)
def left_and_resumed(x, y):
    g = countdown(x)
    s = 0.0
    for v in g:
        s += v
        if s > 0.5:
            break
    for v in g:
        s += v * y
    return s


class Node:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right


def walk(n):
    if n is not None:
        yield from walk(n.left)
        yield n.v
        yield from walk(n.right)


@case(0.7, 1.3)
def tree(x, y):
    t = Node(x, Node(y, Node(x * y)), Node(2.0))
    s = 1.0
    for v in walk(t):
        s = s * v + y
    return s


def fib(a, b):
    while True:
        yield a
        a, b = b, a + b


@case(0.7, 1.3)
def enumerate_left(x, y):
    s = 0.0
    for i, f in enumerate(fib(x, y)):
        if i > 6:
            break
        s += f * i
    return s


@case(0.7, 1.3)
def next_then_loop(x, y):
    g = fib(x, y)
    first = [next(g) for _ in range(4)]
    s = sum(first)
    for v in g:
        s = s * 0.5 + v
        if v > 10:
            break
    return s + next(g)


def count_up(n):
    i = 0
    while True:
        yield i
        i += n


@case(0.7, 1.3)
def inert_endless(x, y):
    c = count_up(2)
    s = 0.0
    for _ in range(4):
        s += x ** next(c) * y
    return s


def descent(w, lr, target):
    while True:
        g = 2 * (w - target)
        w = w - lr * g
        yield w, g * g


@case(0.7, 1.3)
def unpacked_next(x, y):
    it = descent(x, 0.1, y)
    for k in range(5):
        w, gg = next(it)
    return w * gg


def relax(u, k):
    while True:
        for i in range(1, len(u)):
            u[i] = u[i] - k * 0.1 * (u[i] - u[i - 1])
        yield u


@case(np.array([0.3, 0.8, 1.1]), 0.9)
def array_changed_between(u, k):
    s = 0.0
    for n, v in enumerate(relax(u, k)):
        s += np.sum(v ** 2)
        u[0] = u[0] * 1.1
        if n == 3:
            break
    return s


def steps(u, k):
    for i in range(len(u)):
        u = u * k
        yield u


@case(np.array([0.3, 0.8, 1.1]), 0.9)
def unpacked(u, k):
    a, b, c = steps(u, k)
    *_, last = steps(u, k)
    return np.sum(a * b * c) + last[0]


def nested_loops_gen(n, a):
    for i in range(n, 0, -1):
        for j in range(i):
            yield a * i + j
            a = a * 1.01


@case(0.7, 1.3)
def nested_loops(x, y):
    s = 0.0
    g = nested_loops_gen(3, x)
    h = nested_loops_gen(3, y)
    while True:
        u = next(g, None)
        if u is None:
            break
        s += u * next(h)
    return s


def dict_changed_gen(d):
    for k, v in d.items():
        yield k, v * 2
        d[k] = v * 3


@case(0.7, 1.3)
def dict_changed(x, y):
    d = {"a": x, "b": y}
    s = 0.0
    for k, v in dict_changed_gen(d):
        s += v * d[k]
    return s + d["a"]


def interleave(a, b):
    for u, v in zip(a, b):
        yield u
        yield v


def squares(a):
    while True:
        a = a * 0.9
        yield a * a


@case(0.7, 1.3)
def interleaved(x, y):
    s = 0.0
    for i, v in zip(range(5), interleave(squares(x), squares(y))):
        s += v * i
    return s


def sent_gen(a):
    k = yield a
    while k is not None:
        a = a * k
        k = yield a


@case(0.7, 1.3)
def sent(x, y):
    g = sent_gen(x)
    s = next(g)
    s += g.send(y)
    s += g.send(x)
    return s


def acc():
    total = 0.0
    n = 0
    avg = 0.0
    while True:
        v = yield avg
        total += v
        n += 1
        avg = total / n


@case(0.7, 1.3)
def averages(x, y):
    g = acc()
    next(g)
    s = 0.0
    for v in (x, y, x * y):
        s += g.send(v) ** 2
    return s


def yield_in_try_gen(a):
    try:
        for i in range(3):
            yield a
            a = a * 2
            if i == 1:
                raise ValueError
    except ValueError:
        yield a * 100


@case(0.7, 1.3)
def yield_in_try(x, y):
    s = 0.0
    for v in yield_in_try_gen(x):
        s += v * y
    return s


def left_with_log_gen(log, a):
    for i in range(3):
        log.append(a)
        yield a * i


@case(0.7, 1.3)
def left_with_log(x, y):
    log = []
    s = 0.0
    for v in left_with_log_gen(log, x):
        if len(log) == 2:
            break
        s += v + y
    return s + sum(log)


def log_to_the_end_gen(log, a):
    for i in range(3):
        log.append(a)
        yield a * i


@case(0.7, 1.3)
def log_to_the_end(x, y):
    log = []
    s = sum(log_to_the_end_gen(log, x)) + sum(v * y for v in log_to_the_end_gen(log, y))
    return s + sum(log)


def log_in_part_gen(log, a):
    for i in range(3):
        log.append(a)
        yield a * i


@case(0.7, 1.3)
def log_in_part(x, y):
    log = []
    g = log_in_part_gen(log, x)
    next(g)
    next(g)
    return sum(log) * y


def continue_in_endless_gen(a):
    n = 0
    while True:
        n += 1
        if n % 2:
            continue
        yield a * n
        if n > 6:
            return


@case(0.7, 1.3)
def continue_in_endless(x, y):
    s = 0.0
    for v in continue_in_endless_gen(x):
        s = s * y + v
    return s


class Bag:
    def __init__(self, vs):
        self.vs = list(vs)

    def __iter__(self):
        for v in self.vs:
            yield v * 2


@case(0.7, 1.3)
def bag(x, y):
    b = Bag([x, y])
    s = 0.0
    for v in b:
        for w in b:
            s += v * w
        b.vs[1] = b.vs[1] * 2
    return s


def sliced_gen(a, b):
    while True:
        yield a
        yield b


@case(0.7, 1.3)
def sliced(x, y):
    return sum(itertools.islice(sliced_gen(x, y), 1, 8, 2)) + sum(v * y for v in itertools.islice(sliced_gen(x, y), 3))


def mapped_gen(a):
    while True:
        yield a
        a = a * 0.5


@case(0.7, 1.3)
def mapped(x, y):
    return sum(itertools.takewhile(lambda v: v > 0.1, map(lambda v: v * y, mapped_gen(x)))) + sum(a * b for a, b in zip(mapped_gen(y), [x, y, 2.0]))


@case(0.7, 1.3)
def nonlocal_rebound(x, y):
    t = x
    def gen():
        nonlocal t
        for i in range(3):
            t = t * y
            yield t
    s = 0.0
    for v in gen():
        s += v * t
        t = t + x
    return s


@case(0.7, 1.3)
def iterator_left(x, y):
    it = iter([x, y, x * y, 2.0])
    a = next(it)
    s = 0.0
    for v in it:
        s += v * a
        if v > 1.0:
            break
    rest = list(it)
    return s + sum(rest) * 3


@case(np.array([0.3, 0.8, 1.1, 0.2]), 0.9)
def iterator_zipped_with_itself(a, k):
    it = iter(a)
    s = 0.0
    for u, v in zip(it, it):
        s += u * v * k
    return s


def branches_gen(x):
    yield x
    x = x * 2
    if x > 1:
        yield x
    else:
        yield 3 * x
        yield 4 * x
    with np.errstate(all="ignore"):
        x = x + 1
    yield x


@case(0.7, 1.3)
def branches(x, y):
    s = 0.0
    st = [y]
    for v in branches_gen(x):
        s += v * st[0]
        st.append(v)
    return s + sum(st)


def grows_gen(st):
    while True:
        yield st[-1] * 2


@case(0.7, 1.3)
def grows(x, y):
    st = [x]
    for v in grows_gen(st):
        st.append(v * y)
        if len(st) > 4:
            break
    return st[-1]


@case(np.array([0.4, 0.9, 1.7]), 0.3)
def iterators_taken_from_inside_their_loop(w, x):
    it = iter(w)
    s = 0.0
    for v in it:
        s += v * next(it, x)
    pairs = enumerate(w)

    def other():
        return next(pairs, (0, x))[1]

    for i, v in pairs:
        s += i * v + other() * x
    rows = iter([w * x, w, w * w, w + x])
    return s + sum(np.sum(r * next(rows)) for r in rows)


# --- what may go on for ever -------------------------------------------------------------------------


def until_large(f, x):
    while True:
        x = f(x)
        yield x
        if abs(x) > 100.0:
            return


@case(1.2)
def generators_that_are_left_before_they_end(x):
    def near(t):
        return t * 0.5 + x

    previous = x
    for v in until_large(near, x):
        if abs(v - previous) < 0.05:
            break
        previous = v
    steps = until_large(near, x)
    return v * next(steps) * next(steps) + sum(w for _, w in zip(range(3), until_large(near, x)))


@case(1.2)
def generators_over_what_never_ends(x):
    def signs():
        while True:
            yield from [1.0, -1.0]

    def terms():
        for n, sign in zip(itertools.count(1), signs()):
            if n > 10**9:
                return
            yield sign * x**n / n

    total = 0.0
    for term in terms():
        total += term
        if abs(term) < 0.5:
            break
    return total


@case(1.2)
def lists_beside_what_never_ends(x):
    total = sum(k * v for k, v in zip(itertools.count(1), [x, x * 2.0]))
    for v, kind in zip([x, x * 2.0, x * 3.0], itertools.cycle("ab")):
        total += v if kind == "a" else v * v
    return total + sum(a * b for a, b in zip(itertools.repeat(2.0), [x, x**3]))
