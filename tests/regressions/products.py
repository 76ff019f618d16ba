"""Derivatives inside programs: of methods, partial functions and objects; along directions, forward and back."""

import functools

import numpy as np

import pullback
from pullback import grad, jvp, value_and_grad, vjp
from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])


def f(z):
    return np.sum(np.sin(z) * z)


def two(z, k):
    return z * k, np.sum(z) * k


class Net:
    def __init__(self, w):
        self.w = w

    def __call__(self, x):
        return np.sum(self.w * x**3)

    def loss(self, x, k=2.0):
        return np.sum(self.w * x**3) * k

    def train(self, x):
        for _ in range(2):
            x = x - 0.1 * grad(self.loss)(x)
        return np.sum(x**2)


NET = Net(2.0)
SCALED = functools.partial(NET.loss, k=3.0)


@case(A3)
def object_with_a_call(x):
    return grad(NET)(x) @ x + grad(Net(x[0]))(x) @ x


@case(A3)
def methods(x):
    return grad(NET.loss)(x) @ x + NET.train(x) + Net(x[1]).train(x)


@case(A3)
def method_by_name(x):
    by_k, by_x = grad(NET.loss, wrt=("k", "x"))(x, k=x[2])
    return by_k * np.sum(by_x)


@case(A3)
def partial_functions(x):
    return grad(functools.partial(NET.loss, k=x[0]))(x) @ x + grad(SCALED)(x) @ x


@case(A3)
def a_dict_of_parameters(x):
    p = {"w": x, "b": 2.0}
    g = grad(lambda p: np.sum((p["w"] * p["b"]) ** 2))(p)
    return np.sum(g["w"]) * g["b"]


@case(A3)
def forward(x):
    value, moved = jvp(lambda a: np.cumsum(a) * x[0], (x,), (np.ones(3),))
    return np.sum(value * moved) + jvp(f, (x,), (x,))[1] * pullback.jvp(f, args=(x,), tangents=(x * x,))[0]


@case(A3)
def forward_of_numbers_and_tuples(x):
    return sum(jvp(lambda a: (a**3 * x[0], a), (x[1],), (x[2],))[1])


@case(A3)
def forward_where_one_stays(x):
    return jvp(lambda a, b: np.sum(a * b * b), (x, x * 2.0), (None, x))[1]


@case(A3)
def second_derivative_times_vector(x):
    return np.sum(jvp(grad(f), (x,), (x * x,))[1] * x) + np.sum(vjp(grad(f), x)[1](x) * x)


@case(A3)
def forward_of_a_method(x):
    return jvp(NET.loss, (x,), (x * 2.0,))[1]


@case(A3)
def back(x):
    y, pull = vjp(lambda z: np.sin(z) * x[0], x)
    return pull(np.ones(3)) @ pull(y)


@case(A3)
def back_to_several(x):
    y, pull = vjp(lambda a, b: np.sum(a * b * b), x, x * 2.0, wrt=(0, 1))
    g, h = pull(1.0)
    return g @ h * y


@case(A3)
def back_from_a_tuple(x):
    (y, s), pull = vjp(two, x, x[0], wrt=(0, "k"))
    g, h = pull((x, 2.0))
    return np.sum(g * y) * s + h


@case(A3)
def back_to_what_was_there(x):
    b = x * 1.0
    k = x[0]
    y, pull = vjp(lambda z: np.sum(z**3) * k, b)
    k = x[1]
    b[1] = 7.0 * x[2]
    return y + np.sum(pull(k) * b) + np.sum(pull(x[0]))


@case(A3)
def back_through_writes(x):
    def squared(z):
        z[0] = z[1] * z[2]
        return z * z

    b = x * 2.0
    y, pull = vjp(squared, b)
    return np.sum(y) + np.sum(pull(x) * b)


@case(A3)
def kept_pullbacks(x):
    pulls = []
    for i in range(3):
        y, pull = vjp(lambda z: np.sum(z**2) * x[i], x)
        pulls.append(pull)
    return sum(np.sum(pull(1.0) * x) for pull in pulls) * y


@case(A3)
def of_a_product(x):
    return np.sum(grad(lambda z: np.sum(vjp(f, z)[1](z[0])))(x) * x)


@case(A3)
def back_of_a_method(x):
    return np.sum(vjp(NET.loss, x)[1](x[0]))


@case(A3)
def inert_ones(x):
    at = np.ones(3)
    inert = vjp(f, at)[1](1.0) + vjp(lambda a: np.sum(np.round(a)), x)[1](1.0)
    return np.sum(inert * x) + np.sum(vjp(lambda a, b: np.sum(a * b), at, x)[1](1.0))


@case(A3)
def value_too(x):
    value, (gw, gb) = value_and_grad(lambda w, b: np.sum((w * x + b) ** 2), wrt=("w", "b"))(x, 1.0)
    return value + gw @ gw + gb


def squared(u, k=2.0):
    return np.sum(u**2 * k)


@case(np.array([0.4, -0.7, 1.1]))
def forward_of_a_function_with_a_default(x):
    return jvp(squared, (x,), (x,))[1]
