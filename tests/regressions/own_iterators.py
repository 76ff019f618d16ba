"""Objects that are their own iterators, or are gone through by their items."""

from itertools import islice

import numpy as np

from regressions import Cases

CASES = case = Cases()
A4 = np.array([0.5, 1.2, 0.8, 1.9])


class Steps:
    def __init__(self, x, n):
        self.x = x
        self.n = n

    def __iter__(self):
        return self

    def __next__(self):
        if self.n == 0:
            raise StopIteration
        self.n -= 1
        self.x = self.x * 1.1
        return self.x


@case(0.7, 1.3)
def in_loops_and_calls(x, y):
    total = 0.0
    for v in Steps(x, 4):
        total += v * v
    for k, v in enumerate(Steps(x, 4)):
        total += k * v
    for a, b in zip(Steps(x, 3), Steps(y, 5)):
        total += a * b
    total += sum(Steps(y, 3)) + max(Steps(x, 2)) + len(list(Steps(x, 3)))
    return total + sum(v**2 for v in Steps(y, 3)) + [w * 2.0 for w in Steps(x, 2)][1]


class Decay:
    def __init__(self, start, rate):
        self.start = start
        self.rate = rate

    def __iter__(self):
        self.now = self.start
        return self

    def __next__(self):
        v = self.now
        if v < 0.1:
            raise StopIteration()
        self.now = v * self.rate
        return v


@case(0.7, 1.3)
def begun_anew_and_left_early(x, y):
    decay = Decay(y, x)
    total = 0.0
    for v in decay:
        if v < 0.5:
            break
        total += v
    return total + sum(decay)


class Walk:
    def __init__(self, u):
        self.u = u
        self.place = 0

    def __iter__(self):
        return self

    def __next__(self):
        if self.place >= len(self.u):
            raise StopIteration
        self.place += 1
        return self.u[self.place - 1]


class Data:
    def __init__(self, u):
        self.u = u

    def __iter__(self):
        return Walk(self.u)


@case(A4)
def made_by_another_object(u):
    data = Data(u)
    total = 1.0
    for v in data:
        total *= v
    first, *others = data
    return total + sum(p * q for p, q in zip(data, data)) + first * len(others)


class Fibonacci:
    def __init__(self, a, b):
        self.a = a
        self.b = b

    def __iter__(self):
        return self

    def __next__(self):
        self.a, self.b = self.b, self.a + self.b
        return self.a


@case(0.7, 1.3)
def without_an_end(x, y):
    total = 0.0
    for k, v in zip(range(4), Fibonacci(x, y)):
        total += v * k
    for v in Fibonacci(y, x):
        total += v
        if v > 3.0:
            break
    numbers = Fibonacci(y, x)
    return total + sum(islice(Fibonacci(x, y), 3)) + next(numbers) * next(numbers)


class Row:
    def __init__(self, u):
        self.u = u

    def __len__(self):
        return len(self.u)

    def __getitem__(self, i):
        if i >= len(self.u):
            raise IndexError
        return self.u[i] * 2.0


class Bag:
    def __init__(self, u):
        self.u = u

    def __iter__(self):
        return iter(self.u)


@case(A4)
def by_items_and_two_at_once(u):
    total = 1.0
    for v in Row(u):
        total *= v
    return total + sum(Row(u)) + sum(a * b for a, b in zip(Row(u), Bag(u[::-1])))
