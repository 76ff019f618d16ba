"""Programs with classes that once came out wrong, or crashed, made small, and now right."""

import collections
import dataclasses
import json
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Generic, TypeVar

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])
T = TypeVar("T")


class Spring:
    stiffness = 2.0

    def __init__(self, x):
        self.x = x

    def __call__(self, t):
        return self.x * t

    def energy(self):
        return self.x * self.x

    @property
    def force(self):
        return -self.x

    @property
    def length(self):
        return self.x

    @length.setter
    def length(self, value):
        self.x = value * self.stiffness


class Damped(Spring):
    def __init__(self, x, k=0.5):
        super().__init__(x)
        self.k = k

    def energy(self):
        return super().energy() * self.k

    @property
    def force(self):
        return super().force - self.k * super().stiffness


@case(A3)
def property_of_one_of_several_classes(a):
    total = 0.0
    for s in [Spring(a[0]), Damped(a[1]), Damped(a[2], a[0])]:
        total += s.force * s.energy()
        if isinstance(s, Damped):
            total += s.k * s.x
    return total


@case(A3)
def property_set_by_an_augmented_assignment(a):
    s = Spring(a[0])
    s.length = a[2]
    s.length += s.x * a[1]
    t = type(s)(a[0] * a[1])
    return s.x * t.x * s.__class__(a[2])(a[0])


@case(A3)
def methods_as_values(a):
    first, second = Spring(a[0]), Damped(a[1], a[2])
    methods = map(Spring.energy, [first, second])
    return sum(methods) + max([first, second], key=Spring.energy).x


class Bag:
    def __init__(self, items):
        self.items = list(items)

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        return self.items[i]

    def __setitem__(self, i, value):
        self.items[i] = value

    def __delitem__(self, i):
        del self.items[i]

    def __abs__(self):
        return Bag([abs(v) for v in self.items])

    def __float__(self):
        return float(self.items[0])

    def __iadd__(self, other):
        self.items += other
        return self


@case(A3)
def bag_of_items(a):
    bag = Bag(a)
    s = 0.0
    for v in bag:
        s += v * v
    bag[0] = bag[1] * a[2]
    bag[-1] *= bag[0]
    bag += [a[0], s]
    del bag[1]
    return s * bag[0] * bag[1] + abs(bag)[2] * float(bag) * len(bag)


@case(A3)
def bag_gone_through_in_other_ways(a):
    bag = Bag(a)
    x, y, z = bag
    return x * y * z + sum(bag) + sum(v * 2 for v in bag)


class Counted:
    total = 0.0

    def add(self, v):
        self.total = self.total + v


class Lazy:
    def __init__(self, x):
        self.values = {"x": x}

    def __getattr__(self, word):
        return self.values[word]


@case(A3)
def number_of_the_class_and_computed_attribute(a):
    counted = Counted()
    for v in a:
        counted.add(v * v)
    other = Counted()
    other.total -= a[0]
    return counted.total * other.total * Lazy(a[1]).x


@dataclass
class Layer:
    w: float
    b: float = 0.5
    log: list = field(default_factory=list, init=False)
    rate: float = field(default=2.0, init=False)


@dataclass
class Scaled(Layer):
    scale: dataclasses.InitVar[float] = 1.0

    def __post_init__(self, scale):
        self.w = self.w * scale
        self.log.append(self.w)


@dataclass(frozen=True)
class State:
    x: float
    v: float = 2.0

    def step(self, h):
        return dataclasses.replace(self, x=self.x + h * self.v, v=self.v * self.x)


@case(A3)
def dataclasses_of_all_kinds(a):
    pair, options = (a[0], a[1]), {"w": a[0], "b": a[2]}
    one, two = Layer(*pair), Layer(**options)
    one.log.append(a[2])
    one.rate *= a[0]
    two.b *= one.rate
    three = Scaled(a[1], scale=a[2])
    state = State(a[0], a[1])
    for _ in range(3):
        state = state.step(0.1)
    return one.b * two.b * one.log[0] * three.w * three.log[0] + state.x * state.v * State(a[2]).x


class Node:
    def __init__(self, v, left=None, right=None):
        self.v, self.left, self.right = v, left, right

    def insert(self, v):
        if v < self.v:
            if self.left is None:
                self.left = Node(v)
            else:
                self.left.insert(v)
        elif self.right is None:
            self.right = Node(v)
        else:
            self.right.insert(v)

    def total(self):
        s = self.v
        if self.left is not None:
            s = s * 1.5 + self.left.total()
        if self.right is not None:
            s += self.right.total() ** 2
        return s


@case(A3)
def tree_that_grows(a):
    root = Node(a[0])
    for v in a[1:]:
        root.insert(v)
    return root.total()


class Pair(collections.namedtuple("Pair", "left right")):
    @property
    def product(self):
        return self.left * self.right


@case(A3)
def named_tuple_with_a_property(a):
    pair = Pair(*a[1:]) if a[0] > 1 else Pair(a[0], right=a[1])
    return pair.product * Pair(a[2], pair.left).product


@dataclass
class Rod:
    length: float

    def size(self):
        return self.length


@dataclass
class Beam(Rod):
    width: float = 1.5

    def size(self):
        return super().size() * self.width


@case(0.7, 1.3)
def a_default_where_another_object_has_an_active_field(x, y):
    return Beam(x).size() + Beam(x, y).size()


@dataclass(slots=True, kw_only=True)
class Slotted:
    length: float
    width: float = 2.0


@case(0.7)
def a_default_with_slots_that_becomes_active(x):
    beam = Slotted(length=x)
    beam.width *= beam.length
    return beam.width


class Amount:
    def __init__(self, v):
        self.v = v

    def __add__(self, other):
        return Amount(self.v + (other.v if isinstance(other, Amount) else other))

    __radd__ = __add__


class Pile(Generic[T]):
    def __init__(self):
        self.items: list[T] = []

    def push(self, v: T):
        self.items.append(v)


@case(0.7, 1.3)
def a_sum_of_objects_and_a_generic_class(x, y):
    pile = Pile[float]()
    pile.push(x)
    pile.push(x * y)
    return sum([Amount(x), Amount(y), Amount(x * y)]).v * sum(pile.items)


class Simulator:
    """Goes through one of its lists, and fills another."""

    def __init__(self, rate, start):
        self.items, self.history, self.callbacks = [start, rate], [], []
        self.buffers = [np.zeros(2), np.zeros(2)]
        self.u = np.ones(2)

    def run(self):
        for q in self.items:
            self.history.append(q * 2.0)
            self.u *= q
            self.buffers[0][:] = self.u
            self.buffers.reverse()
        for h in self.history:
            self.items.append(h * h)
        for callback in self.callbacks:
            callback(self)


@case(1.3, 0.6)
def lists_of_one_object(x, y):
    s = Simulator(x, y)
    s.callbacks.append(lambda s: s.history.append(s.items[0]))
    s.run()
    alias = s.history
    alias.append(x)
    s.history[0] *= 3.0
    s.buffers[1] = s.u
    s.u *= y
    return sum(s.items) + np.sum(s.u) + np.sum(s.buffers[1] * s.buffers[0]) + sum(alias)


SETTINGS = {"gain": 2.0, "degree": 3}


@case(0.7, 1.3)
def namespaces_of_inert_dicts(p, x):
    plain = SimpleNamespace(**{"gain": 1.5})
    held = SimpleNamespace(**SETTINGS)
    read = SimpleNamespace(**json.loads('{"gain": 2.5}'))
    held.shift = p
    return plain.gain * p * x**held.degree * read.gain + held.shift


class Dual:
    def __init__(self, a, d):
        self.a = a
        self.d = d

    def __add__(self, o):
        return Dual(self.a + o.a, self.d + o.d) if isinstance(o, Dual) else Dual(self.a + o, self.d)

    def __mul__(self, o):
        o = o if isinstance(o, Dual) else Dual(o, 0.0)
        return Dual(self.a * o.a, self.a * o.d + self.d * o.a)

    __radd__, __rmul__ = __add__, __mul__


@case(0.7, 1.3)
def operators_that_choose_by_the_type_of_the_other(p, x):
    e = Dual(x, 1.0) * Dual(p, 0.0) + 2.0
    f = 3.0 * e + e * e + 1.5
    return f.a * f.d


@case(0.7, 1.3)
def functions_of_a_module_by_their_names(p, x):
    integral = np.trapz if hasattr(np, "trapz") else np.trapezoid
    return integral(np.array([p, x, p * x])) * np.sin(x)
