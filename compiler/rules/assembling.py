"""Functions that cut arrays up, join, pad and repeat them, and arrays made from a few numbers.

Where entries only move, `origins` of the result's entries are found by calling the function on the
numbers 0, 1, 2, ... in place of the entries.
"""

import math

import numpy as np

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import unbroadcast
from pullback.runtime.selection import take_adjoint
from pullback.runtime.shaping import (
    arange_adjoint,
    border_adjoint,
    concatenate_parts,
    gathered,
    growth_between,
    histogram_weights_adjoint,
    mesh_adjoint,
    numbered,
    pad_adjoint,
    pad_options,
    repeated,
)

# --------------------------------------------------------------------------------------- cutting up


@rule(np.split, view=True, cases=["(6,) 3", "(6,3) [2,3]", "(2,6) 2 axis=1"])
def _(ary, indices_or_sections, axis=0):
    parts = np.split(ary, indices_or_sections, axis)

    parts_dot = np.split(ary_dot, indices_or_sections, axis)

    ary_bar += np.concatenate(parts_bar, axis)


@rule(np.array_split, view=True, cases=["(7,) 3", "(2,5) 2 axis=1"])
def _(ary, indices_or_sections, axis=0):
    parts = np.array_split(ary, indices_or_sections, axis)

    parts_dot = np.array_split(ary_dot, indices_or_sections, axis)

    ary_bar += np.concatenate(parts_bar, axis)


@rule(np.vsplit, view=True, cases=["(4,3) 2", "(4,3) [1]"])
def _(ary, indices_or_sections):
    parts = np.vsplit(ary, indices_or_sections)

    parts_dot = np.vsplit(ary_dot, indices_or_sections)

    ary_bar += np.concatenate(parts_bar, 0)


@rule(np.hsplit, view=True, cases=["(3,4) 2", "(4,) [1]"])
def _(ary, indices_or_sections):
    parts = np.hsplit(ary, indices_or_sections)

    parts_dot = np.hsplit(ary_dot, indices_or_sections)

    ary_bar += np.concatenate(parts_bar, 0 if np.ndim(ary) == 1 else 1)


@rule(np.dsplit, view=True, cases=["(2,3,4) 2"])
def _(ary, indices_or_sections):
    parts = np.dsplit(ary, indices_or_sections)

    parts_dot = np.dsplit(ary_dot, indices_or_sections)

    ary_bar += np.concatenate(parts_bar, 2)


@rule(np.rollaxis, view=True, cases=["(2,3,4) 2", "(2,3,4) 0 3"])
def _(a, axis, start=0):
    y = np.rollaxis(a, axis, start)

    y_dot = np.rollaxis(a_dot, axis, start)

    a_bar += np.moveaxis(
        y_bar, start - (start > axis) if axis >= 0 else start - (start > axis + np.ndim(a)), axis
    )


@rule(np.broadcast_arrays, view=True, locked=True, cases=["(3,) (2,3)", "() (3,)", "(2,1) (1,3) (3,)"])
def _(*args):
    ys = np.broadcast_arrays(*args)

    ys_dot = np.broadcast_arrays(*args_dot)

    for k in range(len(args)):
        args_bar[k] += unbroadcast(ys_bar[k], np.shape(args[k]))


@rule(np.meshgrid, cases=[
    "(3,) (2,)", "(3,) (2,) indexing='ij'", "(3,) (2,) (4,)", "(3,) (2,) sparse=True", "(3,) ()",
])
def _(*xi, indexing="xy", sparse=False):
    ys = np.meshgrid(*xi, indexing=indexing, sparse=sparse)

    ys_dot = np.meshgrid(*xi_dot, indexing=indexing, sparse=sparse)

    for k in range(len(xi)):
        xi_bar[k] += mesh_adjoint(ys_bar[k], k, np.shape(xi[k]), indexing)


# ------------------------------------------------------------------------------------------ joining


@rule(np.append, cases=[
    "(3,) (2,)", "(3,) ()", "(2,3) (2,)", "(2,3) (1,3) axis=0", "(2,3) (2,1) axis=1",
])
def _(arr, values, axis=None):
    y = np.append(arr, values, axis)

    y_dot = np.append(arr_dot, values_dot, axis)

    parts = concatenate_parts(y_bar, (arr, values), axis)
    arr_bar += parts[0]
    values_bar += parts[1]


@rule(np.insert, cases=[
    "(4,) 1 ()", "(4,) [1,3] (2,)", "(2,3) 1 (2,) axis=1", "(2,3) 1 () axis=0", "(2,3) 2 ()",
    "(3,) 1 (2,)",
])
def _(arr, obj, values, axis=None):
    y = np.insert(arr, obj, values, axis)

    y_dot = np.insert(arr_dot, obj, values_dot, axis)

    origins = np.insert(numbered(arr), obj, numbered(values, np.size(arr)), axis)
    arr_bar += gathered(y_bar, origins, np.shape(arr))
    values_bar += gathered(y_bar, origins, np.shape(values), np.size(arr))


@rule(np.delete, cases=["(4,) 1", "(4,) [0,2]", "(2,3) 1 axis=1", "(2,3) [1,4]"])
def _(arr, obj, axis=None):
    y = np.delete(arr, obj, axis)

    y_dot = np.delete(arr_dot, obj, axis)

    arr_bar += gathered(y_bar, np.delete(numbered(arr), obj, axis), np.shape(arr))


@rule(np.resize, cases=["(3,) (2,3)", "(2,3) 4", "(2,3) (3,3)"])
def _(a, new_shape):
    y = np.resize(a, new_shape)

    y_dot = np.resize(a_dot, new_shape)

    a_bar += gathered(y_bar, np.resize(numbered(a), new_shape), np.shape(a))


@rule(repeated, cases=["(3,) (2,4)", "(2,3) (4,)", "() (3,)"])
def _(values, shape):
    y = repeated(values, shape)

    y_dot = repeated(values_dot, shape)

    if np.ndim(values) == 0:
        values_bar += y_bar
    else:
        values_bar += gathered(y_bar, np.resize(numbered(values), shape), np.shape(values))


@rule(np.pad, cases=[
    "(3,) 2", "(2,3) ((1,0),(2,1))", "(3,) (1,2) constant_values=5.0", "(4,) 2 mode='edge'",
    "(4,) 2 mode='reflect'", "(2,3) 1 mode='symmetric'", "(4,) (1,2) mode='wrap'", "(2,3) ((1,2),)",
    "(2,3) {0:1}", "(2,3) {-1:(2,1)} mode='edge'", "(3,) 2 constant_values=pos()",
    "(2,3) ((1,2),(0,1)) constant_values=pos(2,2)", "(2,3) 1 constant_values=pos(2,)", "(2,3) 2 constant_values=pos(2,1)",
    "(4,) 2 mode='reflect' reflect_type='odd'", "(3,2) ((2,1),(1,1)) mode='symmetric' reflect_type='odd'",
    "(3,) 7 mode='reflect' reflect_type='odd'", "(9,) (2,1) mode='reflect' reflect_type='odd'", "(3,) 1 mode='reflect' reflect_type='even'",
])
def _(array, pad_width, mode="constant", *, constant_values=0, reflect_type="even"):
    y = np.pad(array, pad_width, mode, **pad_options(mode, constant_values, reflect_type))

    if reflect_type == "odd":
        y_dot = np.pad(array_dot, pad_width, mode, reflect_type=reflect_type)
    elif mode == "constant":
        y_dot = np.pad(array_dot, pad_width, mode, constant_values=constant_values_dot)
    else:
        y_dot = np.pad(array_dot, pad_width, mode)

    array_bar += pad_adjoint(y_bar, np.shape(array), pad_width, mode, reflect_type)
    constant_values_bar += border_adjoint(y_bar, np.shape(array), pad_width, np.shape(constant_values))


@rule(np.unique, cases=["(4,)", "(2,3)"])
def _(ar):
    y = np.unique(ar)

    y_dot = np.take(ar_dot, np.unique(ar, return_index=True)[1])

    ar_bar += take_adjoint(y_bar, np.shape(ar), np.unique(ar, return_index=True)[1])


# -------------------------------------------------------------------------- made from a few numbers


@rule(np.full, cases=["(2,3) ()", "(2,3) (3,)", "4 ()"])
def _(shape, fill_value, dtype=None):
    y = np.full(shape, fill_value, dtype)

    y_dot = np.full(shape, fill_value_dot)

    fill_value_bar += unbroadcast(y_bar, np.shape(fill_value))


@rule(np.full_like, flat=("a",), cases=["array([1.0,2.0]) ()"])
def _(a, fill_value, dtype=None):
    y = np.full_like(a, fill_value, dtype)

    y_dot = np.full(np.shape(a), fill_value_dot)

    fill_value_bar += unbroadcast(y_bar, np.shape(fill_value))


@rule(np.linspace, cases=[
    "() () 5", "() () 4 endpoint=False", "(3,) () 4", "(3,) (3,) 4 axis=1", "() () 1",
])
def _(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    y = np.linspace(start, stop, num, endpoint, retstep, dtype, axis)

    y_dot = np.linspace(start_dot, stop_dot, num, endpoint, axis=axis)

    t = np.linspace(0.0, 1.0, num, endpoint)
    start_bar += unbroadcast(np.tensordot(1.0 - t, y_bar, (0, axis))[()], np.shape(start))
    stop_bar += unbroadcast(np.tensordot(t, y_bar, (0, axis))[()], np.shape(stop))


@rule(np.linspace, when={"retstep": True}, cases=[
    "() () 5 retstep=True", "() () 4 endpoint=False retstep=True", "(3,) () 4 retstep=True",
])
def _(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    y, step = np.linspace(start, stop, num, endpoint, retstep, dtype, axis)

    y_dot, step_dot = np.linspace(start_dot, stop_dot, num, endpoint, True, axis=axis)

    t = np.linspace(0.0, 1.0, num, endpoint)
    each = np.linspace(0.0, 1.0, num, endpoint, True)[1]
    start_bar += unbroadcast(np.tensordot(1.0 - t, y_bar, (0, axis))[()], np.shape(start))
    start_bar += unbroadcast(-each * step_bar, np.shape(start))
    stop_bar += unbroadcast(np.tensordot(t, y_bar, (0, axis))[()], np.shape(stop))
    stop_bar += unbroadcast(each * step_bar, np.shape(stop))


@rule(np.logspace, cases=["() () 4", "() () 3 endpoint=False base=2.0"])
def _(start, stop, num=50, endpoint=True, base=10.0, *, axis=0):
    y = np.logspace(start, stop, num, endpoint, base, axis=axis)

    y_dot = y * math.log(base) * np.linspace(start_dot, stop_dot, num, endpoint, axis=axis)

    t = np.linspace(0.0, 1.0, num, endpoint)
    start_bar += unbroadcast(
        np.tensordot(1.0 - t, y_bar * y * math.log(base), (0, axis))[()], np.shape(start)
    )
    stop_bar += unbroadcast(
        np.tensordot(t, y_bar * y * math.log(base), (0, axis))[()], np.shape(stop)
    )


@rule(np.geomspace, cases=[
    "pos() pos() 4", "pos() pos() 3 endpoint=False", "pos(3,) pos() 4", "pos() pos(3,) 4 axis=1",
])
def _(start, stop, num=50, endpoint=True, *, axis=0):
    y = np.geomspace(start, stop, num, endpoint, axis=axis)

    y_dot = y * growth_between(start, stop, start_dot, stop_dot, num, endpoint, axis)

    t = np.linspace(0.0, 1.0, num, endpoint)
    start_bar += unbroadcast(
        np.tensordot(1.0 - t, y_bar * y, (0, axis))[()] / start, np.shape(start)
    )
    stop_bar += unbroadcast(np.tensordot(t, y_bar * y, (0, axis))[()] / stop, np.shape(stop))


@rule(np.arange, cases=["0.3 2.1 pos()", "() 4.1", "() 5.0 pos()"])
def _(*args):
    y = np.arange(*args)

    y_dot = (
        args_dot[0] + np.arange(len(y)) * (args_dot[2] if len(args) > 2 else 0.0)
        if len(args) > 1
        else 0.0 * y
    )

    for k in range(len(args)):
        args_bar[k] += arange_adjoint(y_bar, k, len(args))


@rule(np.bincount, cases=["[0,2,2,1] (4,)", "[0,2,2,1] (4,) minlength=6"])
def _(x, weights=None, minlength=0):
    y = np.bincount(x, weights, minlength)

    y_dot = np.bincount(x, weights_dot, minlength)

    weights_bar += np.take(y_bar, x)


@rule(np.histogram, cases=[
    "[0.1,0.4,0.6,0.2] [0.0,0.3,1.0] weights=pos(4,)", "[0.1,0.4,0.6,0.2] 3 weights=pos(4,)",
])
def _(a, bins=10, range=None, *, weights=None):
    hist, edges = np.histogram(a, bins, range, weights=weights)

    hist_dot = np.histogram(a, bins, range, weights=weights_dot)[0]
    edges_dot = np.zeros(len(edges))

    a_bar += np.zeros(
        np.shape(a)
    )  # counts are flat; edges follow the data only where `bins` is a number
    weights_bar += np.reshape(histogram_weights_adjoint(hist_bar, a, edges), np.shape(weights))


@rule(np.lib.stride_tricks.sliding_window_view, view=True, locked=True, cases=[
    "(5,) 3", "(4,3) (2,2)", "(4,3) 2 axis=0",
])
def _(x, window_shape, axis=None):
    y = np.lib.stride_tricks.sliding_window_view(x, window_shape, axis)

    y_dot = np.lib.stride_tricks.sliding_window_view(x_dot, window_shape, axis)

    origins = np.lib.stride_tricks.sliding_window_view(numbered(x), window_shape, axis)
    x_bar += gathered(y_bar, origins, np.shape(x))


@rule(np.astype, cases=["(3,) float"])
def _(x, dtype):
    y = np.astype(x, dtype)

    y_dot = np.astype(x_dot, dtype)

    x_bar += y_bar


if hasattr(np, "unstack"):  # NumPy 2.1

    @rule(np.unstack, view=True, cases=["(2,3)", "(2,3) axis=1"])
    def _(x, *, axis=0):
        parts = np.unstack(x, axis=axis)

        parts_dot = np.unstack(x_dot, axis=axis)

        x_bar += np.stack(parts_bar, axis)


@rule(np.histogram2d, cases=["(4,) (4,) 2 [[-3,3],[-3,3]]"])
def _(x, y, bins=10, range=None):
    counts, x_edges, y_edges = np.histogram2d(x, y, bins, range)

    counts_dot = np.zeros(np.shape(counts))
    x_edges_dot = np.zeros(np.shape(x_edges))
    y_edges_dot = np.zeros(np.shape(y_edges))

    x_bar += np.zeros(np.shape(x))  # as for np.histogram
    y_bar += np.zeros(np.shape(y))
