"""Targets that write into what is taken apart, and iterators that are taken apart, spread or asked for items."""

import itertools
import math

import numpy as np

from pullback import grad
from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.7, -0.4, 1.1])
PLAIN = [0.3, 0.8, 0.5]


class Bag:
    def __init__(self, x):
        self.x = x

    def __iter__(self):
        return iter(self.x)


def weighed(v):
    return np.sum(np.sin(v) * np.arange(1.0, 1.0 + np.size(v)))


# ---------------------------------------------------------------- targets that write into what is taken apart


@case(A3)
def entries_of_the_array_itself(x):
    a = x * 2
    a[1], p, a[0] = a
    return weighed(a) * p


@case(A3)
def entries_reversed(x):
    a = x * 2
    a[0], a[1], a[2] = a[::-1]
    return weighed(a)


@case(A3)
def starred_after_a_write(x):
    a = x * 2
    a[2], *rest = a
    return weighed(a) * rest[1]


@case(A3)
def items_of_the_list_itself(x):
    held = [x[0] * 2, x[1] * x[2], x[2]]
    held[2], held[0], held[1] = held
    return sum(np.sin(v) * (i + 1) for i, v in enumerate(held))


@case(A3)
def keys_of_a_dict(x):
    table = {0: x[0] * 2, 1: x[1] * x[2], 2: x[2]}
    first, second, third = table
    return table[third] * (first + 0.5) + table[second] * third


# ---------------------------------------------------------------- nested targets


@case(A3)
def a_generator_for_a_nested_target(x):
    (p, q), r = (v * 2 for v in x[:2]), x[2]
    r, (p, *rest) = r * q, map(np.sin, x)
    return p * q * r + rest[1]


@case(A3)
def an_object_for_a_nested_target(x):
    [[p, q, r], s] = [Bag(x * 2), x[1]]
    return p * q * s + r


@case(A3)
def inert_iterators_for_targets_of_all_kinds(x):
    (x[0], p), q = map(math.sin, PLAIN[:2]), x[1]
    a, b, *rest = itertools.islice(map(math.sin, PLAIN), 3)
    return np.sum(x * p) * q * a + rest[0] * b * x[2]


# ---------------------------------------------------------------- spread


@case(A3)
def inert_iterators_beside_active_items(x):
    one = [x[1], *map(math.sin, PLAIN)]
    two = [*(v * 2 for v in PLAIN), x[0]]
    three = [x[2], *itertools.repeat(0.3, 2)]
    four = [x[0]] + list(map(float, ["0.3", "0.4"]))
    return sum(one) * sum(two) + three[0] * sum(three) + sum(four) * x[1]


@case(A3)
def largest_of_an_iterator_is_asked_once(x):
    x[0] *= max(filter(None, PLAIN))
    y = x[0] * max(itertools.chain(PLAIN, [0.2])) - x[1] * min(map(len, [PLAIN, PLAIN]))
    return np.sum(x**2) * y


@case(A3)
def joined_from_a_starred_list(x):
    rows = [x, x * 2]
    whole = np.stack([*rows, np.sin(x)]) * np.concatenate([*map(np.cos, x[:, None])])
    return np.sum(whole**2) + np.sum(np.vstack([x, *rows]) * x)


@case(A3)
def length_of_a_vector_of_any_dimension(x):
    return math.hypot(*x) * x[0] + math.hypot(*map(np.sin, x), 1.0) + math.hypot(1.0, *[x[0], x[1]])


@case(A3)
def array_of_an_iterator(x):
    y = np.fromiter((v * v for v in x), float) * np.fromiter(map(np.sin, x), dtype=np.float64, count=3)
    return weighed(y)


# ---------------------------------------------------------------- asked for items one by one


@case(A3)
def explicit_iterator_of_an_object(x):
    bag = Bag(x * 2)
    it = iter(bag)
    p = next(it)
    bag.x[1] = p * x[2]
    return p * next(it) + next(iter(bag), 0.5)


@case(A3)
def list_of_complex_and_other_numbers_put_into_itself(x):
    held = [complex(2.0, x[0]), 2]
    held[:] = held
    return (held[-2] * 0.6j).real


# ---------------------------------------------------------------- variables that are bound twice


@case(A3)
def several_values_for_one_variable(x):
    def both(q):
        return q[0] * 2, q[1] * 3

    p, p = both(x)
    _, _, last = x * 2
    w, w = np.linalg.eigh(np.array([[2.0, x[0]], [x[0], x[1]]]))
    a, (b, a) = x[0] * 2, (x[1], x[0] * x[2])
    return np.sin(p) * last + np.sum(w**2 * np.array([[1.0, 2.0], [3.0, 4.0]])) + a * b


@case(A3)
def result_for_a_variable_that_the_call_binds_anew(x):
    s, t = x[0], 1.0

    def scaled():
        nonlocal s
        s = s * x[1]
        return s * 2

    def both():
        nonlocal s, t
        s = s * x[1]
        t = t * s
        return s * 2, t * 3

    s = scaled()
    t, s = both()
    s += scaled()
    if (s := scaled()) > 9.0:
        return t
    return np.sin(s) * t


@case(A3)
def part_of_a_variable_that_the_call_binds_anew(x):
    def shorter(v):
        nonlocal s
        s = s * v
        return s[1:]

    s = x * 1.0
    s = shorter(x)
    return np.sum(s**2)


@case(A3)
def result_that_nothing_uses_and_another_value_for_its_variable(x):
    def both(q):
        return q * 2, np.outer(q, q)

    t = 0.0
    for _ in range(2):
        p, q = both(x)
        t += np.sum(p)
        q = p[:1]
    w, v = both(x)
    v = w[0]
    return v * x[1] + t * np.sum(q)


@case(A3)
def derivatives_by_complex_numbers(x):
    z = complex(x[0], x[1])
    g = grad(lambda w: (w * w * 2j).real)(z)
    h = grad(lambda held: (held[0] * held[1]).real)([z, x[0] * 1j])
    return (g * (1 + 2j)).real + (h[0] * (1 + 2j)).real * (h[1] * 3j).real


# ---------------------------------------------------------------- in the heads of loops


def drift(length, _):
    return np.array([[1.0, length], [0.0, 1.0]])


def lens(k, length):
    return np.array([[1.0, length], [-k, 1.0]])


ELEMENTS = {"drift": drift, "lens": lens}


@case(A3)
def names_and_the_rest_of_rows(x):
    lattice = [("lens", x[0], 0.3), ("drift", x[1], x[2]), ("lens", x[1], 0.2)]
    z = np.array([0.3, 0.1])
    for name, *parameters in lattice:
        z = ELEMENTS[name](*parameters) @ z
    total = np.sum(z**2)
    for *_, last in [("a", 1, x[0]), ("b", 2, x[1])]:
        total = total * last + 1.0
    return total
