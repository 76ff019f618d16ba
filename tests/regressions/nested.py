"""Derivatives inside programs: penalties, steps, products with second derivatives."""

import numpy as np

from pullback import grad, value_and_grad
from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])


def cube(x):
    return x * x * x


def loss(w, a):
    return np.sum((w * a - 1.0) ** 2) + np.sum(w**4)


@case(0.7)
def second_of_cube(x):
    return grad(cube)(x)


@case(0.7)
def third_of_cube(x):
    return grad(grad(cube))(x) * x


@case(A3, 0.3)
def gradient_penalty(w, t):
    g = grad(loss)(w, np.array([1.0, 2.0, 3.0]) * t)
    return np.sum(g * g) + loss(w, t)


@case(A3, 0.3)
def steps(w, lr):
    a = np.array([0.5, 1.0, 0.3])
    for i in range(3):
        w = w - lr * grad(loss)(w, a)
    return np.sum(w * w)


@case(A3, 0.3)
def closure_over_active(w, t):
    g = grad(lambda v: np.sum(v**3 * w) * t)(w * t)
    return np.sum(g * w)


@case(A3, 0.3)
def hvp(w, t):
    v = np.array([0.5, 1.0, 0.3]) * t
    h = grad(lambda u: np.vdot(grad(loss)(u, u * 2.0), v))(w)
    return np.sum(h * w)


@case(A3, 0.3)
def value_too(w, t):
    val, g = value_and_grad(loss)(w, t)
    return val * np.sum(g)


@case(A3, 0.3)
def wrt_tuple(w, t):
    a = w * t
    gw, ga = grad(loss, wrt=(0, 1))(w, a)
    return np.sum(gw * ga)


@case(A3, 0.3)
def wrt_names(w, t):
    gw, ga = grad(loss, wrt=("w", "a"))(w, a=w * t)
    return np.sum(gw * ga)


dcube = grad(cube)


@case(0.7)
def made_at_module_level(x):
    return dcube(x) * x


@grad
def decorated(x):
    return np.sin(x) * x


@case(0.7)
def of_a_decorated(x):
    return decorated(x) * x


@case(0.7)
def made_inside(x):
    d = grad(cube)
    return d(x) * d(x * x)


@case(0.7, 1.3)
def made_inside_of_closure(x, t):
    d = grad(lambda v: v**3 * t)
    return d(x) * d(t)


@case(0.7, 1.3)
def nested_def(x, t):
    def energy(q):
        return q**4 * t + np.cos(q) * x

    def force(q):
        return -grad(energy)(q)

    q, p = x, 0.1
    for i in range(3):
        p = p + 0.1 * force(q)
        q = q + 0.1 * p
    return q * p


@case(0.7, 1.3)
def newton(x, t):
    f = lambda z: (z**3 - t) * x
    z = x
    for _ in range(4):
        z = z - f(z) / grad(f)(z)
    return z


@case(0.7, 1.3)
def newton_optimiser(x, t):
    f = lambda z: z**4 * x - z * t
    z = x
    for _ in range(3):
        z = z - grad(f)(z) / grad(grad(f))(z)
    return z


@case(0.7, 1.3)
def decorated_inside(x, t):
    @grad
    def d(v):
        return v**3 * t

    return d(x) * x


@case(0.7, 1.3)
def decorated_inside_options(x, t):
    @grad(wrt="u")
    def d(v, u):
        return v**3 * t * u**2

    return d(x, t) * x


@case(0.7, 1.3)
def helper_takes_grad(x, t):
    return descend(lambda z: (z - x) ** 2 * t, t)


def descend(f, z):
    for _ in range(3):
        z = z - 0.1 * grad(f)(z)
    return z


@case(0.7, 1.3)
def inner_uses_helper(x, t):
    def g(z):
        return cube(z) * helper2(z, t)

    return grad(g)(x)


def helper2(a, b):
    c = a * b
    if c > 0.1:
        return np.exp(c)
    return c


@case(A3, 0.2)
def hyper(w, lam):
    a = np.array([0.5, 1.0, 0.3])
    u = w
    for i in range(3):
        u = u - 0.1 * grad(lambda z: loss(z, a) + lam * np.sum(z * z))(u)
    return loss(u, a * 1.1)
