"""Functions that rearrange: the adjoint puts every entry back where it came from."""

import numpy as np

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import unbroadcast
from pullback.runtime.shaping import (
    concatenate_parts,
    gathered,
    item_adjoint,
    places_in_memory,
    raveled_alike,
    repeat_adjoint,
    stack_parts,
    tile_adjoint,
)

# -------------------------------------------------------------------------- one array, same entries


@rule(np.array, cases=["(3,)", "()", "(3,) ndmin=2", "(2,3) order='F'"])
def _(object, dtype=None, *, copy=True, order="K", ndmin=0):
    y = np.array(object, dtype, copy=copy, order=order, ndmin=ndmin)

    y_dot = np.array(object_dot, order=order, ndmin=ndmin)

    object_bar += unbroadcast(y_bar, np.shape(object))


@rule(np.copy, cases=["(3,)", "()", "(2,3) order='F'"])
def _(a, order="K"):
    y = np.copy(a, order)

    y_dot = np.copy(a_dot, order)

    a_bar += y_bar


@rule(np.asarray, np.asanyarray, view=True, cases=["(3,)", "()", "(2,3) order='F'"])
def _(a, dtype=None, order=None):
    y = np.asarray(a, dtype, order)

    y_dot = np.asarray(a_dot, order=order)

    a_bar += y_bar


@rule(np.ascontiguousarray, np.asfortranarray, view=True, cases=["(3,)", "(2,3)", "()"])
def _(a, dtype=None):
    y = np.ascontiguousarray(a, dtype)  # a scalar becomes an array of one entry

    y_dot = np.ascontiguousarray(a_dot)

    a_bar += unbroadcast(y_bar, np.shape(a))


@rule(np.ndarray.view, view=True, cases=["(3,)", "(2,3)"])
def _(a):
    y = a.view()

    y_dot = a_dot.view()

    a_bar += y_bar


@rule(np.ndarray.flatten, cases=["(2,3)", "(2,3) order='F'"])
def _(a, order="C"):
    y = a.flatten(order)

    y_dot = a_dot.flatten(order)

    a_bar += np.reshape(y_bar, np.shape(a), order)


@rule(np.ndarray.item, cases=["(1,)", "(3,) 1"])
def _(a, *args):
    y = a.item(*args)

    if np.ndim(a) == 0:
        y_dot = np.sum(a_dot)  # the tangent of a NumPy number may be a Python one
    else:
        y_dot = a_dot.item(*args)

    a_bar += item_adjoint(y_bar, np.shape(a), args)


@rule(np.reshape, view=True, cases=[
    "(2,3) (3,2)", "(6,) (2,-1)", "(2,3) -1", "(2,3) (3,2) order='F'",
])
def _(a, shape, order="C"):
    y = np.reshape(a, shape, order)

    y_dot = np.reshape(a_dot, shape, order)

    a_bar += np.reshape(y_bar, np.shape(a), order)


@rule(np.ravel, view=True, cases=["(2,3)", "(2,3) order='F'", "(3,)"])
def _(a, order="C"):
    y = np.ravel(a, order)

    y_dot = np.ravel(a_dot, order)

    a_bar += np.reshape(y_bar, np.shape(a), order)


for _as_laid_out in ("A", "K"):

    @rule(np.ravel, view=True, when={"order": _as_laid_out}, cases=[f"(2,3) order='{_as_laid_out}'"])
    def _(a, order):
        y = np.ravel(a, order)

        y_dot = raveled_alike(a_dot, a, order)

        a_bar += gathered(y_bar, places_in_memory(a, order), np.shape(a))

    @rule(np.ndarray.flatten, when={"order": _as_laid_out}, cases=[f"(2,3) order='{_as_laid_out}'"])
    def _(a, order):
        y = a.flatten(order)

        y_dot = np.take(a_dot, places_in_memory(a, order))

        a_bar += gathered(y_bar, places_in_memory(a, order), np.shape(a))


@rule(np.transpose, view=True, cases=[
    "(2,3)", "(2,3,4)", "(2,3,4) axes=(1,2,0)", "(2,3,4) axes=(-1,0,1)", "(3,)",
])
def _(a, axes=None):
    y = np.transpose(a, axes)

    y_dot = np.transpose(a_dot, axes)

    if axes is None:
        a_bar += np.transpose(y_bar)
    else:
        a_bar += np.transpose(y_bar, np.argsort([i % np.ndim(a) for i in axes]))


@rule(np.swapaxes, view=True, cases=["(2,3) 0 1", "(2,3,4) 0 -1"])
def _(a, axis1, axis2):
    y = np.swapaxes(a, axis1, axis2)

    y_dot = np.swapaxes(a_dot, axis1, axis2)

    a_bar += np.swapaxes(y_bar, axis1, axis2)


@rule(np.moveaxis, view=True, cases=["(2,3,4) 0 -1", "(2,3,4) (0,1) (2,0)"])
def _(a, source, destination):
    y = np.moveaxis(a, source, destination)

    y_dot = np.moveaxis(a_dot, source, destination)

    a_bar += np.moveaxis(y_bar, destination, source)


@rule(np.squeeze, view=True, cases=["(1,3,1)", "(1,3,1) axis=0", "(1,3,1) axis=(0,2)"])
def _(a, axis=None):
    y = np.squeeze(a, axis)

    y_dot = np.squeeze(a_dot, axis)

    a_bar += np.reshape(y_bar, np.shape(a))


@rule(np.expand_dims, view=True, cases=["(3,) 0", "(2,3) (0,-1)"])
def _(a, axis):
    y = np.expand_dims(a, axis)

    y_dot = np.expand_dims(a_dot, axis)

    a_bar += np.squeeze(y_bar, axis)


@rule(np.atleast_1d, view=True, cases=["()", "(3,)", "(2,3)"])
def _(a):
    y = np.atleast_1d(a)

    y_dot = np.atleast_1d(a_dot)

    a_bar += unbroadcast(y_bar, np.shape(a))


@rule(np.atleast_2d, view=True, cases=["()", "(3,)", "(2,3)"])
def _(a):
    y = np.atleast_2d(a)

    y_dot = np.atleast_2d(a_dot)

    a_bar += unbroadcast(y_bar, np.shape(a))  # new axes come first, as in broadcasting


@rule(np.atleast_3d, view=True, cases=["(3,)", "(2,3)", "(2,3,4)"])
def _(a):
    y = np.atleast_3d(a)

    y_dot = np.atleast_3d(a_dot)

    a_bar += np.reshape(y_bar, np.shape(a))


@rule(np.flip, view=True, cases=["(3,)", "(2,3)", "(2,3) axis=1", "(2,3,4) axis=(0,2)"])
def _(m, axis=None):
    y = np.flip(m, axis)

    y_dot = np.flip(m_dot, axis)

    m_bar += np.flip(y_bar, axis)


@rule(np.fliplr, view=True, cases=["(2,3)"])
def _(m):
    y = np.fliplr(m)

    y_dot = np.fliplr(m_dot)

    m_bar += np.fliplr(y_bar)


@rule(np.flipud, view=True, cases=["(2,3)", "(3,)"])
def _(m):
    y = np.flipud(m)

    y_dot = np.flipud(m_dot)

    m_bar += np.flipud(y_bar)


@rule(np.rot90, view=True, cases=["(2,3)", "(2,3) k=3", "(2,3,4) k=2 axes=(1,2)"])
def _(m, k=1, axes=(0, 1)):
    y = np.rot90(m, k, axes)

    y_dot = np.rot90(m_dot, k, axes)

    m_bar += np.rot90(y_bar, -k, axes)


@rule(np.roll, cases=["(3,) 1", "(2,3) 2", "(2,3) -1 axis=1", "(2,3) (1,2) axis=(0,1)"])
def _(a, shift, axis=None):
    y = np.roll(a, shift, axis)

    y_dot = np.roll(a_dot, shift, axis)

    a_bar += np.roll(y_bar, np.negative(shift), axis)


# --------------------------------------------------------------------------------- entries repeated


@rule(np.broadcast_to, view=True, locked=True, cases=["() (3,)", "(3,) (2,3)", "(2,1) (2,3)"])
def _(array, shape):
    y = np.broadcast_to(array, shape)

    y_dot = np.broadcast_to(array_dot, shape)

    array_bar += unbroadcast(y_bar, np.shape(array))


@rule(np.tile, cases=["(3,) 2", "(2,3) (2,1)", "(3,) (2,2)", "(2,3) 2", "() 3"])
def _(A, reps):
    y = np.tile(A, reps)

    y_dot = np.tile(A_dot, reps)

    A_bar += tile_adjoint(y_bar, np.shape(A), reps)


@rule(np.repeat, cases=[
    "(3,) 2", "(2,3) 2", "(2,3) 2 axis=1", "(3,) [1,0,2]", "(2,3) [1,2] axis=0", "() 3",
])
def _(a, repeats, axis=None):
    y = np.repeat(a, repeats, axis)

    y_dot = np.repeat(a_dot, repeats, axis)

    a_bar += repeat_adjoint(y_bar, np.shape(a), repeats, axis)


# ----------------------------------------------------------------------------------- several arrays


@rule(np.concatenate, cases=[
    "[(3,),(2,)]", "[(2,3),(1,3)]", "[(2,3),(2,1),(2,2)] axis=1", "[(2,3),(2,)] axis=None",
    "(2,3,4) axis=1",
])
def _(arrays, axis=0):
    y = np.concatenate(arrays, axis)

    y_dot = np.concatenate(arrays_dot, axis)

    parts = concatenate_parts(y_bar, arrays, axis)
    for k in range(len(arrays)):
        arrays_bar[k] += parts[k]


@rule(np.stack, cases=[
    "[(3,),(3,)]", "[(),(),()]", "[(2,3),(2,3)] axis=-1", "(2,3) axis=1", "[(2,3),(2,3)] axis=1",
])
def _(arrays, axis=0):
    y = np.stack(arrays, axis)

    y_dot = np.stack(arrays_dot, axis)

    for k in range(len(arrays)):
        arrays_bar[k] += np.take(y_bar, k, axis)


@rule(np.vstack, cases=["[(3,),(3,)]", "[(2,3),(3,)]", "[(),()]"])
def _(tup):
    y = np.vstack(tup)

    y_dot = np.vstack(tup_dot)

    parts = stack_parts(y_bar, tup, np.atleast_2d, 0)
    for k in range(len(tup)):
        tup_bar[k] += parts[k]


@rule(np.hstack, cases=["[(3,),(2,)]", "[(2,3),(2,1)]", "[(),(3,)]"])
def _(tup):
    y = np.hstack(tup)

    y_dot = np.hstack(tup_dot)

    parts = stack_parts(y_bar, tup, np.atleast_1d, 0 if np.ndim(y) == 1 else 1)
    for k in range(len(tup)):
        tup_bar[k] += parts[k]


@rule(np.dstack, cases=["[(3,),(3,)]", "[(2,3),(2,3)]", "[(2,3,1),(2,3,2)]"])
def _(tup):
    y = np.dstack(tup)

    y_dot = np.dstack(tup_dot)

    parts = stack_parts(y_bar, tup, np.atleast_3d, 2)
    for k in range(len(tup)):
        tup_bar[k] += parts[k]


@rule(np.column_stack, cases=["[(3,),(3,)]", "[(3,2),(3,)]"])
def _(tup):
    y = np.column_stack(tup)

    y_dot = np.column_stack(tup_dot)

    parts = stack_parts(y_bar, tup, lambda x: np.reshape(x, (-1, 1)) if np.ndim(x) < 2 else x, 1)
    for k in range(len(tup)):
        tup_bar[k] += parts[k]
