"""Objects, lists and numbers that hold state: slots, abstract bases, defaults, moments that begin at 0.0."""

import abc
from typing import NamedTuple

import numpy as np

from regressions import Cases

CASES = case = Cases()


class Quaternion:
    __slots__ = ("v", "w")

    def __init__(self, w, v):
        self.w = w
        self.v = v

    def __mul__(self, other):
        w = self.w * other.w - self.v @ other.v
        return Quaternion(w, self.w * other.v + other.w * self.v + np.cross(self.v, other.v))

    def conjugate(self):
        return Quaternion(self.w, -self.v)


@case(0.5, np.array([0.3, -0.2, 0.7]))
def slots_are_fields(w, v):
    q = Quaternion(w, v)
    turned = q * Quaternion(0.0, np.array([1.0, 2.0, -1.0])) * q.conjugate()
    q.w *= 2.0
    return turned.v[1] + q.w * turned.v[2]


class Layer(abc.ABC):
    def __init__(self, name):
        self.name = name

    @abc.abstractmethod
    def forward(self, x): ...


class Dense(Layer):
    def __init__(self, w):
        super().__init__("dense")
        self.w = w

    def forward(self, x):
        return np.tanh(self.w @ x)


@case(np.array([[0.5, -0.3], [0.2, 0.9]]), np.array([1.0, -0.4]))
def a_class_with_an_abstract_base(w, x):
    for layer in [Dense(w), Dense(w.T)]:
        x = layer.forward(x)
    return np.sum(x)


class State(NamedTuple):
    position: float
    velocity: float
    energy: float = 0.0


@case(1.0, 0.5)
def a_default_of_a_named_tuple_becomes_active(x, k):
    s = State(x, 0.0)
    for dt in (0.1, 0.2, 0.1):
        v = s.velocity - k * s.position * dt
        s = s._replace(position=s.position + v * dt, velocity=v, energy=s.energy + v * v)
    return s.energy + s.position


@case(1.5)
def a_list_times_a_number_of_numpy(v):
    fit = []
    for n in np.array([2, 3]):
        fit.extend([v] * n)
        fit += [v * v] * n
    ys = fit
    fit *= np.int64(2)
    return sum(ys)


@case(np.array([3.0, 1.0, 2.0, 0.5]))
def lengths_kept_beside_values(y):
    blocks = []
    for v in y:
        blocks.append([v, 1])
        while len(blocks) > 1 and blocks[-2][0] > blocks[-1][0]:
            v2, n2 = blocks.pop()
            v1, n1 = blocks.pop()
            blocks.append([(v1 * n1 + v2 * n2) / (n1 + n2), n1 + n2])
    fit = []
    for v, n in blocks:
        fit.extend([v] * n)
    return np.sum((np.array(fit) - np.arange(len(y))) ** 2)


@case(np.array([[1.0, 2.0], [3.0, 0.5], [0.7, 0.2]]))
def rows_become_columns(x):
    rows = [list(r) for r in x]
    total = 0.0
    for column, k in zip(zip(*rows), (1.0, 2.0)):
        total += sum(v * v * k for v in column)
    pairs = [(i, v * rows[i][0]) for i, v in enumerate(x[:, 1])]
    places, values = zip(*sorted(pairs, key=lambda p: -p[1]))
    return total + values[0] * 3.0 + x[places[1], 0]


@case(0.9, 0.3, np.array([0.5, -0.2, 0.8]))
def random_numbers_have_the_type_of_their_generator(phi, sigma, observed):
    rng = np.random.default_rng(42)
    x = rng.standard_normal(5)
    total = 0.0
    for y in observed:
        x = phi * x + sigma * rng.standard_normal(5)
        total += np.sum((y - x) ** 2)
        if rng.random() < 0.5:
            x = x[rng.choice(5, size=5)]
    return total


@case(np.arange(1.0, 6.0))
def indices_are_drawn_once(x):
    rng = np.random.default_rng(3)
    total = 0.0
    for _ in range(3):
        x = x[rng.choice(5, size=5)] * 1.1
        total += x[rng.integers(0, 5)] ** 2 + np.sum(x[rng.integers(0, 3) :])
        x[rng.integers(5)] *= rng.random()
        y = x.copy()
        y[rng.permutation(5)[:2]] += x[rng.permutation(5)[:2]] ** 2
        total += np.sum(y)
    return total


@case(np.arange(1.0, 6.0))
def an_index_by_a_counter(x):
    count = [0]

    def following():
        count[0] += 1
        return count[0]

    kept = {i: v * 2.0 for i, v in enumerate(x)}
    total = 0.0
    for _ in range(2):
        total += kept[following()] ** 2 * x[following() % 5]
        kept[following() % 5] = total * x[0]
    return total + sum(kept.values())


@case(np.array([1.0, 2.0]), 0.3)
def items_of_a_dict_of_arrays_and_numbers(w, b):
    parameters = {"w": w, "b": b}
    new = {}
    for k, p in parameters.items():
        new[k] = parameters[k] - 0.1 * p**2
    return np.sum(new["w"]) * new["b"]
