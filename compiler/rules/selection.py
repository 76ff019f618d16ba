"""Functions that choose among entries. What is not chosen gets exactly 0, whatever its adjoint
would be."""

import numpy as np

from pullback.compiler.rules.language import elementwise, rule
from pullback.runtime.arrays import unbroadcast
from pullback.runtime.selection import (
    clip_high_slope,
    clip_low_slope,
    clip_slope,
    diagonal_adjoint,
    indices_within,
    interp_node_adjoint,
    interp_slope,
    interp_weights,
    put_along,
    scattered,
    select_parts,
    take_adjoint,
)


@rule(np.where, cases=["mask(3,) (2,3) (3,)", "mask(2,3) () (2,3)", "mask(3,) () ()"])
def _(condition, x, y):
    z = np.where(condition, x, y)

    z_dot = np.where(condition, x_dot, y_dot)

    x_bar += unbroadcast(np.where(condition, z_bar, 0.0), np.shape(x))
    y_bar += unbroadcast(np.where(condition, 0.0, z_bar), np.shape(y))


@elementwise(np.clip, real=True, cases=[
    "(3,) -0.5 0.5", "() -0.5 0.5", "(2,3) (3,) 2.0", "(3,) None 0.5", "(3,) -0.5 None",
    "(2,3) -9.0 (3,)",
])
def _(a, a_min=None, a_max=None):
    return (
        clip_slope(a, a_min, a_max),
        clip_low_slope(a, a_min, a_max),
        clip_high_slope(a, a_min, a_max),
    )


@rule(np.select, cases=[
    "[mask(3,),mask(3,)] [(3,),(3,)] 0.5", "[mask(3,)] [(2,3)] ()", "[mask(3,),mask(3,)] [(),(3,)]",
])
def _(condlist, choicelist, default=0):
    y = np.select(condlist, choicelist, default)

    y_dot = np.select(condlist, choicelist_dot, default_dot)

    parts = select_parts(y_bar, condlist)
    default_bar += unbroadcast(parts[-1], np.shape(default))
    for k in range(len(choicelist)):
        choicelist_bar[k] += unbroadcast(parts[k], np.shape(choicelist[k]))


@rule(np.choose, cases=["[0,1,0] [(3,),(3,)]", "[[0],[1]] [(3,),()]"])
def _(a, choices):
    y = np.choose(a, choices)

    y_dot = np.choose(a, choices_dot)

    for k in range(len(choices)):
        choices_bar[k] += unbroadcast(np.where(np.equal(a, k), y_bar, 0.0), np.shape(choices[k]))


# -------------------------------------------------------------------------------------- by position


@rule(np.take, cases=[
    "(5,) [0,3,3]", "(5,) 2", "(2,3) [1,5,1]", "(2,3) [[0,1],[1,0]] axis=0", "(2,3) 1 axis=1",
    "(2,3,4) [0,-1] axis=1", "(3,) [-1,4,7] mode='clip'", "(2,3) [-1,4] axis=1 mode='wrap'", "(2,3) 8 mode='wrap'",
])
def _(a, indices, axis=None, *, mode="raise"):
    y = np.take(a, indices, axis, mode=mode)

    if mode == "raise":
        y_dot = np.take(a_dot, indices, axis)
    else:
        y_dot = np.take(a_dot, indices, axis, mode=mode)

    if mode == "raise":
        a_bar += take_adjoint(y_bar, np.shape(a), indices, axis)
    else:
        places = indices_within(indices, np.size(a) if axis is None else np.shape(a)[axis], mode)
        a_bar += take_adjoint(y_bar, np.shape(a), places, axis)


@rule(np.take_along_axis, cases=[
    "(2,3) array([[0,0],[2,1]]) axis=1", "(2,3) array([[0,1,1]]) axis=0",
    "(4,) array([1,1,3]) axis=0",
])
def _(arr, indices, axis=-1):
    y = np.take_along_axis(arr, indices, axis)

    y_dot = np.take_along_axis(arr_dot, indices, axis)

    arr_bar += put_along(y_bar, np.shape(arr), indices, axis)


@rule(np.compress, cases=[
    "[True,False,True] (3,)", "[False,True] (2,3) axis=0", "[True,False,True] (2,3)",
])
def _(condition, a, axis=None):
    y = np.compress(condition, a, axis)

    y_dot = np.compress(condition, a_dot, axis)

    a_bar += take_adjoint(y_bar, np.shape(a), np.flatnonzero(condition), axis)


@rule(np.extract, cases=["[True,False,True] (3,)", "[[False,True,True],[True,False,False]] (2,3)"])
def _(condition, arr):
    y = np.extract(condition, arr)

    y_dot = np.extract(condition, arr_dot)

    arr_bar += take_adjoint(y_bar, np.shape(arr), np.flatnonzero(condition))


@rule(np.sort, cases=["(5,)", "(2,3)", "(2,3) axis=0", "(2,3) axis=None"])
def _(a, axis=-1):
    y = np.sort(a, axis)

    y_dot = np.take_along_axis(a_dot, np.argsort(a, axis, kind="stable"), axis)

    if axis is None:
        a_bar += take_adjoint(y_bar, np.shape(a), np.argsort(a, None, kind="stable"))
    else:
        a_bar += put_along(y_bar, np.shape(a), np.argsort(a, axis, kind="stable"), axis)


@rule(np.partition, cases=["(5,) 2", "(2,4) 1", "(4,3) 2 axis=0"])
def _(a, kth, axis=-1):
    y = np.partition(a, kth, axis)

    y_dot = np.take_along_axis(a_dot, np.argpartition(a, kth, axis), axis)

    a_bar += put_along(y_bar, np.shape(a), np.argpartition(a, kth, axis), axis)


@rule(np.interp, cases=[
    "(4,) [-1.0,0.0,1.0] (3,)", "() [-1.0,0.0,1.0] (3,)", "(2,3) [-1.0,0.0,1.0] (3,)",
    "(4,) grid(3,) (3,)", "() grid(3,) (3,)",
])
def _(x, xp, fp):
    y = np.interp(x, xp, fp)

    slope = interp_slope(x, xp, fp)
    y_dot = (
        slope * x_dot + interp_weights(x, xp) @ fp_dot - slope * (interp_weights(x, xp) @ xp_dot)
    )

    x_bar += y_bar * interp_slope(x, xp, fp)
    fp_bar += interp_node_adjoint(y_bar, x, xp)
    xp_bar += interp_node_adjoint(-y_bar * interp_slope(x, xp, fp), x, xp)


# ----------------------------------------------------------------------------- triangles, diagonals


@rule(np.tril, cases=["(3,3)", "(3,)", "(2,3) k=1", "(2,3,3) k=-1"])
def _(m, k=0):
    y = np.tril(m, k)

    y_dot = np.tril(m_dot, k)

    m_bar += unbroadcast(np.tril(y_bar, k), np.shape(m))  # a vector is repeated in rows


@rule(np.triu, cases=["(3,3)", "(3,)", "(2,3) k=1", "(2,3,3) k=-1"])
def _(m, k=0):
    y = np.triu(m, k)

    y_dot = np.triu(m_dot, k)

    m_bar += unbroadcast(np.triu(y_bar, k), np.shape(m))  # a vector is repeated in rows


@rule(np.nan_to_num, cases=["(3,)", "()", "(2,3) nan=1.0"])
def _(x, copy=True, nan=0.0, posinf=None, neginf=None):
    y = np.nan_to_num(x, copy, nan, posinf, neginf)

    y_dot = np.where(np.isfinite(x), x_dot, 0.0)

    x_bar += np.where(np.isfinite(x), y_bar, 0.0)


@rule(np.diag, view=True, locked=True, cases=[
    "(3,)", "(3,) k=1", "(3,) k=-2", "(3,3)", "(2,3) k=1", "(4,2) k=-1",
])
def _(v, k=0):
    y = np.diag(v, k)

    y_dot = np.diag(v_dot, k)

    if v.ndim == 1:
        v_bar += np.diag(y_bar, k)
    else:
        v_bar += diagonal_adjoint(y_bar, np.shape(v), k)


@rule(np.diagonal, view=True, locked=True, cases=[
    "(3,3)", "(2,3) offset=1", "(4,2) offset=-1", "(2,3,4) offset=1 axis1=1 axis2=2",
    "(2,3,4) axis1=2 axis2=0",
])
def _(a, offset=0, axis1=0, axis2=1):
    y = np.diagonal(a, offset, axis1, axis2)

    y_dot = np.diagonal(a_dot, offset, axis1, axis2)

    a_bar += diagonal_adjoint(y_bar, np.shape(a), offset, axis1, axis2)


@rule(np.diagflat, cases=["(3,)", "(2,2) k=1", "(3,) k=-1"])
def _(v, k=0):
    y = np.diagflat(v, k)

    y_dot = np.diagflat(v_dot, k)

    v_bar += np.reshape(np.diag(y_bar, k), np.shape(v))


@rule(scattered, cases=["still(4,) [0,2,2] (3,)", "still(4,) 1 ()", "still(3,2) [0,2] (2,2)"])
def _(like, index, values):
    y = scattered(like, index, values)

    y_dot = scattered(like, index, values_dot)

    like_bar += np.zeros(np.shape(like))  # only its shape is used
    values_bar += unbroadcast(y_bar[index], np.shape(values))
