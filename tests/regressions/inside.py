"""Derivatives inside programs: by parameters in dicts, lists and objects; vjp and jvp; methods."""

import typing
from dataclasses import dataclass

import numpy as np

from pullback import grad, jvp, value_and_grad, vjp
from regressions import Cases

CASES = case = Cases()


def model(p, t):
    return p["a"] * t + p["b"]


def loss(p, t):
    return np.sum((model(p, t) - 1.0) ** 2)


@case(np.array([0.3, 0.8]), np.array([1.0, 2.0]))
def dict_of_parameters(w, t):
    p = {"a": w[0], "b": w[1]}
    for i in range(3):
        g = grad(loss)(p, t)
        p = {k: p[k] - 0.05 * g[k] for k in p}
    return loss(p, t)


def f(w):
    return np.sin(w) * w[::-1]


@case(np.array([0.3, 0.8, -0.4]), np.array([1.0, 2.0, 0.5]))
def pulled_back(w, v):
    value, pull = vjp(f, w)
    return np.sum(value * v) + np.sum(pull(v) ** 2)


@dataclass
class P:
    a: float
    b: float


def dataclass_of_parameters_f(p):
    return p.a**2 * p.b**3


@case(0.7, 1.3)
def dataclass_of_parameters(x, y):
    g = grad(dataclass_of_parameters_f)(P(x, y))
    return g.a * g.b


def along_a_direction_f(w):
    return np.sum(np.sin(w) * w)


@case(np.array([0.3, 0.8, -0.4]), np.array([1.0, 2.0, 0.5]))
def along_a_direction(w, v):
    value, slope = jvp(along_a_direction_f, (w,), (v,))
    return value * slope


def list_and_tuple_f(ps):
    return ps[0] ** 2 * ps[1]


@case(0.7, 1.3)
def list_and_tuple(x, y):
    l = grad(list_and_tuple_f)([x, y])
    t = grad(list_and_tuple_f)((x, y))
    return l[0] * t[1]


def list_of_arrays_loss(ws, t):
    h = t
    for w in ws:
        h = np.tanh(w * h)
    return np.sum(h**2)


@case(np.array([0.3, 0.8]), np.array([1.0, 2.0]))
def list_of_arrays(w, t):
    ws = [w, 2 * w]
    for i in range(2):
        gs = grad(list_of_arrays_loss)(ws, t)
        ws = [a - 0.1 * g for a, g in zip(ws, gs)]
    return list_of_arrays_loss(ws, t)


def net(params, x):
    h = np.tanh(params["W"] @ x + params["b"])
    return np.sum(h)


@case(np.array([[0.3, 0.8], [0.1, -0.2]]), np.array([1.0, 2.0]))
def network(W, b):
    p = {"W": W, "b": b}
    v, g = value_and_grad(net)(p, b)
    return v + np.sum(g["W"] ** 2) + np.sum(g["b"] * b)


class N(typing.NamedTuple):
    a: float
    b: float


def named_tuple_f(n):
    return n.a * n.b**2


@case(0.7, 1.3)
def named_tuple(x, y):
    g = grad(named_tuple_f)(N(x, y))
    return g.a * g.b


@grad(wrt=("a", "b"))
def df(a, b):
    return a**3 * b**2


@case(0.7, 1.3)
def decorated_by_names(x, y):
    p, q = df(x, y)
    return p * q


class M:
    def __init__(self, k):
        self.k = k

    def energy(self, q):
        return self.k * q**2 + q**4

    @grad
    def slope(self, q):
        return self.k * q**3

    def force(self, q):
        return -grad(self.energy)(q)


@case(0.7, 1.3)
def decorated_method(x, y):
    m = M(x)
    return m.slope(y) * m.force(x)


@case(0.7, 1.3)
def one_of_two_functions(x, y):
    fs = [lambda t: t**2 * x, lambda t: np.sin(t * y)]
    return sum(grad(f)(x + y) for f in fs)


def mapped_f(t):
    return np.sin(t)


@case(0.7, 1.3)
def mapped(x, y):
    vals = list(map(grad(mapped_f), [x, y]))
    gs = {"a": grad(mapped_f), "b": value_and_grad(mapped_f)}
    return sum(vals) + gs["a"](x) * gs["b"](y)[1]


class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, q):
        return self.k * q**4


class System:
    def __init__(self, k):
        self.parts = [Spring(k), Spring(2 * k)]
        self.f = lambda t: t**3 * k

    def total(self, q):
        return sum(p.energy(q) for p in self.parts)

    def force(self, q):
        return -grad(self.total)(q) + grad(self.f)(q) + grad(self.parts[0].energy)(q)


@case(0.7, 1.3)
def method_of_a_system(x, y):
    s = System(x)
    q = y
    for i in range(3):
        q = q + 0.01 * s.force(q)
    return q * s.force(x)


@case(0.7, 1.3)
def two_adjoints(x, y):
    value, pull = vjp(lambda a, b: a**2 * b, x, y, wrt=(0, 1))
    ga, gb = pull(2.0)
    (hb,) = [pull(value)[1]]
    return ga * gb + hb


@case(np.array([0.3, 0.8]), np.array([1.0, 2.0]))
def linear(a, b):
    A = np.outer(a, b)

    def lin(v):
        return A @ v + np.sin(v)

    v, pull = vjp(lin, b)
    w = pull(v)
    b2 = b * 2
    t, dt = jvp(lin, (b2,), (w,))
    return np.sum(w * w) + dt @ dt + np.sum(t)


@case(np.array([0.3, 0.8]), 0.7)
def written_after(a, k):
    x = a * 1.0
    v, pull = vjp(lambda u: u * u * k, x)
    x[0] = 5.0
    return np.sum(pull(a) * x) + np.sum(v)


@case(0.7, 1.3)
def second_along(x, y):
    f = lambda t: np.exp(t * y)
    v, d1 = jvp(f, (x,), (1.0,))
    g = lambda t: jvp(f, (t,), (1.0,))[1]
    _, d2 = jvp(g, (x,), (1.0,))
    return v * d1 + d2


@case(0.7, 1.3)
def hessian_vector(x, y):
    def hvp(f, t, v):
        return jvp(lambda u: grad(f)(u), (t,), (v,))[1]

    return hvp(lambda t: t**4 * y, x, y)


def one_moves_f(a, b):
    return a**2 * b


@case(0.7, 1.3)
def one_moves(x, y):
    v, d = jvp(one_moves_f, (x, y), (None, 1.0))
    w, e = jvp(one_moves_f, (x, y), (y, 0.5))
    return v * d + w * e


@dataclass
class PDataclassOfArrays:
    w: np.ndarray
    b: float


def dataclass_of_arrays_loss(p, t):
    return np.sum((p.w * t + p.b) ** 2)


@case(0.7, 1.3)
def dataclass_of_arrays(x, y):
    t = np.array([1.0, 2.0])
    p = PDataclassOfArrays(np.array([x, y]), x * y)
    for i in range(3):
        g = grad(dataclass_of_arrays_loss)(p, t)
        p = PDataclassOfArrays(p.w - 0.01 * g.w, p.b - 0.01 * g.b)
    return dataclass_of_arrays_loss(p, t)


def layers_loss(layers, t):
    h = t
    for l in layers:
        h = np.tanh(l["W"] @ h + l["b"])
    return np.sum(h * h)


@case(0.7, 1.3)
def layers(x, y):
    layers = [{"W": np.array([[x, y], [y, 1.0]]), "b": np.array([x, 0.1])} for _ in range(2)]
    t = np.array([1.0, 0.5])
    for i in range(2):
        gs = grad(layers_loss)(layers, t)
        layers = [{k: l[k] - 0.1 * g[k] for k in l} for l, g in zip(layers, gs)]
    return layers_loss(layers, t)


def inert_entry_loss(p):
    return p["n"] * p["a"] ** 2 + (p["w"] @ p["w"]) * p["a"]


@case(0.7, 1.3)
def inert_entry(x, y):
    p = {"n": 3, "a": x, "w": np.array([x, y])}
    g = grad(inert_entry_loss)(p)
    return g["a"] ** 2 + np.sum(g["w"] ** 3)


def root(f, x0, theta):
    x = x0
    for _ in range(20):
        x = x - f(x, theta) / grad(f)(x, theta)
    return x


@case(0.7, 1.3)
def implicit(x, y):
    f = lambda z, th: z**3 + th * z - 1.0
    z = root(f, 0.5, x * y)
    dz = -grad(f, wrt=1)(z, x * y) / grad(f)(z, x * y)
    return z * dz


class Opt:
    def __init__(self, lr):
        self.lr, self.m = lr, 0.0

    def step(self, w, g):
        self.m = 0.9 * self.m + g
        return w - self.lr * self.m


@case(0.7, 1.3)
def momentum(x, y):
    loss = lambda w: (w * x - y) ** 2
    o = Opt(0.05 * x)
    w = 0.3
    for _ in range(4):
        v, g = value_and_grad(loss)(w)
        w = o.step(w, g)
    return loss(w) + v


def descent_net(p, x):
    return np.sum(np.tanh(p["W"] @ x + p["b"]) ** 2)


@case(np.array([[0.3, 0.8], [0.1, -0.2]]), np.array([1.0, 2.0]))
def descent(W, b):
    p = {"W": W, "b": b}
    x = np.array([0.5, 1.5])
    for i in range(3):
        g = grad(descent_net)(p, x)
        p = {k: p[k] - 0.1 * g[k] for k in p}
    return descent_net(p, x)


def descent_with_memory_net(p, x):
    return np.sum(np.tanh(p["W"] @ x + p["b"]) ** 2)


@case(np.array([[0.3, 0.8], [0.1, -0.2]]), np.array([1.0, 2.0]))
def descent_with_memory(W, b):
    p = {"W": W, "b": b}
    x = np.array([0.5, 1.5])
    m = {k: np.zeros_like(v) for k, v in p.items()}
    for i in range(3):
        v, g = value_and_grad(descent_with_memory_net)(p, x)
        m = {k: 0.9 * m[k] + g[k] for k in m}
        p = {k: v - 0.1 * m[k] for k, v in p.items()}
    return descent_with_memory_net(p, x) + v


def newton(f, x):
    d = grad(f)
    return x - f(x) / d(x)


@case(0.7)
def a_step_of_newton_from_a_number_that_is_written_there(x):
    return newton(lambda t: t**2 - x, 1.2) * newton(lambda t: t**3 - x, 1.2)


@case(0.7)
def derivatives_at_numbers_that_are_written_there(x):
    def power(t, n=3):
        return t**n * x

    pair = grad(lambda p: p["a"] * p["b"][1] * x)({"a": 1.0, "b": (2.0, 3.0)})
    twice = grad(grad(lambda t: t**3 * x))(1.5)
    return grad(power)(1.2) + twice + pair["b"][1] * grad(lambda t: x if t > 1.0 else t * x)(0.5)


@case(1.3)
def second_derivatives_with_a_default(x):
    def f(v, k=2):
        return v**3 * k

    return grad(grad(f))(x) + grad(grad(f), "v")(x, 3) * grad(grad(f))(x, k=4)


@case(np.array([0.4, -0.7, 1.1]))
def pulled_at_once(x):
    scale = x * 2.0
    a = vjp(lambda z: np.sum(z**3 * scale), x)[1](0.5)
    scale[0] = 5.0 * x[1]
    b = vjp(lambda z: np.sum(z**3 * scale) * scale[0], x)[1](x[2])
    return np.sum(a * b)


class Scaled:
    def __init__(self, a):
        self.a = a

    def step(self, q):
        self.a[1] *= q


def scaled_squares(w, c):
    o = Scaled(w * c)
    o.step(w[0])
    return np.sum(o.a**2)


@case(np.array([0.6, 0.8, 1.1]))
def a_write_through_a_field_that_the_reverse_sweep_puts_back(w):
    return np.sum(grad(scaled_squares)(w, w) * grad(scaled_squares)(w * 2.0, w))
