"""Inert objects whose properties, items, operators and special methods change what derivatives read."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
U = np.array([0.3, 0.7, 1.2, 0.5])


class Meter:
    def __init__(self, w):
        self.w, self.k = w, 1.0

    def hit(self):
        self.w *= 0.9
        self.k += 1.0
        return 2.0

    @property
    def read(self):
        return self.hit()

    def __getitem__(self, i):
        return self.hit() + i

    def __add__(self, other):
        return self.hit() + other

    def __neg__(self):
        return -self.hit()

    def __call__(self, v):
        return self.hit() * v

    def __len__(self):
        return int(self.hit())

    def __next__(self):
        return self.hit()

    def __float__(self):
        return self.hit()

    def __enter__(self):
        self.hit()
        return self

    def __exit__(self, *_):
        self.w *= 0.7


def used(ask):
    def function(x):
        w = np.array([1.0, 1.5, 2.0, 0.5])
        meter = Meter(w)
        s = np.sum(w * x)
        q = x[0] + ask(meter)
        q += x[1] * ask(meter) * meter.k
        return s**2 + q * np.sum(w * x**2)

    return function


read = case(U)(used(lambda m: m.read))
item = case(U)(used(lambda m: m[1]))
added = case(U)(used(lambda m: m + 1))
turned = case(U)(used(lambda m: -m))
called = case(U)(used(lambda m: m(1.5)))
counted = case(U)(used(lambda m: len(m)))
advanced = case(U)(used(lambda m: next(m)))
converted = case(U)(used(lambda m: float(m)))


@case(U)
def in_the_text_itself(x):
    w = np.array([1.0, 1.5, 2.0, 0.5])
    meter = Meter(w)
    s = np.sum(w * x)
    q = x[0] + meter.read + meter[1] + (meter + 1) + len(meter) + next(meter) - meter(0.5) * meter.k
    if meter.read > 0:
        q += w[0] * x[1]
    with meter:
        q += w[0] * x[1] * x[int(meter.read)]
    return s**2 + q * np.sum(w * x**2)


class Answers:
    """What Python asks of it changes what it holds."""

    def __init__(self, weights):
        self.weights = weights

    def hit(self):
        self.weights *= 0.9
        return True

    def __eq__(self, other):
        return self.hit()

    def __contains__(self, item):
        return self.hit()

    def __bool__(self):
        return self.hit()

    def __index__(self):
        return int(self.hit())

    def __format__(self, text):
        return str(self.hit())

    def __iter__(self):
        self.hit()
        return iter([1.0, 2.0])


@case(U)
def asked_without_a_call(x):
    w = np.array([1.0, 1.5, 2.0, 0.5])
    asked, total = Answers(w), np.sum(w * x)
    total += np.sum(w * x**2) * (asked == 1) + (1.0 in asked) * x[0]
    total *= np.sum(w * x) + len(f"{asked}") + w[asked] * x[1]
    if asked:
        total += np.sum(w * x)
    a, b = asked
    return total * (2.0 if asked else 1.0) * np.sum(w * x) * a * b + sum([v * x[0] for v in list(asked)])
