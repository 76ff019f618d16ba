"""Methods of ufuncs: reduce, accumulate, reduceat, outer. Their axis is 0 where nothing is said."""

import numpy as np

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import divide_or_zero, expand, restore
from pullback.runtime.reductions import (
    accumulated_origins,
    cumprod_adjoint,
    cumprod_tangent,
    extremum_shares,
    minus_but_first,
    products_of_others,
    reverse_cumsum,
    segment_shares,
    segments_adjoint,
    segments_tangent,
)
from pullback.runtime.selection import put_along
from pullback.runtime.special import share_of_exponentials

REDUCTIONS = [
    "(3,)",
    "(2,3)",
    "(2,3) axis=1",
    "(2,3,4) axis=(0,2) keepdims=True",
    "(2,3) axis=None",
]
ACCUMULATIONS = ["(3,)", "(2,3)", "(2,3) axis=1"]
SEGMENTS = ["(5,) [0,2]", "(5,) [1,3,1,4]", "(2,5) [0,2,2] axis=1", "(4,2,2) [3,0]"]
PRODUCTS = ["(3,) (2,)", "(2,3) (4,)", "() (3,)", "(3,) ()"]


@rule(np.add.reduce, cases=REDUCTIONS)
def _(array, axis=0, dtype=None, *, keepdims=False):
    y = np.add.reduce(array, axis, dtype, keepdims=keepdims)

    y_dot = np.sum(array_dot, axis, keepdims=keepdims)

    array_bar += expand(y_bar, np.shape(array), axis, keepdims)


@rule(np.multiply.reduce, cases=REDUCTIONS)
def _(array, axis=0, dtype=None, *, keepdims=False):
    y = np.multiply.reduce(array, axis, dtype, keepdims=keepdims)

    y_dot = np.sum(products_of_others(array, axis) * array_dot, axis, keepdims=keepdims)

    array_bar += restore(y_bar, axis, keepdims) * products_of_others(array, axis)


@rule(np.maximum.reduce, cases=[*REDUCTIONS, "(3,) dtype='float32'"])
def _(array, axis=0, dtype=None, *, keepdims=False):
    y = np.maximum.reduce(array, axis, dtype, keepdims=keepdims)

    shares = extremum_shares(np.asarray(array, dtype), y, axis, keepdims)
    y_dot = np.sum(shares * array_dot, axis, keepdims=keepdims)

    shares = extremum_shares(np.asarray(array, dtype), y, axis, keepdims)
    array_bar += restore(y_bar, axis, keepdims) * shares


@rule(np.minimum.reduce, cases=[*REDUCTIONS, "(3,) dtype='float32'"])
def _(array, axis=0, dtype=None, *, keepdims=False):
    y = np.minimum.reduce(array, axis, dtype, keepdims=keepdims)

    shares = extremum_shares(np.asarray(array, dtype), y, axis, keepdims)
    y_dot = np.sum(shares * array_dot, axis, keepdims=keepdims)

    shares = extremum_shares(np.asarray(array, dtype), y, axis, keepdims)
    array_bar += restore(y_bar, axis, keepdims) * shares


@rule(np.logaddexp.reduce, cases=REDUCTIONS)
def _(array, axis=0, *, keepdims=False):
    y = np.logaddexp.reduce(array, axis, keepdims=keepdims)

    y_dot = np.sum(share_of_exponentials(array, y, axis, None, keepdims) * array_dot, axis, keepdims=keepdims)

    array_bar += restore(y_bar, axis, keepdims) * share_of_exponentials(array, y, axis, None, keepdims)


@rule(np.hypot.reduce, singular=True, cases=REDUCTIONS)
def _(array, axis=0, dtype=None, *, keepdims=False):
    y = np.hypot.reduce(array, axis, dtype, keepdims=keepdims)

    y_dot = np.sum(divide_or_zero(array, restore(y, axis, keepdims)) * array_dot, axis, keepdims=keepdims)

    array_bar += restore(divide_or_zero(y_bar, y), axis, keepdims) * array


@rule(np.subtract.reduce, cases=["(3,)", "(2,3)", "(2,3) axis=1", "(2,3) axis=-1 keepdims=True", "(1,3)", "(3,) axis=None"])
def _(array, axis=0, dtype=None, *, keepdims=False):
    y = np.subtract.reduce(array, axis, dtype, keepdims=keepdims)

    y_dot = np.subtract.reduce(array_dot, axis, keepdims=keepdims)

    array_bar += minus_but_first(expand(y_bar, np.shape(array), axis, keepdims), axis)


@rule(np.add.accumulate, cases=ACCUMULATIONS)
def _(array, axis=0, dtype=None):
    y = np.add.accumulate(array, axis, dtype)

    y_dot = np.cumsum(array_dot, axis)

    array_bar += reverse_cumsum(y_bar, np.shape(array), axis)


@rule(np.subtract.accumulate, cases=ACCUMULATIONS)
def _(array, axis=0, dtype=None):
    y = np.subtract.accumulate(array, axis, dtype)

    y_dot = np.subtract.accumulate(array_dot, axis)

    array_bar += minus_but_first(reverse_cumsum(y_bar, np.shape(array), axis), axis)


@rule(np.multiply.accumulate, cases=ACCUMULATIONS)
def _(array, axis=0, dtype=None):
    y = np.multiply.accumulate(array, axis, dtype)

    y_dot = cumprod_tangent(array, array_dot, axis)

    array_bar += cumprod_adjoint(y_bar, array, axis)


@rule(np.maximum.accumulate, cases=ACCUMULATIONS)
def _(array, axis=0):
    y = np.maximum.accumulate(array, axis)

    y_dot = np.take_along_axis(array_dot, accumulated_origins(array, y, axis), axis)

    array_bar += put_along(y_bar, np.shape(array), accumulated_origins(array, y, axis), axis)


@rule(np.minimum.accumulate, cases=ACCUMULATIONS)
def _(array, axis=0):
    y = np.minimum.accumulate(array, axis)

    y_dot = np.take_along_axis(array_dot, accumulated_origins(array, y, axis), axis)

    array_bar += put_along(y_bar, np.shape(array), accumulated_origins(array, y, axis), axis)


@rule(np.add.reduceat, cases=SEGMENTS)
def _(array, indices, axis=0, dtype=None):
    y = np.add.reduceat(array, indices, axis, dtype)

    y_dot = np.add.reduceat(array_dot, indices, axis)

    array_bar += segments_adjoint(y_bar, np.shape(array), indices, axis)


@rule(np.maximum.reduceat, cases=SEGMENTS)
def _(array, indices, axis=0, dtype=None):
    y = np.maximum.reduceat(array, indices, axis, dtype)

    shares = segment_shares(np.asarray(array, dtype), y, indices, axis)
    y_dot = segments_tangent(shares, array_dot, indices, axis)

    shares = segment_shares(np.asarray(array, dtype), y, indices, axis)
    array_bar += segments_adjoint(y_bar, np.shape(array), indices, axis, shares)


@rule(np.minimum.reduceat, cases=SEGMENTS)
def _(array, indices, axis=0, dtype=None):
    y = np.minimum.reduceat(array, indices, axis, dtype)

    shares = segment_shares(np.asarray(array, dtype), y, indices, axis)
    y_dot = segments_tangent(shares, array_dot, indices, axis)

    shares = segment_shares(np.asarray(array, dtype), y, indices, axis)
    array_bar += segments_adjoint(y_bar, np.shape(array), indices, axis, shares)


@rule(np.add.outer, cases=PRODUCTS)
def _(a, b):
    c = np.add.outer(a, b)

    c_dot = np.add.outer(a_dot, b_dot)

    a_bar += np.sum(c_bar, axis=tuple(range(np.ndim(a), np.ndim(c))))
    b_bar += np.sum(c_bar, axis=tuple(range(np.ndim(a))))


@rule(np.subtract.outer, cases=PRODUCTS)
def _(a, b):
    c = np.subtract.outer(a, b)

    c_dot = np.subtract.outer(a_dot, b_dot)

    a_bar += np.sum(c_bar, axis=tuple(range(np.ndim(a), np.ndim(c))))
    b_bar += -np.sum(c_bar, axis=tuple(range(np.ndim(a))))


@rule(np.multiply.outer, cases=PRODUCTS)
def _(a, b):
    c = np.multiply.outer(a, b)

    c_dot = np.multiply.outer(a_dot, b) + np.multiply.outer(a, b_dot)

    a_bar += np.tensordot(c_bar, b, np.ndim(b))[()]
    b_bar += np.tensordot(a, c_bar, np.ndim(a))[()]


@rule(np.divide.outer, cases=["pos(3,) pos(2,)", "pos(2,3) pos(4,)"])
def _(a, b):
    c = np.divide.outer(a, b)

    c_dot = np.divide.outer(a_dot, b) - c * np.multiply.outer(np.ones_like(a), b_dot / b)

    a_bar += np.tensordot(c_bar, 1.0 / b, np.ndim(b))[()]
    b_bar += -np.sum(c_bar * c, axis=tuple(range(np.ndim(a)))) / b
