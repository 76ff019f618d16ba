"""What the rules of selections name. Every function needs NumPy alone and others of this file."""

import math

import numpy as np


def clip_slope(a, low, high):
    """The slope of clip(a, low, high) in a: 1 between the bounds, a half at one, 0 outside; a bound
    may be None."""
    slope = 1.0
    if low is not None:
        slope = (a > low) + 0.5 * (a == low)
        a = np.maximum(a, low)
    if high is not None:
        slope = slope * ((a < high) + 0.5 * (a == high))
    return slope


def clip_low_slope(a, low, high):
    """The slope of clip(a, low, high) = minimum(maximum(a, low), high) in low."""
    return clip_slope(low, a, high)


def clip_high_slope(a, low, high):
    """The slope of clip(a, low, high) = minimum(maximum(a, low), high) in high."""
    if low is not None:
        a = np.maximum(a, low)
    return (high < a) + 0.5 * (high == a)


def select_parts(bar, conditions):
    """bar where each condition is the first that holds, else 0, one array a condition; then where
    none holds."""
    open_still = True
    parts = []
    for condition in conditions:
        parts.append(np.where(np.logical_and(condition, open_still), bar, 0.0))
        open_still = np.logical_and(open_still, np.logical_not(condition))
    return [*parts, np.where(open_still, bar, 0.0)]


def indices_within(indices, n, mode="raise"):
    """The places among n that np.take looks at with this mode."""
    return np.clip(indices, 0, n - 1) if mode == "clip" else np.mod(indices, n)


def take_adjoint(bar, shape, indices, axis=None):
    """Zeros of `shape` with bar added at `indices` along `axis`, where np.take read; an index may
    come twice."""
    total = np.zeros(shape if axis is not None else math.prod(shape), dtype=np.result_type(bar))
    index = (slice(None),) * (axis % len(shape)) + (indices,) if axis is not None else indices
    np.add.at(total, index if isinstance(index, tuple) else np.asarray(index), bar)
    return np.reshape(total, shape)


def flat_places(shape, index, mode="raise"):
    """The index of the entries of an array of `shape` that `index` counts in its flattened form, as
    np.put does."""
    index = np.asarray(index)
    size = math.prod(shape)
    if mode == "raise" and np.any((index < -size) | (index >= size)):
        raise IndexError(f"index is out of bounds for size {size}")
    return np.unravel_index(indices_within(index, size, mode), shape)


def along_places(shape, indices, axis=-1):
    """The index of the entries of an array of `shape` that np.put_along_axis(x, indices, v, axis)
    writes to."""
    indices = np.asarray(indices)
    if axis is None:
        return flat_places(shape, indices)
    index = []
    for i in range(len(shape)):
        if i == axis % len(shape):
            index.append(indices)
        else:
            index.append(
                np.arange(shape[i]).reshape([-1 if j == i else 1 for j in range(len(shape))])
            )
    return tuple(index)


def diagonal_places(shape, wrap=False):
    """The index of the entries that np.fill_diagonal writes to."""
    if len(shape) < 2:
        raise ValueError("array must be at least 2-d")
    if len(shape) > 2:
        if len(set(shape)) > 1:
            raise ValueError("All dimensions of input must be of equal length")
        return (np.arange(shape[0]),) * len(shape)
    stop = math.prod(shape) if wrap else min(shape[0], shape[1]) * shape[1]
    return np.unravel_index(np.arange(0, stop, shape[1] + 1), shape)


def put_along(bar, shape, indices, axis=-1):
    """Zeros of `shape` with bar added where np.take_along_axis(x, indices, axis) read x."""
    total = np.zeros(shape, dtype=np.result_type(bar))
    np.add.at(total, along_places(shape, indices, axis), bar)
    return total


def diagonal_adjoint(bar, shape, offset=0, axis1=0, axis2=1):
    """Zeros of `shape` with bar on the diagonal that np.diagonal(a, offset, axis1, axis2) read."""
    total = np.zeros(shape, dtype=np.result_type(bar))
    diagonal = np.diagonal(total, offset, axis1, axis2)
    diagonal.flags.writeable = True
    diagonal[...] = bar
    return total


def interp_cells(x, xp):
    """For np.interp: the left node of each x, and its place from there (0) to the next node (1)."""
    xp = np.asarray(xp)
    cell = np.clip(np.searchsorted(xp, x, side="right") - 1, 0, len(xp) - 2)
    place = (x - xp[cell]) / (xp[cell + 1] - xp[cell])
    return cell, place


def interp_slope(x, xp, fp):
    """The slope of np.interp(x, xp, fp) in x: of the right-hand segment at a node, 0 outside. Shape
    of x."""
    xp, fp = np.asarray(xp), np.asarray(fp)
    cell, _ = interp_cells(x, xp)
    inside = (x >= xp[0]) & (x <= xp[-1])
    return np.where(inside, (fp[cell + 1] - fp[cell]) / (xp[cell + 1] - xp[cell]), 0.0)[()]


def interp_weights(x, xp):
    """The weight of each node's value in np.interp(x, xp, fp): an array of x's shape with one axis
    more."""
    cell, place = interp_cells(x, xp)
    place = np.clip(place, 0.0, 1.0)
    n = np.arange(len(xp))
    at, place = np.asarray(cell)[..., None], np.asarray(place)[..., None]
    return np.where(n == at, 1.0 - place, 0.0) + np.where(n == at + 1, place, 0.0)


def interp_node_adjoint(bar, x, xp):
    """The adjoint of fp in np.interp(x, xp, fp), shape of xp."""
    cell, place = interp_cells(x, xp)
    place = np.clip(place, 0.0, 1.0)
    total = np.zeros(np.shape(xp), dtype=np.result_type(bar, 1.0))
    np.add.at(total, cell, bar * (1.0 - place))
    np.add.at(total, cell + 1, bar * place)
    return total


def scattered(like, index, values):
    """An array of zeros like `like` with `values` added where `index` says, a repeated place as
    often as it is named."""
    whole = np.zeros_like(like)
    np.add.at(whole, index, values)
    return whole
