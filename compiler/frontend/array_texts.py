"""What NumPy's functions of functions do, as plain loops: calls with active values mean these texts.

Like those of equivalents.py they are read and differentiated like the user's own.
"""

import numpy as np

from pullback.runtime.arrays import refuse_truncated


def outer_of(function, a, b):
    """np.hypot.outer and the like."""
    return function(np.reshape(a, np.shape(a) + (1,) * np.ndim(b)), b)


def reduced_along(function, array, axis=0):
    """np.subtract.reduce and the like."""
    items = np.moveaxis(array, axis, 0)
    total = items[0] * 1.0
    for k in range(1, len(items)):
        total = function(total, items[k])
    return total


def reduced_from(function, identity, array, axis=0):
    """np.hypot.reduce and the like, of ufuncs with an identity."""
    items = np.moveaxis(array, axis, 0)
    total = np.zeros(np.shape(items)[1:], items.dtype) + identity
    for k in range(len(items)):
        total = function(total, items[k])
    return total


def accumulated_along(function, array, axis=0):
    """np.logaddexp.accumulate and the like."""
    items = np.moveaxis(array, axis, 0)
    totals = [items[0]]
    for k in range(1, len(items)):
        totals.append(function(totals[k - 1], items[k]))
    return np.moveaxis(np.stack(totals), 0, axis)


def reduced_at(function, array, indices, axis=0):
    """np.add.reduceat and the like."""
    items = np.moveaxis(array, axis, 0)
    totals = []
    for k in range(len(indices)):
        end = indices[k + 1] if k + 1 < len(indices) else len(items)
        total = items[indices[k]]
        for j in range(indices[k] + 1, end):
            total = function(total, items[j])
        totals.append(total)
    return np.moveaxis(np.stack(totals), 0, axis)


def in_shape(made, settled, shape):
    """What a function gave for the entries of an array, as an array, or a tuple of arrays."""
    if not settled and isinstance(made[0], tuple):
        return tuple([in_shape([results[k] for results in made], settled, shape) for k in range(len(made[0]))])
    if not settled:
        refuse_truncated(made)
    return np.reshape(np.array(made), shape)


def entry_by_entry(function, settled, a):
    """np.vectorize(function)(a)."""
    return in_shape([function(v.item()) for v in np.ravel(a)], settled, np.shape(a))


def two_by_two(function, settled, a, b):
    """np.vectorize(function)(a, b)."""
    shape = np.broadcast_shapes(np.shape(a), np.shape(b))
    left = np.ravel(np.broadcast_to(a, shape))
    right = np.ravel(np.broadcast_to(b, shape))
    return in_shape([function(left[k].item(), right[k].item()) for k in range(len(left))], settled, shape)


def three_by_three(function, settled, a, b, c):
    """np.vectorize(function)(a, b, c)."""
    shape = np.broadcast_shapes(np.shape(a), np.shape(b), np.shape(c))
    first = np.ravel(np.broadcast_to(a, shape))
    second = np.ravel(np.broadcast_to(b, shape))
    third = np.ravel(np.broadcast_to(c, shape))
    made = [function(first[k].item(), second[k].item(), third[k].item()) for k in range(len(first))]
    return in_shape(made, settled, shape)


def whole(function, array):
    """np.apply_along_axis, of an array with one axis."""
    return np.asarray(function(array))


def row_by_row(function, axis, array):
    """np.apply_along_axis, of a matrix."""
    rows = np.moveaxis(array, axis, -1)
    made = np.stack([np.asarray(function(row)) for row in rows])
    return np.moveaxis(made, -1, axis) if made.ndim > 1 else made


def plane_by_plane(function, axis, array):
    """np.apply_along_axis, of an array with three axes."""
    rows = np.moveaxis(array, axis, -1)
    made = np.stack([np.stack([np.asarray(function(row)) for row in plane]) for plane in rows])
    return np.moveaxis(made, -1, axis) if made.ndim > 2 else made


def sloped(f, step, axis=0, edge_order=1):
    """np.gradient along one axis over a spacing, or over places: the parabola through three neighbours."""
    g = np.moveaxis(f, axis, 0)
    gaps = np.diff(step) if np.ndim(step) else step * np.ones(len(g) - 1)
    d = np.reshape(gaps, (-1,) + (1,) * (np.ndim(g) - 1))
    h, k = d[:-1], d[1:]
    inner = (h * h * g[2:] + (k * k - h * h) * g[1:-1] - k * k * g[:-2]) / (h * k * (h + k))
    if edge_order == 1:
        first = (g[1] - g[0]) / d[0]
        last = (g[-1] - g[-2]) / d[-1]
    else:
        h, k = d[0], d[1]
        first = ((h + k) * (h + k) * g[1] - h * h * g[2] - k * (2.0 * h + k) * g[0]) / (h * k * (h + k))
        h, k = d[-1], d[-2]
        last = (k * (2.0 * h + k) * g[-1] - (h + k) * (h + k) * g[-2] + h * h * g[-3]) / (h * k * (h + k))
    return np.moveaxis(np.concatenate([first[None], inner, last[None]]), 0, axis)


def interpolated(x, xp, fp, left=None, right=None):
    """np.interp with values of their own outside of the points."""
    y = np.interp(x, xp, fp)
    if left is not None:
        y = np.where(np.asarray(x) < np.asarray(xp)[0], left, y)[()]
    if right is not None:
        y = np.where(np.asarray(x) > np.asarray(xp)[-1], right, y)[()]
    return y
