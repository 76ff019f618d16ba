"""What the rules of convolutions, integrals and polynomials name."""

import numpy as np

from pullback.runtime.arrays import divide_or_zero


def whole_convolution(bar, n, m, mode="full"):
    """The adjoint of a convolution of n and m entries, with zeros where `mode` cut it: n + m - 1
    entries."""
    if mode == "full":
        return bar
    first = (min(n, m) - 1) // 2 if mode == "same" else min(n, m) - 1
    whole = np.zeros(n + m - 1, dtype=np.result_type(bar))
    whole[first:first + len(bar)] = bar
    return whole


def convolve_adjoint(bar, a, v, mode="full"):
    """The adjoint of a in np.convolve(a, v, mode), shape of a."""
    n, m = np.size(a), np.size(v)
    whole = whole_convolution(bar, n, m, mode)
    return np.reshape(np.convolve(whole, np.flip(np.atleast_1d(v)), "valid")[:n], np.shape(a))[()]


def correlate_left_adjoint(bar, a, v, mode="valid"):
    """The adjoint of a in np.correlate(a, v, mode): a convolution with v reversed, the longer
    operand first."""
    if len(v) > len(a):
        return convolve_adjoint(bar[::-1], a[::-1], v, mode)[::-1]
    return convolve_adjoint(bar, a, v[::-1], mode)


def correlate_right_adjoint(bar, a, v, mode="valid"):
    """The adjoint of v in np.correlate(a, v, mode), shape of v."""
    if len(v) > len(a):
        return convolve_adjoint(bar[::-1], v, a[::-1], mode)
    return convolve_adjoint(bar, v[::-1], a, mode)[::-1]


def gradient_adjoint(bar, shape, spacing=(), axis=None, edge_order=1):
    """The adjoint of np.gradient(f, *spacing, axis=axis) for f of `shape`; bar is a sequence where
    f has several axes."""
    axes = range(len(shape)) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    bars = bar if isinstance(bar, (list, tuple)) else (bar,)
    steps = (
        spacing if len(spacing) == len(axes) else tuple(spacing) * len(axes) or (1.0,) * len(axes)
    )
    total = np.zeros(shape)
    for one, i, step in zip(bars, axes, steps):
        n = shape[i]
        lines = np.reshape(np.moveaxis(one, i, 0), (n, -1))
        back = np.zeros((n, lines.shape[1]))
        for k in range(min(n, 5)):  # an entry reaches two places at most, so every fifth can be asked at once
            comb = np.zeros(n)
            comb[k::5] = 1.0
            band = np.gradient(comb, step, edge_order=edge_order)[:, None] * lines
            band = np.pad(band, ((2, 2), (0, 0)))
            back[k::5] = sum(band[k + j:n + j:5] for j in range(5))
        moved = [shape[i], *(m for j, m in enumerate(shape) if j != i % len(shape))]
        total += np.moveaxis(np.reshape(back, moved), 0, i)
    return total


def trapezoid_weights(y, x=None, dx=1.0, axis=-1):
    """The weight of each entry of y in np.trapezoid(y, x, dx, axis): half the lengths beside it.
    Shape of y."""
    n = np.shape(y)[axis]
    if x is None:
        lengths = np.full(max(n - 1, 0), dx)
    else:
        lengths = np.diff(x, axis=axis if np.ndim(x) == np.ndim(y) else -1)
    if np.ndim(lengths) == 1:
        lengths = np.reshape(
            lengths, [-1 if i == axis % np.ndim(y) else 1 for i in range(np.ndim(y))]
        )
    pad = [(0, 0)] * np.ndim(y)
    after, before = list(pad), list(pad)
    after[axis], before[axis] = (0, 1), (1, 0)
    return 0.5 * (np.pad(lengths, after) + np.pad(lengths, before))


def lengths_adjoint(bar, y, shape, axis=-1):
    """The adjoint of the places x, of `shape`, in np.trapezoid(y, x, axis=axis)."""
    lower = np.delete(y, -1, axis)
    upper = np.delete(y, 0, axis)
    slope = np.expand_dims(bar, axis) * 0.5 * (lower + upper)
    pad = [(0, 0)] * np.ndim(y)
    pad[axis] = (1, 1)
    back = -np.diff(np.pad(slope, pad), axis=axis)
    if len(shape) == 1:
        return np.sum(back, axis=tuple(i for i in range(np.ndim(y)) if i != axis % np.ndim(y)))
    return back


def design(x, deg, w=None):
    """np.polyfit's matrix of powers, highest first, its slope in x, both weighted, and its
    pseudo-inverse."""
    powers = np.arange(deg, -1, -1)
    x = np.asarray(x, dtype=float)[:, None]
    weights = 1.0 if w is None else np.asarray(w, dtype=float)[:, None]
    v = x**powers * weights
    return v, powers * x ** np.maximum(powers - 1, 0) * weights, np.linalg.pinv(v)


def weighted_rows(y, w=None):
    """The rows of y (or its entries) times the weights w."""
    return y if w is None else np.transpose(w * np.transpose(y))


def fit_tangent(x, y, c, deg, w, x_dot, y_dot):
    """The tangent of c = np.polyfit(x, y, deg, w=w), the derivative of the normal equations."""
    v, slope, inverse = design(x, deg, w)
    v_dot = slope * np.reshape(x_dot, (-1, 1))
    move = weighted_rows(y_dot, w) - v_dot @ c
    return inverse @ move + inverse @ (inverse.T @ (v_dot.T @ (weighted_rows(y, w) - v @ c)))


def fit_values_adjoint(bar, x, deg, w=None):
    """The adjoint of y in np.polyfit(x, y, deg, w=w), shape of y."""
    return weighted_rows(design(x, deg, w)[2].T @ bar, w)


def fit_places_adjoint(bar, x, y, c, deg, w=None):
    """The adjoint of x in c = np.polyfit(x, y, deg, w=w), shape of x."""
    v, slope, inverse = design(x, deg, w)
    residual = np.reshape(weighted_rows(y, w) - v @ c, (len(v), -1))
    spread = np.reshape(inverse.T @ bar, (len(v), -1))
    columns = np.reshape(c, (deg + 1, -1))
    back = inverse @ spread
    return np.sum(slope * (residual @ back.T - spread @ columns.T), axis=1)


def poly_adjoint(bar, roots):
    """The adjoint of the roots in np.poly(roots), which multiplies by one factor after the other."""
    products = [np.ones(1)]
    for root in roots:
        products.append(np.convolve(products[-1], (1.0, -root)))
    slopes = []
    for root, product in zip(roots[::-1], products[-2::-1]):
        slopes.append(-np.dot(bar[1:], product))
        bar = bar[:-1] - root * bar[1:]
    return np.array(slopes[::-1])


def poly_tangent(roots, roots_dot):
    """The tangent of np.poly(roots)."""
    product, move = np.ones(1), np.zeros(1)
    for root, root_dot in zip(roots, roots_dot):
        move = np.convolve(move, (1.0, -root)) + np.convolve(product, (0.0, -root_dot))
        product = np.convolve(product, (1.0, -root))
    return move


def adjugates(a, c):
    """The coefficients, matrices, of the adjugate of x - a, whose determinant has the coefficients c; by Faddeev and
    LeVerrier."""
    found = [np.eye(len(a))]
    for number in c[1:-1]:
        found.append(a @ found[-1] + number * np.eye(len(a)))
    return np.array(found)


def characteristic_adjoint(bar, a, c):
    """The adjoint of a in c = np.poly(a), the characteristic polynomial of a matrix."""
    return -np.tensordot(bar[1:], adjugates(a, c), 1).T


def characteristic_tangent(a, c, a_dot):
    """The tangent of c = np.poly(a) of a matrix."""
    return np.append(0.0, -np.sum(adjugates(a, c) * a_dot.T, axis=(1, 2)))


def whole_of(bar, a, v, mode="full"):
    """The adjoint of an n-dimensional convolution of a and v, with zeros where `mode` cut it to
    size."""
    if mode == "full":
        return bar
    whole = np.zeros(
        [n + m - 1 for n, m in zip(np.shape(a), np.shape(v))], dtype=np.result_type(bar)
    )
    if mode == "same":
        first = [(m - 1) // 2 for m in np.shape(v)]
    else:
        first = [min(n, m) - 1 for n, m in zip(np.shape(a), np.shape(v))]
    whole[tuple(slice(f, f + k) for f, k in zip(first, np.shape(bar)))] = bar
    return whole


def shifted_products(bar, x, count, axis=-1):
    """For each delay below `count` the inner product of bar with x delayed along `axis`."""
    bar, x = np.moveaxis(bar, axis, 0), np.moveaxis(x, axis, 0)
    n = len(bar)
    return np.array([np.sum(bar[k:] * x[:max(n - k, 0)]) for k in range(count)])


def filter_edge(b, a, padtype="odd", padlen=None):
    """By how many entries scipy.signal.filtfilt extends a signal at each end."""
    if padtype is None:
        return 0
    return 3 * max(np.size(a), np.size(b)) if padlen is None else padlen


def between_zeros(bar, edge):
    """bar between so many zeros at either end of its first axis."""
    return np.pad(bar, [(edge, edge)] + [(0, 0)] * (np.ndim(bar) - 1))


def at_first(value, n):
    """n entries along a first axis: the value, and zeros."""
    total = np.zeros((n, *np.shape(value)), dtype=np.result_type(value))
    total[0] = value
    return total


def extension_adjoint(bar, edge, padtype="odd"):
    """The adjoint of a signal from that of its extension by scipy.signal.filtfilt along the first axis."""
    if edge == 0:
        return bar
    before, inner, after = bar[:edge], np.array(bar[edge:-edge]), bar[-edge:]
    if padtype == "odd":
        inner[0] += 2.0 * np.sum(before, axis=0)
        inner[-1] += 2.0 * np.sum(after, axis=0)
    if padtype == "constant":
        inner[0] += np.sum(before, axis=0)
        inner[-1] += np.sum(after, axis=0)
    else:
        turned = -1.0 if padtype == "odd" else 1.0
        inner[1:edge + 1] += turned * before[::-1]
        inner[-edge - 1:-1] += turned * after[::-1]
    return inner


def windows_adjoint(bar, window, kernel):
    """The adjoint of a filter along the first axis that is a kernel in the middle, and at either end what the matrix
    `window` makes of the first, or last, entries."""
    n, size = len(bar), len(window)
    half, first = size // 2, (size + 1) % 2  # a kernel of even length looks one further ahead than back
    total = np.zeros(np.shape(bar))
    for k in range(first, size + first):
        total[k:n - 2 * half + k] += kernel[k - first] * bar[half:n - half]
    total[:size] += np.tensordot(window[:half], bar[:half], (0, 0))
    total[n - size:] += np.tensordot(window[size - half:], bar[n - half:], (0, 0))
    return total


def sample_weights(weights, y, axis=-1):
    """The weights of an integration rule, one a sample, shaped to broadcast along `axis` of y."""
    return np.reshape(weights, [-1 if i == axis % np.ndim(y) else 1 for i in range(np.ndim(y))])


def simpson_weights(y, x=None, dx=1.0, axis=-1):
    """The weights of the samples in scipy.integrate.simpson(y, x, dx=dx, axis=axis): those of parabolas through three
    each, and for an even number those of the last interval under the parabola through the last three."""
    n = np.shape(y)[axis]
    along = x is not None and np.ndim(x) > 1
    h = np.full(max(n - 1, 0), dx) if x is None else np.diff(np.moveaxis(np.asarray(x, float), axis, -1) if along else x)
    weights = np.zeros((*np.shape(h)[:-1], n))
    odd = n - 1 + n % 2 if n > 2 else 0
    if n == 2:
        weights += 0.5 * h
    elif odd > 1:
        first, second = h[..., :odd - 1:2], h[..., 1:odd - 1:2]
        third = (first + second) / 6.0
        weights[..., :odd - 1:2] += third * (2.0 - divide_or_zero(second, first))
        weights[..., 1:odd:2] += third * (first + second) * divide_or_zero(first + second, first * second)
        weights[..., 2:odd:2] += third * (2.0 - divide_or_zero(first, second))
    if n > 2 and n % 2 == 0:
        h, last = h[..., -2], h[..., -1]
        weights[..., -1] += divide_or_zero(last * (2.0 * last + 3.0 * h), 6.0 * (h + last))
        weights[..., -2] += divide_or_zero(last * (last + 3.0 * h), 6.0 * h)
        weights[..., -3] -= divide_or_zero(last**3, 6.0 * h * (h + last))
    return np.moveaxis(weights, -1, axis) if along else sample_weights(weights, y, axis)


def dyadic_levels(n):
    """The samples of scipy.integrate.romb that have the same weight, as rows of 0 and 1: the ends, and those that come
    with each halving of the interval."""
    rows, step = [np.arange(n) % max(n - 1, 1) == 0], n - 1
    while step > 1:
        rows.append(np.arange(n) % step == step // 2)
        step //= 2
    return np.array(rows, dtype=float)


def cumulative_adjoint(bar, y, x=None, dx=1.0, axis=-1, initial=None):
    """The adjoint of y in scipy.integrate.cumulative_trapezoid(y, x, dx, axis, initial), shape of
    y."""
    if initial is not None:
        bar = np.delete(bar, 0, axis)
    lengths = (
        np.full(np.shape(y)[axis] - 1, dx)
        if x is None
        else np.diff(x, axis=axis if np.ndim(x) > 1 else -1)
    )
    if np.ndim(lengths) == 1:
        lengths = sample_weights(lengths, y, axis)
    each = 0.5 * lengths * np.flip(np.cumsum(np.flip(bar, axis), axis), axis)
    pad = [(0, 0)] * np.ndim(y)
    after, before = list(pad), list(pad)
    after[axis], before[axis] = (0, 1), (1, 0)
    return np.pad(each, after) + np.pad(each, before)
