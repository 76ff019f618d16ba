"""Inner functions that call their siblings, or themselves, where no derivative passes through the call."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, 0.7, 1.1])


@case(0.7)
def a_sibling_that_counts(x):
    n = 3

    def more(v):
        return v + n

    def scaled(v):
        k = more(2)
        return v * k * x

    return scaled(x) + more(1)


@case(0.7)
def an_inert_recursion_and_a_test(x):
    def power(n):
        return 1 if n <= 0 else 2 * power(n - 1)

    def large(v):
        return v * x > 0.3

    def inner(v):
        return v * power(3) * (x if large(v) else 2.0 * x)

    def outer(v):
        return inner(v) + power(2) * inner(0.1 * v)

    return outer(x)


@case(0.7, A3)
def a_table_looked_up_by_a_sibling(x, u):
    weights = [1.0, 2.0]

    def pick(i):
        return weights[i % 2]

    def term(i):
        def inner(j):
            return pick(j) * u[j % 3] * x

        return inner(i) + inner(i + 1)

    return sum(term(i) for i in range(3))


@case(0.7)
def siblings_that_note_and_count(x):
    log = []
    count = 0

    def note(message):
        log.append(message)

    def bump():
        nonlocal count
        count += 1
        return count

    def step(v):
        note("step")
        k = bump()
        return v * x + k

    t = x
    for _ in range(3):
        t = step(t)
    return t * len(log) * count


@case(0.7)
def a_recursion_whose_value_is_only_tested(x):
    def f(v, n):
        if n == 0:
            return v
        k = f(v * x, n - 1) > 0.01
        return f(v * x, n - 1) * (2.0 if k else 1.0)

    return f(x, 2)


# --- variables and fields that inert calls change between reads -------------------------------------


@case(1.1)
def a_counter_read_between_its_changes(x):
    n = 1

    def bump(k=1):
        nonlocal n
        n += k
        return n

    y = n * x * bump() + n * x
    bump()
    z = y * y * n
    w = [n * x, bump() * x, n * y]
    return z * n + sum(w) * (n * x) ** bump(-2)


@case(1.1)
def a_counter_in_tests_and_bounds(x):
    n = 1

    def bump():
        nonlocal n
        n += 1
        return n

    t = x * n
    while bump() < 4:
        t = t * x * n
        if bump() > 3:
            t = t + x * n
    for k in range(bump() - 2):
        t = t * n + k * x
        for j in range(bump() - 4):
            t = t + x * n * j * 0.1
    return t * n


class Counter:
    def __init__(self):
        self.n = 1

    def bump(self):
        self.n += 1
        return self.n


@case(1.1)
def a_field_read_between_its_changes(x):
    c = Counter()
    y = c.n * x * c.bump() + c.n
    z = y * c.n + c.bump() * c.n * x * y
    while c.bump() < 6:
        z = z * x * c.n
        for _ in range(c.bump() - 4):
            z = z + x * c.n
    return z * c.n


@case(0.7, 1.3)
def a_parser_with_its_place(x, y):
    tokens = iter("x * ( y + x ) * 2".split())
    names = {"x": x, "y": y}
    now = next(tokens, None)

    def advance():
        nonlocal now
        now = next(tokens, None)

    def atom():
        nonlocal now
        if now == "(":
            advance()
            v = total()
            advance()
            return v
        v = names[now] if now in names else float(now)
        advance()
        return v

    def term():
        v = atom()
        while now == "*":
            advance()
            v = v * atom()
        return v

    def total():
        v = term()
        while now == "+":
            advance()
            v = v + term()
        return v

    return total()
