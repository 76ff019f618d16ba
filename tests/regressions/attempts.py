"""What attempts that fail leave behind: in loops, in nested handlers, in functions that bind variables anew."""

import contextlib
import functools
import math

import numpy as np

from pullback import grad
from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, 0.7, 1.3])
OUTSIDE = np.array([0.9, 0.6, 1.2])


@case(A3)
def finally_where_a_later_round_fails(x):
    t = 0.0
    for k in range(2):
        try:
            t += math.log(np.sum(x) * (1 - 2 * k))
        except ValueError:
            t -= x[1]
        finally:
            t *= 1.5
    return t


@case(A3)
def errstate_where_a_later_round_fails(x):
    t = 0.0
    for k in range(3):
        try:
            with np.errstate(all="ignore"):
                d = np.diag([x[0], 0.0 if k == 1 else 1.0])
                t += np.sum(np.linalg.solve(d, x[:2]))
        except np.linalg.LinAlgError:
            t -= x[1]
    return t


@case(A3)
def variable_bound_anew_by_a_call_that_is_tried(x):
    s = x[0]

    def scale(v):
        nonlocal s
        s = s * v

    try:
        scale(x[1])
    except ValueError:
        pass
    with contextlib.suppress(KeyError):
        scale(x[2])
    try:
        pass
    finally:
        scale(x[1])
    return np.sin(s)


@case(A3)
def variable_bound_anew_by_a_call_in_a_function_that_tries(x):
    s = x[0]

    def scale(v):
        nonlocal s
        s = s * v

    def work():
        try:
            scale(x[1])
        except ValueError:
            pass

    work()
    return np.sin(s)


@case(A3)
def handler_that_raises_another_exception(x):
    y = x.copy()
    try:
        try:
            z = np.ones(2) * y[:3]
            y[:2] = z * y[2]
        except ValueError:
            raise KeyError from None
    except KeyError:
        pass
    return np.sum(y**2)


@case(A3)
def array_from_outside_in_a_list(x):
    items = [x * 2, OUTSIDE]
    table = {"a": x * 2, "b": OUTSIDE}
    items.append(OUTSIDE)
    return np.sum(items[0] ** 2 * items[1]) + np.sum(table["a"] * table["b"]) + np.sum(items[-1])


def scaled(function):
    @functools.wraps(function)
    def inner(w, k=3.0):
        return function(w, k) * 1.5

    return inner


def exchanged(function):
    @functools.wraps(function)
    def inner(b, a):
        return function(a, b)

    return inner


def passed_on(function):
    @functools.wraps(function)
    def inner(*args, **kwargs):
        return function(*args, **kwargs)

    return inner


scaled_square = scaled(lambda w, k=2.0: np.sum(w**2 * k))
exchanged_product = exchanged(lambda a, b: np.sum(a * a * b))
passed_square = passed_on(lambda w, k=2.0: np.sum(w**2 * k))


@case(A3)
def derivatives_of_wrappers_with_parameters_of_their_own(x):
    return np.sum(grad(scaled_square)(x) * x) + np.sum(grad(exchanged_product)(x, x * 2) * x) + passed_square(x, k=0.5)
