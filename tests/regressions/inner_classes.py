"""Classes that are defined in the function."""

import abc
import math
from collections import namedtuple
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from regressions import Cases

CASES = case = Cases()


class Outer:
    def __init__(self, v):
        self.v = v

    def get(self):
        return self.v * 2.0

    def product(self, x):
        class Factor:
            def __init__(self, a):
                self.a = a

            def __mul__(self, other):
                return Factor(self.a * other.a)

        return (Factor(x) * Factor(self.v)).a


@case(0.7, 1.3)
def with_methods_and_a_base(x, y):
    class Sum:
        scale = 3.0

        def __init__(self):
            self.total = 0.0

        def add(self, v):
            self.total += v * v * self.scale
            return self

    class Inner(Outer):
        def get(self):
            return super().get() + self.v**2

    return Sum().add(x).add(y).total * Inner(x).get() + Outer(y).product(x)


@case(0.7, 1.3)
def of_every_kind(x, y):
    @dataclass(order=True)
    class Item:
        weight: float
        seen: list = field(default_factory=list, compare=False)

    class Pair(NamedTuple):
        a: float
        b: float = 2.0

    class Power(Enum):
        ONE = 1
        TWO = 2

    class TooLarge(Exception):
        pass

    items = sorted([Item(y), Item(x)])
    items[0].seen.append(x * y)
    pair = Pair(x)._replace(b=y)
    total = items[0].weight * len(items[1].seen) + items[0].seen[0] + pair.a * pair.b + Pair(y).b
    try:
        for power in Power:
            total += x**power.value
            if total > 2.0:
                raise TooLarge
    except TooLarge:
        total *= 3.0
    return total


@case(0.7, 1.3)
def a_linked_list(x, y):
    class Node:
        def __init__(self, v, following=None):
            self.v = v
            self.following = following

        def total(self):
            return self.v + (self.following.total() if self.following is not None else 0.0)

    node = None
    for k in range(3):
        node = Node(x * k + y, node)
    return node.total() ** 2


@case(0.7, 1.3)
def abstract_with_a_property_of_one(x, y):
    class Shape(abc.ABC):
        @abc.abstractmethod
        def area(self): ...

    class Square(Shape):
        def __init__(self, s):
            self.s = s

        def area(self):
            return self.s**2

    class Circle(Shape):
        def __init__(self, r):
            self.r = r

        @property
        def width(self):
            return 2.0 * self.r

        def area(self):
            return math.pi * self.width**2 / 4.0

    return sum(s.area() for s in (Square(x), Circle(y)))


@case(0.7, 1.3)
def a_named_tuple_made_by_a_call(x, y):
    Point = namedtuple("Point", ["a", "b"], defaults=(2.0,))
    points = [Point(x), Point(y, x)]
    return sum(p.a * p.b for p in points) + points[0]._replace(a=y).a


def doubled(a):
    class Pair:
        def __init__(self, v):
            self.v = v * 2.0

    return Pair(a).v


def squared(a):
    class Pair:
        def __init__(self, v):
            self.v = v * v

    return Pair(a).v


@case(0.7)
def of_one_name_in_two_functions(x):
    def tripled(a):
        class Pair:
            def __init__(self, v):
                self.v = v * 3.0

        return Pair(a).v

    def cubed(a):
        class Pair:
            def __init__(self, v):
                self.v = v**3

        return Pair(a).v

    return doubled(x) * squared(x) + tripled(x) * cubed(x)


@case(0.7)
def that_looks_at_what_the_function_has(x):
    table, scale = {"a": 2.0}, 3.0

    class Reader:
        def item(self, key):
            return table[key] * scale

    return x * Reader().item("a") * x
