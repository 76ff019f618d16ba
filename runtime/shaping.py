"""What the rules of rearranging functions name. Every function needs NumPy alone and others of this
file."""

import math

import numpy as np

from pullback.runtime.arrays import unbroadcast
from pullback.runtime.refusals import Refusal


def concatenate_parts(bar, arrays, axis=0):
    """The adjoint of np.concatenate(arrays, axis) cut into the adjoints of the arrays, each of its
    array's shape."""
    if axis is None:
        ends = np.cumsum([np.size(x) for x in arrays])
        return [np.reshape(p, np.shape(x))[()] for p, x in zip(np.split(bar, ends[:-1]), arrays)]
    ends = np.cumsum([np.shape(x)[axis] for x in arrays])
    return np.split(bar, ends[:-1], axis)


def stack_parts(bar, arrays, lift, axis):
    """As concatenate_parts, where each array was first given new axes by `lift` (np.atleast_2d for
    np.vstack)."""
    parts = concatenate_parts(bar, [lift(x) for x in arrays], axis)
    return [np.reshape(p, np.shape(x))[()] for p, x in zip(parts, arrays)]


def tile_adjoint(bar, shape, reps):
    """The sum over the copies that np.tile(x, reps) made of an array of `shape`."""
    reps = (reps,) if np.ndim(reps) == 0 else tuple(reps)
    n = max(len(reps), len(shape))
    reps = (1,) * (n - len(reps)) + reps
    full = (1,) * (n - len(shape)) + tuple(shape)
    blocks = np.reshape(bar, [m for pair in zip(reps, full) for m in pair])
    return np.reshape(np.sum(blocks, axis=tuple(range(0, 2 * n, 2))), shape)[()]


def repeat_adjoint(bar, shape, repeats, axis=None):
    """The sum over the copies that np.repeat(x, repeats, axis) made of each entry of an array of
    `shape`."""
    if axis is None:
        flat = repeat_adjoint(bar, (int(np.prod(shape)),), repeats, 0)
        return np.reshape(flat, shape)[()]
    source = np.repeat(np.arange(shape[axis]), repeats)
    total = np.zeros(
        (
            shape[axis],
            *np.shape(np.take(bar, 0, axis) if np.size(bar) else np.zeros(shape).take(0, axis)),
        ),
        dtype=np.result_type(bar),
    )
    np.add.at(total, source, np.moveaxis(bar, axis, 0))
    return np.moveaxis(total, 0, axis)


def item_adjoint(bar, shape, index=()):
    """Zeros of `shape` with bar where a.item(*index) read: a flat position, a full index, or the
    only entry."""
    total = np.zeros(shape, dtype=np.result_type(bar, 1.0))
    total.flat[
        0 if not index else index[0] if len(index) == 1 else np.ravel_multi_index(index, shape)
    ] = bar
    return total


def numbered(a, first=0):
    """The numbers first, first + 1, ... in the shape of a: stand-ins for its entries."""
    return first + np.reshape(np.arange(np.size(a)), np.shape(a))


def places_in_memory(a, order):
    """The number of the entry at each place of np.ravel(a, order), for the orders that follow the memory layout."""
    numbers = np.empty_like(a, dtype=int)
    numbers[...] = numbered(a)
    return np.ravel(numbers, ("F" if np.isfortran(a) else "C") if order == "A" else order)


def raveled_alike(dot, a, order):
    """The entries of a tangent in the order that np.ravel(a, order) has: a view where that is one."""
    same = isinstance(dot, np.ndarray) and dot.strides == a.strides
    return np.ravel(dot, order) if same else np.take(dot, places_in_memory(a, order))


def repeated(values, shape):
    """`values` again and again, or cut, to fill `shape` in order; a number stays a number."""
    return values if np.ndim(values) == 0 else np.resize(values, shape)


def gathered(bar, origins, shape, first=0):
    """The sums of bar over the entries that came from each entry, numbered from `first`, of an
    array of `shape`."""
    n = math.prod(shape)
    total = np.zeros(n, dtype=np.result_type(bar))
    own = (origins >= first) & (origins < first + n)
    np.add.at(total, origins[own] - first, bar[own])
    return np.reshape(total, shape)[()]


def ungathered(values, origins, first=0):
    """For each place the entry of `values` that `origins` numbers from `first`, 0 where it numbers
    none."""
    own = (origins >= first) & (origins < first + np.size(values))
    return np.where(own, np.ravel(values)[np.where(own, origins - first, 0)], 0.0)


def pad_widths(ndim, pad_width):
    """The `pad_width` of np.pad, two numbers for each of so many axes; a dict gives those of some axes."""
    if not isinstance(pad_width, dict):
        return np.broadcast_to(pad_width, (ndim, 2))
    widths = np.zeros((ndim, 2), int)
    for axis, pair in pad_width.items():
        widths[axis] = pair
    return widths


def pad_options(mode, constant_values=0, reflect_type="even"):
    """Those of the two that np.pad takes with this mode."""
    if mode == "constant":
        return {"constant_values": constant_values}
    return {"reflect_type": reflect_type} if mode in ("reflect", "symmetric") else {}


def border_adjoint(bar, shape, pad_width, values_shape):
    """The adjoint of the constant values that np.pad puts around an array of `shape`: sums over the places of each."""
    sides = np.reshape(np.arange(1, 2 * len(shape) + 1), (len(shape), 2))
    origins = np.pad(np.zeros(shape, int), pad_width, constant_values=sides)
    return unbroadcast(gathered(bar, origins, np.shape(sides), 1), values_shape)


def odd_extension_adjoint(bar, n, before, after, mode):
    """The adjoint of np.pad with reflect_type="odd" along the first axis, from n entries; the border is a matrix times the
    entries near the ends."""
    near = min(n, before + after + 2)
    first = min(near, before + 1)
    matrix = np.pad(np.eye(near), ((before, after), (0, 0)), mode, reflect_type="odd")
    border = np.concatenate((matrix[:before], matrix[before + near:]))
    back = np.tensordot(border, np.concatenate((bar[:before], bar[before + n:])), (0, 0))
    inner = np.array(bar[before:before + n])
    inner[:first] += back[:first]
    inner[n - near + first:] += back[first:]
    return inner


def pad_adjoint(bar, shape, pad_width, mode="constant", reflect_type="even"):
    """The adjoint of np.pad(a, pad_width, mode) for a of `shape`: the inner part, or sums over the
    copies made."""
    if reflect_type == "odd":
        for i, (before, after) in enumerate(pad_widths(len(shape), pad_width)):
            moved = np.moveaxis(bar, i, 0)
            bar = np.moveaxis(odd_extension_adjoint(moved, shape[i], before, after, mode), 0, i)
        return bar
    if mode == "constant":
        widths = pad_widths(len(shape), pad_width)
        return bar[tuple(slice(before, before + n) for (before, _), n in zip(widths, shape))]
    if mode not in ("edge", "reflect", "symmetric", "wrap"):
        raise Refusal(f"np.pad with mode={mode!r} has no derivative", "write the border by slices")
    return gathered(
        bar, np.pad(np.reshape(np.arange(math.prod(shape)), shape), pad_width, mode), shape
    )


def trim_start(filt, trim="fb"):
    """Where np.trim_zeros(filt, trim) starts."""
    return int(np.flatnonzero(filt)[0]) if "f" in trim.lower() and np.any(filt) else 0


def trim_stop(filt, trim="fb"):
    """Where np.trim_zeros(filt, trim) ends."""
    return trim_start(filt, trim) + len(np.trim_zeros(filt, trim))


def growth_between(start, stop, start_dot, stop_dot, num=50, endpoint=True, axis=0):
    """The tangent of the logarithm of np.geomspace(start, stop, num, endpoint, axis=axis)."""
    return np.linspace(start_dot / start, stop_dot / stop, num, endpoint, axis=axis)


def mesh_adjoint(bar, k, shape, indexing="xy"):
    """The adjoint of the k-th axis values, of `shape`, from that of the k-th grid of
    np.meshgrid."""
    own = 1 - k if indexing == "xy" and k < 2 and np.ndim(bar) > 1 else k
    total = np.sum(bar, axis=tuple(i for i in range(np.ndim(bar)) if i != own))
    return np.reshape(total, shape)[()]


def arange_adjoint(bar, k, given):
    """The adjoint of argument k of np.arange with so many arguments `given`: start, (stop: none,)
    step."""
    if given == 1 or k == 1:
        return 0.0
    return np.sum(bar) if k == 0 else np.dot(np.arange(len(bar)), bar)


def histogram_weights_adjoint(bar, a, edges):
    """The adjoint of the weights in np.histogram(a, bins, weights=...): that of each entry's bin, 0
    outside; flat."""
    a = np.ravel(a)
    places = np.minimum(np.searchsorted(edges, a, side="right") - 1, len(edges) - 2)
    return np.where((a >= edges[0]) & (a <= edges[-1]), bar[np.maximum(places, 0)], 0.0)
