"""Functions that write into their arguments: by `out`, by name, by position; parts of arrays, and by flat index."""

import functools

import numpy as np

from pullback import grad
from regressions import Cases

CASES = case = Cases()
A2 = np.array([0.4, -0.7])
A3 = np.array([0.4, -0.7, 1.1])
A4 = np.array([0.4, -0.7, 1.1, 0.3])
M = np.array([[0.3, -0.8, 0.5], [1.1, 0.2, -0.4]])
W = np.array([[2.0, -1.0, 3.0], [0.5, 1.5, -2.5]])


# ------------------------------------------------------------------------------------------- out by position


@case(A2)
def exp_into_its_own_argument(u):
    v = u * 2.0
    np.exp(v, v)
    return np.sum(v)


@case(A2)
def add_into_both_its_arguments(u):
    v = u * 2.0
    np.add(v, v, v)
    return np.sum(v * u)


@case(A2)
def add_into_the_argument_of_the_function(u):
    np.multiply(u, 3.0, u)
    return np.sum(u * u)


@case(A3)
def clip_into_its_own_argument(u):
    v = u * 2.0
    np.clip(v, -1.0, 2.0, v)
    return np.sum(v * u)


@case(A3)
def cumsum_by_position(u):
    v = u * 2.0
    np.cumsum(v, 0, None, v)
    return np.sum(v * u)


@case(A3)
def std_by_position_with_an_argument_behind(u):
    v = np.zeros(())
    np.std(u, 0, None, v, 1)
    return v * u[0]


@case(M)
def reduce_and_accumulate_by_position(m):
    v = np.zeros(3)
    np.add.reduce(m, 0, None, v)
    w = np.zeros((2, 3))
    np.multiply.accumulate(m, 1, None, w)
    return np.sum(v * w)


@case(M)
def dot_and_concatenate_by_position(m):
    v = np.zeros((2, 2))
    np.dot(m, m.T, v)
    w = np.empty((2, 5))
    np.concatenate((m, v), 1, w)
    return np.sum(w * w) + v[0, 1]


@case(np.array([1.5, 2.2]))
def modf_into_two_arrays(u):
    part, whole = np.zeros(2), np.zeros(2)
    np.modf(u * u, part, whole)
    return np.sum(part * u) + np.sum(whole)


@case(np.array([1.5, 2.2]))
def modf_into_a_tuple_of_arrays(u):
    v = u * u
    w = np.zeros(2)
    part, whole = np.modf(v, out=(v, w))
    return np.sum(part * u) + np.sum(whole * v)


@case(np.array([1.5, 2.2]))
def modf_into_one_of_two(u):
    v = u * u
    part, whole = np.modf(v, out=(v, None))
    return np.sum(part * u) + np.sum(whole * v)


@case(A3)
def out_as_a_tuple(u):
    v = u * 1.0
    np.sin(u, out=(v,))
    places = (v,)
    np.multiply(v, u, out=places)
    return np.sum(v)


@case(A3)
def out_that_is_none(u):
    v = np.cumsum(u, 0, None, None)
    return np.sum(np.exp(v, out=None) * np.sum(u, out=None))


# ------------------------------------------------------------------------------------------- out of methods


@case(A3)
def clip_method(u):
    v = np.zeros(3)
    u.clip(-0.5, 1.0, out=v)
    return np.sum(v * u)


@case(A3)
def clip_method_by_position(u):
    v = u * 1.0
    v.clip(-0.5, 1.0, v)
    return np.sum(v * u)


@case(A3)
def cumsum_method(u):
    v = np.zeros(3)
    w = u.cumsum(out=v)
    w[0] *= 3.0
    return np.sum(v * u)


@case(A3)
def sum_method_into_no_dimensions(u):
    v = np.zeros(())
    u.sum(out=v)
    return v * u[0]


@case(M)
def mean_max_and_dot_methods(m):
    v = np.zeros(3)
    m.mean(0, None, v)
    m.max(axis=0, out=v[:]) if m[0, 0] > 5.0 else None
    w = np.zeros(2)
    m.dot(v, w)
    return np.sum(w * w)


@case(A4)
def take_and_compress_methods(u):
    v = np.zeros(2)
    u.take([3, 1], 0, v)
    w = np.zeros(2)
    u.compress([True, False, True, False], 0, w)
    return np.sum(v * v * w)


# ------------------------------------------------------------------------------------------- where


@case(A3, np.array([2, 0, 3]))
def divide_where_the_divisor_is_not_zero(u, v):
    w = np.divide(u, v, out=np.zeros(3), where=v != 0)
    return np.sum(w * u)


@case(A3)
def log_where_it_exists_keeps_the_rest(u):
    v = u * 2.0
    np.log(u, out=v, where=u > 0.0)
    return np.sum(v * v)


@case(A3)
def where_that_is_true(u):
    v = np.zeros(3)
    np.exp(u, out=v, where=True)
    return np.sum(v)


# ------------------------------------------------------------------------------------------- parts of arrays


@case(A4)
def exp_into_a_slice(u):
    v = u * 1.0
    np.exp(v[1:], v[1:])
    np.add(v[:-1], v[1:], v[1:])
    return np.sum(v * u)


@case(M)
def exp_into_a_row_and_the_transpose(m):
    v = m * 1.0
    np.exp(m[0], v[1])
    np.multiply(v.T, m.T, v.T)
    return np.sum(v * W)


@case(A4)
def exp_into_a_copy_made_by_an_index(u):
    v = u * 1.0
    np.exp(u[:2], v[[0, 1]])
    return np.sum(v * v)


@case(A3)
def in_place_methods_of_views(u):
    v = u * 1.0
    v[1:].sort()
    v[:2].fill(u[2])
    np.ndarray.sort(v[::-1])
    return np.sum(v * np.array([1.0, 2.0, 5.0]))


@case(M)
def sort_along_an_axis(m):
    v = m * 1.0
    v.sort(axis=0, kind="stable")
    v.sort(1)
    return np.sum(v * W)


@case(A4)
def partition_in_place(u):
    v = u * 1.0
    v.partition(2)
    return v[2] * u[0]


@case(A3)
def written_in_an_expression(u):
    v = u * 1.0
    w = np.exp(np.sin(u, out=v), out=v) * 2.0
    v = np.multiply(v, w, out=v)
    return np.sum(v * u)


# ------------------------------------------------------------------------------------------- functions by name


@case(A4, 0.7)
def put_numbers(u, x):
    v = u * 1.0
    np.put(v, [0, -1], [x, x * x])
    v.put([1], u[0])
    return np.sum(v * u)


@case(M, 0.7)
def put_into_a_matrix(m, x):
    v = m * 2.0
    np.put(v, [0, 4, 4], [x, 1.0, x * x])
    v.put([7, -9], x, mode="clip")
    np.put(v, [8, 9], m[0], mode="wrap")
    return np.sum(v * W)


@case(A4, 0.7)
def putmask_repeats_its_values(u, x):
    v = u * 1.0
    np.putmask(v, u > 0.0, [x, 2.0 * x, 3.0])
    np.putmask(v, u < 0.0, x)
    return np.sum(v * v)


@case(A4, A2)
def place_takes_values_in_order(u, w):
    v = u * 1.0
    np.place(v, u > 0.0, w)
    return np.sum(v * u)


@case(M, 0.7)
def fill_the_diagonal(m, x):
    v = m * 1.0
    np.fill_diagonal(v, x)
    w = (m * 1.0).T
    np.fill_diagonal(w, [x, 3.0])
    tall = np.ones((5, 2)) * x
    np.fill_diagonal(tall, x * x, wrap=True)
    return np.sum(v * W) + np.sum(w * W.T) + np.sum(tall)


@case(M, A2)
def put_along_an_axis(m, u):
    v = m * 1.0
    np.put_along_axis(v, np.array([[2], [0]]), u[:, None], 1)
    return np.sum(v * W)


@case(A4, 0.7)
def copyto_with_a_mask(u, x):
    v = u * 1.0
    np.copyto(v, x)
    np.copyto(v, u * u, where=u > 0.0)
    np.copyto(v[1:], u[:-1], "same_kind", np.array([True, False, True]))
    return np.sum(v * u)


@case(A3, A4)
def add_and_subtract_at(u, w):
    v = u * 2.0
    np.add.at(v, [0, 0, 2, 1], w)
    np.subtract.at(v[1:], [0, 0], w[:2])
    return np.sum(v * u)


@case(A3)
def integers_take_no_derivative(u):
    k = np.zeros(3, dtype=int)
    k[0] = u[0] * 10.0
    np.floor(u, out=k, casting="unsafe")
    np.copyto(k, u, casting="unsafe")
    return np.sum(k * u)


# ------------------------------------------------------------------------------------------- in programs


def exp_into(x, out):
    np.exp(x, out)
    return out


@case(A4)
def through_a_helper_that_returns_it(u):
    v = u * 1.0
    w = exp_into(v * u, v)
    w[0] = 2.0 * u[1]
    return np.sum(v * u)


@case(A4)
def buffers_that_change_places(u):
    a = u * 1.0
    b = np.zeros_like(a)
    for _ in range(3):
        np.multiply(a, u, b)
        np.sin(b, out=b)
        a, b = b, a
    return np.sum(a)


@case(A4)
def arrays_in_containers(u):
    held = {"w": u * 1.0}
    pair = [u * 1.0, u * 2.0]
    np.exp(held["w"], held["w"])
    np.multiply(pair[0], held["w"], out=pair[1])
    return np.sum(held["w"] * pair[1])


@case(A4)
def one_of_two_arrays(u):
    v = u * 1.0
    w = np.zeros(4)
    chosen = v if u[0] > 0.0 else w
    np.exp(u, out=chosen)
    return np.sum(v * v) + np.sum(w)


@case(A4)
def some_entries_again_and_again(u):
    v = u * 1.0
    for _ in range(3):
        np.multiply(v, u, out=v, where=v > 0.0)
    return np.sum(v)


@case(A4)
def bounds_by_their_other_names(u):
    v = u * 1.0
    v.clip(min=-0.5, max=1.0, out=v)
    return np.sum(v * u) + np.sum(np.clip(u, min=0.0, max=0.5) * v)


@case(A4)
def written_by_a_lambda(u):
    function = lambda x, y=2.0: np.multiply(x, y, x)
    v = u * 1.0
    function(v)
    return np.sum(v * u)


@case(A4)
def inert_buffers_are_put_back(u):
    k = np.zeros(1, int)
    mask = np.zeros(4, bool)
    total = 0.0
    for i in range(3):
        total += np.sum(u[k] * u[0]) + np.sum(u[mask] ** 2)
        np.add(k, 1, k)
        np.put(mask, [i], True)
        k.flat[0] += 0
        np.copyto(mask, u > 0.5, where=u > 1.0)
    return total * u[k[0]]


# ------------------------------------------------------------------------------------------- at repeated places


@case(A4)
def ufuncs_at_repeated_places(u):
    v = u * 2.0
    np.multiply.at(v, [0, 0, 3], u[:3])
    np.maximum.at(v, np.array([1, 1, 2]), u[:3] * 3.0)
    np.divide.at(v, [0, 2], 2.0 + u[:2])
    np.negative.at(v, [0, 0, 3])
    np.exp.at(v, [3, 3])
    w = np.outer(u, u)
    np.multiply.at(w, [0, 0], u)
    return np.sum(v * v * u) + np.sum(w)


@case(A4, 1)
def an_update_in_place_reads_what_it_writes(x, first):
    u = x * 1.0
    np.multiply.at(u, [first, 2, 3], u[:3])
    return np.sum(np.sin(u) * np.arange(1.0, 5.0))


@case(A4)
def flat_at_listed_places(u):
    m = np.outer(u, u)
    m.flat[[1, 5]] *= 2.0
    t = m.T[1:]
    t.flat[[1, 1, 5]] += u[:3]
    t.flat[[2, 2]] = u[:2] * 2
    return np.sum(m * m) * m.flat[[1, 1, 3]] @ u[:3]


@case(np.array([0.3, 0.7, 1.2]))
def results_that_are_left_out(x):
    y = x * 2.0
    np.tanh(x, out=y, where=x > 1.0)
    np.sqrt(x[:2], out=y[:2], where=x[:2] > 5.0)
    np.exp(-x, out=y, where=np.array([False, True, False]))
    return np.sum(y * y)


class Partly:
    def __init__(self, function):
        self.function = function

    def __call__(self, *args):
        return self.function(*args)


@Partly
def pulled(n, v, scale):
    return grad(lambda u: scale(v[1]) * np.sin(np.sum(u**2)))(v[:-1]) * n


@case(np.array([0.3, 0.7, 1.2]))
def inert_partials_in_derivatives(x):
    return np.sum(pulled(x[0], x, functools.partial(np.multiply, 0.8))) + x[1]


@case(np.array([0.3, 0.7, 1.2, 0.5]))
def methods_of_parts_that_write_to_themselves(x):
    np.split(x, 2)[0].clip(0.4, 2.0, out=np.split(x, 2)[0])
    np.split(x, 2)[1].cumsum(out=np.split(x, 2)[1])
    return np.sum(np.sin(x) * x)
