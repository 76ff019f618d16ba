"""Where a program raises, so do its derivatives: the same type of exception, and no number."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from pullback import grad
from pullback.compiler.jvp import jvp

U = np.array([1.0, 2.0, 3.0])


def too_many_to_unpack(u):
    a, b = u
    return a * b


def too_few_to_unpack(u):
    a, b, c, d = u
    return a * d


def too_few_for_a_star(u):
    first, *_, last = [u[0]]
    return first * last


def rows_of_another_length(u):
    total = 0.0
    for a, b in u[None, :]:
        total += a * b
    return total


def pair(u):
    return u[0], u[1]


def too_few_results(u):
    a, b, c = pair(u)
    return a * c


def least_of_nothing(u):
    return min([x for x in u if x > 5.0])


def largest_of_no_entries(u):
    return max(u[3:])


def out_of_another_shape(u):
    v = np.zeros(2)
    np.add(u, u, v)
    return np.sum(v)


def out_of_another_rank(u):
    v = np.zeros(2)
    np.sum(u, out=v)
    return np.sum(v)


def float_results_into_integers(u):
    v = np.zeros(3, int)
    np.multiply(u, 2.0, out=v)
    return np.sum(v * u)


def put_out_of_bounds(u):
    v = u * 1.0
    np.put(v, [5], u[0])
    return np.sum(v)


def first_set(u):
    u[0] = 2.0
    return np.sum(u * u)


def first_set_through_a_view(u):
    flat = u.ravel()
    flat[0] = 2.0
    return np.sum(u * u)


@pytest.mark.parametrize("program", [first_set, first_set_through_a_view])
def test_an_array_that_may_not_be_written(program: Callable[[Any], Any]) -> None:
    closed, derivative = U.copy(), grad(program)
    closed.flags.writeable = False
    for _ in range(3):
        with pytest.raises(ValueError, match="read-only"):
            derivative(closed)
        with pytest.raises(ValueError, match="read-only"):
            jvp(program, (closed,), (np.ones(3),))
        assert derivative(U)[0] == 0.0


def closed_and_caught(u):
    a = u.copy()
    a.flags.writeable = False
    try:
        a[0] = 1.0
    except ValueError:
        a = a * 2.0
    return np.sum(a * a)


def test_a_write_that_fails_leaves_the_tangent() -> None:
    assert np.all(grad(closed_and_caught)(U.copy()) == 8.0 * U)
    assert jvp(closed_and_caught, (U.copy(),), (np.ones(3),))[1] == np.sum(8.0 * U)


PROGRAMS = [
    too_many_to_unpack,
    too_few_to_unpack,
    too_few_for_a_star,
    rows_of_another_length,
    too_few_results,
    least_of_nothing,
    largest_of_no_entries,
    out_of_another_shape,
    out_of_another_rank,
    float_results_into_integers,
    put_out_of_bounds,
]


@pytest.mark.parametrize("program", PROGRAMS)
def test_derivatives_raise_what_the_program_raises(program: Callable[[Any], Any]) -> None:
    with pytest.raises(Exception) as raised:
        program(U.copy())
    for derivative in (grad(program), lambda u: jvp(program, (u,), (np.ones(3),))):
        with pytest.raises(raised.type):
            derivative(U.copy())
