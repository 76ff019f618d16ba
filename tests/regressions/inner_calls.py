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
