"""What the rules of reductions name. Every function needs NumPy alone and others of this file."""

import math

import numpy as np

from pullback.runtime.refusals import Refusal


def axes_of(axis, ndim):
    """The reduced axes as a tuple of numbers from 0 to ndim - 1."""
    if axis is None or ndim == 0:
        return tuple(range(ndim))
    return tuple(i % ndim for i in (axis if isinstance(axis, tuple) else (axis,)))


def extremum_shares(a, y, axis=None, keepdims=False):
    """How much of y = max(a, axis) (or min) each entry of `a` carries: entries that tie share
    equally. Shape of a."""
    if np.ndim(a) == 0:
        return 1.0 if a == y else 0.0
    if not keepdims and axis is not None:
        y = np.expand_dims(y, axis)
    hit = np.equal(a, y)
    ties = np.sum(hit, axis=axis, keepdims=True)
    return hit / np.maximum(ties, 1)


def counted_where(where, a, axis=None, keepdims=False):
    """How many entries of `a` a reduction over `axis` takes in, of those that `where` names."""
    return np.sum(np.broadcast_to(where, np.shape(a)), axis, keepdims=keepdims)


def deviations_where(a, axis=None, where=True):
    """What the entries that `where` names are above their mean along `axis`; 0 for the others."""
    return np.where(where, a - np.mean(a, axis, keepdims=True, where=where), 0.0)


def products_of_others(a, axis=None):
    """For each entry of `a` the product of the others along `axis`, without dividing. Shape of
    a."""
    a = np.asarray(a)
    axes = axes_of(axis, a.ndim)
    if not axes:
        return np.ones_like(a)[()]
    last = tuple(range(-len(axes), 0))
    lines = np.moveaxis(a, axes, last)
    shape = lines.shape
    lines = lines.reshape(*shape[:a.ndim - len(axes)], -1)
    before = np.ones_like(lines)
    after = np.ones_like(lines)
    np.cumprod(lines[..., :-1], axis=-1, out=before[..., 1:])
    after[..., :-1] = np.cumprod(lines[..., :0:-1], axis=-1)[..., ::-1]
    return np.moveaxis((before * after).reshape(shape), last, axes)


def products_tangent(a, a_dot, axis=None):
    """The tangent of products_of_others(a, axis), a symmetric map of a_dot: for each entry the sum
    over every other one of its tangent times the product of the rest."""
    a = np.asarray(a)
    axes = axes_of(axis, a.ndim)
    last = tuple(range(-len(axes), 0))
    shape = np.moveaxis(a, axes, last).shape
    lines = np.moveaxis(a, axes, last).reshape(math.prod(shape[:a.ndim - len(axes)]), -1)
    move = np.moveaxis(np.broadcast_to(a_dot, a.shape), axes, last).reshape(lines.shape)
    total = np.zeros(lines.shape, dtype=np.result_type(a, a_dot))
    for i in range(lines.shape[1]):
        without = np.delete(lines, i, 1)
        total[:, i] = np.sum(products_of_others(without, 1) * np.delete(move, i, 1), axis=1)
    return np.moveaxis(total.reshape(shape), last, axes)


QUANTILE_PLACES = {  # (alpha, beta) of Hyndman and Fan, Sample Quantiles in Statistical Packages, 1996
    "linear": (1.0, 1.0),
    "weibull": (0.0, 0.0),
    "hazen": (0.5, 0.5),
    "median_unbiased": (1.0 / 3.0, 1.0 / 3.0),
    "normal_unbiased": (0.375, 0.375),
    "interpolated_inverted_cdf": (0.0, 1.0),
}


def quantile_shares(a, q, axis=None, method="linear"):
    """The weight of each entry of `a` in its quantile of order q (a number) along `axis`; nan is
    skipped. Shape of a."""
    a = np.asarray(a)
    axes = axes_of(axis, a.ndim)
    last = tuple(range(-len(axes), 0))
    lines = np.moveaxis(a, axes, last)
    shape = lines.shape
    lines = lines.reshape(math.prod(shape[:a.ndim - len(axes)]), -1)
    order = np.argsort(lines, axis=-1, kind="stable")
    top = np.maximum(np.sum(~np.isnan(lines), axis=-1) - 1, 0)
    alpha, beta = QUANTILE_PLACES.get(method, (1.0, 1.0))
    place = np.clip((top + 1) * q + alpha + q * (1.0 - alpha - beta) - 1.0, 0.0, top)
    low = np.floor(place).astype(int)
    part = place - low
    if method not in QUANTILE_PLACES:
        rounded = {
            "lower": np.zeros_like(part),
            "higher": np.ceil(part),
            "midpoint": 0.5 * np.ceil(part),
            "nearest": np.rint(place) - low,
        }
        if method not in rounded:
            raise Refusal(f"quantiles with method={method!r} have no derivative", "use one that interpolates")
        part = rounded[method]
    rows = np.arange(len(lines))
    weights = np.zeros(lines.shape, dtype=np.result_type(a, 1.0))
    weights[rows, order[rows, low]] += 1.0 - part
    weights[rows, order[rows, np.minimum(low + 1, top)]] += part
    return np.moveaxis(weights.reshape(shape), last, axes)


def quantile_tangent(a_dot, a, q, axis=None, keepdims=False, method="linear"):
    """The tangent of np.quantile(a, q, axis): the weights of the entries times theirs; one slice
    for each q."""
    slices = [
        np.sum(quantile_shares(a, p, axis, method) * a_dot, axis=axis, keepdims=keepdims)
        for p in np.ravel(q)
    ]
    return np.reshape(slices, np.shape(q) + np.shape(slices[0]))[()]


def quantile_adjoint(bar, a, q, axis=None, keepdims=False, method="linear"):
    """The adjoint of np.quantile(a, q, axis), shape of a; the axes of q come first in bar."""
    bars = np.reshape(bar, (np.size(q), *np.shape(bar)[np.ndim(q):]))
    if axis is not None and not keepdims:
        bars = np.expand_dims(bars, tuple(i + 1 for i in axes_of(axis, np.ndim(a))))
    return sum(b * quantile_shares(a, p, axis, method) for b, p in zip(bars, np.ravel(q)))


def along(weights, a, axis=None):
    """The weights of np.average(a, axis, weights) so shaped that they broadcast against a; None is 1 everywhere."""
    if weights is None:
        return np.ones(np.shape(a))
    if np.shape(weights) in ((), np.shape(a)):
        return weights
    axes = axes_of(axis, np.ndim(a))
    lined = np.transpose(weights, np.argsort(axes))
    return np.reshape(lined, [n if i in axes else 1 for i, n in enumerate(np.shape(a))])


def weights_adjoint(bar, shape, axis=None):
    """The adjoint of `weights`, of `shape`, from that of along(weights, a, axis) broadcast to the
    shape of a."""
    if np.shape(bar) == shape:
        return bar
    axes = axes_of(axis, np.ndim(bar))
    total = np.sum(bar, axis=tuple(i for i in range(np.ndim(bar)) if i not in axes))
    return np.transpose(total, np.argsort(np.argsort(axes)))


def freedom(bias=False, ddof=None):
    """What np.cov takes off the number of observations."""
    return (0 if bias else 1) if ddof is None else ddof


def rows_of(m, rowvar=True):
    """The observations of np.cov as a matrix with one variable a row."""
    m = np.array(m, ndmin=2)
    return m if rowvar or m.shape[0] == 1 else m.T


def unit_rows(rows):
    """Each row less its mean, of length 1: np.corrcoef is the matrix of their products."""
    deviation = rows - np.mean(rows, axis=1, keepdims=True)
    return deviation / np.sqrt(np.sum(deviation * deviation, axis=1, keepdims=True))


def unit_rows_tangent(rows, rows_dot):
    """The tangent of unit_rows, a symmetric map of rows_dot, and so its adjoint as well."""
    deviation = rows - np.mean(rows, axis=1, keepdims=True)
    length = np.sqrt(np.sum(deviation * deviation, axis=1, keepdims=True))
    unit = deviation / length
    centred = rows_dot - np.mean(rows_dot, axis=1, keepdims=True)
    return (centred - unit * np.sum(unit * centred, axis=1, keepdims=True)) / length


def reverse_cumsum(bar, shape, axis=None):
    """Sums from each entry to the last along `axis`: the adjoint of cumsum of an array of
    `shape`."""
    if axis is None:
        return np.reshape(np.cumsum(bar[::-1])[::-1], shape)
    return np.flip(np.cumsum(np.flip(bar, axis), axis), axis)


def cumprod_tangent(a, a_dot, axis=None):
    """The tangent of y = np.cumprod(a, axis), which behind the first zero is that of the entry that made it."""
    if axis is None:
        a, a_dot, axis = np.ravel(a), np.ravel(a_dot), 0
    a = np.moveaxis(np.asarray(a), axis, 0)
    a_dot = np.moveaxis(np.asarray(a_dot), axis, 0)
    y, place, number, before, behind = around_zero(a)
    a_dot = a_dot + np.zeros_like(a)
    steady = y * np.cumsum(np.where(number < place, a_dot, 0.0) / np.where(number < place, a, 1.0), axis=0)
    entry = np.sum(np.where(number == place, a_dot, 0.0), axis=0)
    return np.moveaxis(np.where(number < place, steady, before * entry * behind), 0, axis)


def cumprod_adjoint(bar, a, axis=None):
    """The adjoint of y = np.cumprod(a, axis), right also where entries are zero."""
    shape = np.shape(a)
    if axis is None:
        a, axis = np.ravel(a), 0
    a = np.moveaxis(np.asarray(a), axis, 0)
    bar = np.moveaxis(bar, axis, 0) + np.zeros_like(a)
    y, place, number, before, behind = around_zero(a)
    steady = np.cumsum(np.where(number < place, bar * y, 0.0)[::-1], axis=0)[::-1] / np.where(number < place, a, 1.0)
    entry = before * np.sum(np.where(number >= place, bar * behind, 0.0), axis=0)
    total = np.where(number < place, steady, np.where(number == place, entry, 0.0))
    return np.reshape(np.moveaxis(total, 0, axis), shape)


def around_zero(a):
    """y = np.cumprod(a, 0); where along this axis it first is 0, the numbers of its entries, the product before that one
    and the products behind it."""
    y = np.cumprod(a, axis=0)
    number = np.reshape(np.arange(len(a)), (-1,) + (1,) * (np.ndim(a) - 1))
    place = np.sum(np.cumsum(y == 0, axis=0) == 0, axis=0)
    before = np.sum(np.where(number == place - 1, y, 0.0), axis=0) + (place == 0)
    return y, place, number, before, np.cumprod(np.where(number <= place, 1.0, a), axis=0)


def reduceat_segments(indices, n):
    """Of np.add.reduceat over n entries: those that each sum takes, one sum after the other; the sums that they go to;
    where each sum starts among them."""
    first = np.asarray(indices)
    lengths = np.maximum(np.append(first[1:], n) - first, 1)
    starts = np.cumsum(lengths) - lengths
    return np.arange(np.sum(lengths)) + np.repeat(first - starts, lengths), np.repeat(np.arange(len(first)), lengths), starts


def segment_shares(a, y, indices, axis=0):
    """How much of y = np.maximum.reduceat(a, indices, axis) (or minimum) each entry carries that it looks at: entries
    that tie share equally."""
    entries, sums, starts = reduceat_segments(indices, np.shape(a)[axis])
    hit = np.equal(np.take(a, entries, axis), np.take(y, sums, axis))
    ties = np.add.reduceat(hit, starts, axis, dtype=float)
    return hit / np.maximum(np.take(ties, sums, axis), 1.0)


def segments_tangent(shares, a_dot, indices, axis=0):
    """The tangent of y = np.maximum.reduceat(a, indices, axis) (or minimum)."""
    entries, _, starts = reduceat_segments(indices, np.shape(a_dot)[axis])
    return np.add.reduceat(shares * np.take(a_dot, entries, axis), starts, axis)


def segments_adjoint(bar, shape, indices, axis=0, shares=1.0):
    """The adjoint of an array of `shape` in np.add.reduceat(a, indices, axis), or by its shares in an extremum."""
    entries, sums, _ = reduceat_segments(indices, shape[axis])
    parts = np.moveaxis(np.take(bar, sums, axis) * shares, axis, 0)
    total = np.zeros((shape[axis], *np.shape(parts)[1:]), dtype=np.result_type(parts))
    np.add.at(total, entries, parts)
    return np.moveaxis(total, 0, axis)


def minus_but_first(a, axis=0):
    """-a, but for the first layer along `axis`."""
    signed = np.negative(a)
    np.moveaxis(signed, 0 if axis is None else axis, 0)[:1] *= -1.0
    return signed


def accumulated_origins(a, y, axis=0):
    """For y = np.maximum.accumulate(a, axis) (or minimum) where along `axis` each entry of y comes
    from: its last change."""
    n = np.shape(a)[axis]
    shape = [n if i == axis % np.ndim(a) else 1 for i in range(np.ndim(a))]
    places = np.reshape(np.arange(n), shape)
    before = np.take(y, np.maximum(np.arange(n) - 1, 0), axis)
    changed = np.equal(places, 0) | np.not_equal(y, before)
    return np.maximum.accumulate(np.where(changed, places, 0), axis)


def diff_adjoint(bar, n=1, axis=-1):
    """The adjoint of np.diff(a, n, axis): differences of the bar between zeros, negated, n
    times."""
    pad = [(0, 0)] * np.ndim(bar)
    pad[axis] = (1, 1)
    for _ in range(n):
        bar = -np.diff(np.pad(bar, pad), axis=axis)
    return bar


def between_ends(a, axis=-1, prepend=None, append=None):
    """a with what np.diff puts before and after it along `axis`; numbers count as one layer."""
    layer = [1 if i == axis % np.ndim(a) else n for i, n in enumerate(np.shape(a))]
    ends = [
        None if e is None else np.broadcast_to(e, layer) if np.ndim(e) == 0 else e
        for e in (prepend, append)
    ]
    return np.concatenate([p for p in (ends[0], a, ends[1]) if p is not None], axis)


def split_ends(bar, shape, axis=-1, prepend=None, append=None):
    """The adjoints of prepend, of a (of `shape`) and of append from that of between_ends(a, axis,
    prepend, append)."""
    first = 0 if prepend is None else 1 if np.ndim(prepend) == 0 else np.shape(prepend)[axis]
    before, own, after = np.split(bar, [first, first + shape[axis]], axis)
    return (np.sum(before) if np.ndim(prepend) == 0 else before, own,
            np.sum(after) if np.ndim(append) == 0 else after)
