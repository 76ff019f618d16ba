"""Functions that read single entries of an array which a loop hands them whole, again and again."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
A5 = np.array([0.4, 0.7, 1.3, -0.2, 0.9])


def product(u, i):
    return u[i] * u[i + 1]


def passed_on(u, i):
    return np.sin(product(u, i)) + u[-1]


def recursive(u, i):
    return u[i] if i == len(u) - 1 else u[i] * 0.5 + recursive(u, i + 1) * u[0]


class Stencil:
    def at(self, u, i):
        return u[i - 1] - 2 * u[i] + u[(i + 1) % len(u)]


@case(A5)
def the_argument_itself(u):
    return sum(product(u, i) for i in range(4)) + np.sum(u)


@case(A5)
def a_variable_that_is_used_elsewhere_too(u):
    v = np.sin(u)
    s = np.sum(v)
    for i in range(4):
        s += passed_on(v, i) * v[0]
    return s * np.prod(v)


@case(A5)
def a_variable_bound_anew_after_the_loop(u):
    s = 0.0
    v = u * 2
    for i in range(4):
        s += product(v, i)
    v = v * s
    for i in range(4):
        s += product(v, i)
    return s + np.sum(v)


@case(A5)
def captured_by_an_inner_function(u):
    def flux(i):
        return u[i] * u[i + 1]

    s = 0.0
    for i in range(4):
        s += flux(i) * np.sin(s)
    return s + flux(0)


@case(A5)
def by_a_method_and_by_a_function_that_calls_itself(u):
    stencil = Stencil()
    s = 0.0
    for i in range(5):
        s += stencil.at(u, i) ** 2
    return s + recursive(u, 0)


@case(A5)
def assembled_at_places_that_differ(u):
    k = np.zeros((5, 5))
    a = np.array([[1.0, -1.0], [-1.0, 1.0]])
    for e in range(4):
        d = [e, e + 1]
        k[np.ix_(d, d)] += u[e] * a
        k[[e, e], [0, 0]] = u[e] * 2
    return np.sum(k**2)
