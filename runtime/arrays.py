"""Array functions that rules and generated code name: broadcasting, gathering, slopes at the edge.

Every function needs NumPy alone and others of this file, so that a standalone dump can carry its
source. "Scalar in, scalar out": for shape () the results are Python or NumPy scalars, never 0-d
arrays.
"""

import math

import numpy as np

from pullback.runtime.refusals import Refusal

# ------------------------------------------------------------------------------------- broadcasting


def unbroadcast(bar, shape):
    """Sum `bar` down to `shape`, the adjoint of broadcasting an operand of that shape; spread it if
    smaller."""
    have = np.shape(bar)
    if have == shape:
        return bar
    if shape == ():
        return np.sum(bar)
    lead = len(have) - len(shape)
    if lead > 0:
        bar = np.sum(bar, axis=tuple(range(lead)))
    elif lead < 0:
        bar = np.reshape(bar, (1,) * -lead + have)
    axes = tuple(i for i, n in enumerate(shape) if n == 1 and np.shape(bar)[i] != 1)
    if axes:
        bar = np.sum(bar, axis=axes, keepdims=True)
    return bar if np.shape(bar) == shape else np.full(shape, bar)


def restore(bar, axis=None, keepdims=False):
    """The adjoint of a reduction's result with the reduced axes back at length 1, so that it
    broadcasts."""
    return bar if axis is None or keepdims else np.expand_dims(bar, axis)


def expand(bar, shape, axis=None, keepdims=False):
    """The adjoint of a reduction's result repeated over the reduced axes: an array of `shape`, ours
    to write."""
    return np.full(shape, restore(bar, axis, keepdims)) if shape != () else np.sum(bar)


def count(shape, axis=None):
    """How many entries of an array of `shape` one entry of the reduction over `axis` takes in
    (never 0)."""
    if axis is None:
        return max(1, math.prod(shape))
    axes = axis if isinstance(axis, tuple) else (axis,)
    return max(1, math.prod(shape[i] for i in axes))


# ------------------------------------------------------------------ products that may meet infinity


def masked_product(bar, partial):
    """bar * partial, and 0 wherever `bar` is 0, though `partial` be inf or nan there."""
    if np.ndim(bar) == 0 and np.ndim(partial) == 0:
        return 0.0 if bar == 0 else bar * partial
    if np.ndim(partial) == 0 and np.isfinite(partial):
        return bar * partial
    masked = bar == 0
    if not np.count_nonzero(masked):
        return bar * partial
    with np.errstate(invalid="ignore"):
        return np.where(masked, 0.0, bar * partial)


def divide_or_zero(x, y):
    """x / y, and 0 where y is 0: the slope of a norm at its kink. Shapes broadcast."""
    if np.ndim(x) == 0 and np.ndim(y) == 0:
        return x / y if y != 0 else 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(y == 0, 0.0, np.divide(x, y))


def beyond_rounding(spread, mean):
    """A standard deviation, and 0 where it is no more than the rounding of the mean: of entries that are all equal."""
    noise = 8.0 * np.finfo(np.result_type(mean, np.float16)).eps * np.abs(mean)
    return np.where(spread > noise, spread, 0.0)


def ieee_divide(x, y):
    """x / y for scalars, where a zero divisor gives inf or nan as in NumPy instead of an
    exception."""
    if y != 0:
        return x / y
    return math.nan if x == 0 or x != x else math.copysign(math.inf, x) * math.copysign(1.0, y)


# ----------------------------------------------------------------------- slopes of single functions


def power_base_slope(x, y):
    """d(x ** y)/dx = y * x ** (y - 1), and 0 where y is 0 (there x ** y is 1 for every x)."""
    if isinstance(x, (int, float)) and isinstance(y, (int, float)) and x != 0:
        try:
            return y * x ** (y - 1) if y != 0 else 0.0
        except OverflowError:
            return math.inf if y > 0 else -math.inf
    with np.errstate(all="ignore"):
        slope = np.where(np.equal(y, 0), 0.0, y * np.power(x + 0.0, y - 1))
    return slope if slope.shape else slope[()]


def power_mixed_slope(x, y):
    """The slope of y * x ** (y - 1) in y, x ** (y - 1) * (1 + y * log(x)): 0 at x = 0 for y > 1,
    nan for x < 0."""
    with np.errstate(all="ignore"):
        zero = np.equal(x, 0) & np.greater(y, 1)
        safe = np.where(zero, 1.0, x)
        slope = np.where(zero, 0.0, np.power(safe, y - 1) * (1.0 + y * np.log(safe)))
    return slope if slope.shape else slope[()]


def power_exponent_slope(x, y, z):
    """d(x ** y)/dy = z * log(x) with z = x ** y: 0 at x = 0 unless y < 0, nan for x < 0."""
    if isinstance(x, (int, float)) and isinstance(z, (int, float)) and x > 0:
        return z * math.log(x)
    with np.errstate(all="ignore"):
        zero = np.equal(x, 0) & np.greater_equal(y, 0)
        slope = np.where(zero, 0.0, z * np.log(np.where(zero, 1.0, x)))
    return slope if slope.shape else slope[()]


def logaddexp_slope(x, y, base=math.e):
    """1 / (1 + base ** (y - x)), the share of x in logaddexp(x, y): a half each when both are
    -inf."""
    with np.errstate(invalid="ignore", over="ignore"):
        gap = np.where(np.equal(x, y), 0.0, np.subtract(y, x))
        share = 1.0 / (1.0 + np.exp(math.log(base) * gap))
    return share if np.shape(share) else share[()]


def sinc_slope(x):
    """The derivative of s = sin(pi x) / (pi x), which is (cos(pi x) - s) / x, by its series near
    0."""
    t = math.pi * x
    near = -math.pi * t / 3.0 * (1.0 - t * t / 10.0 * (1.0 - t * t / 28.0))
    slope = np.where(np.abs(t) < 0.03, near, divide_or_zero(np.cos(t) - np.sinc(x), x))
    return slope if np.shape(slope) else slope[()]


def sinc_curvature(x):
    """The second derivative of s = sin(pi x) / (pi x), which is -pi**2 s - 2 s' / x, by its series
    near 0."""
    t = math.pi * x
    near = -math.pi * math.pi / 3.0 * (1.0 - t * t * 0.3 * (1.0 - t * t * 5.0 / 84.0))
    slope = np.where(
        np.abs(t) < 0.03,
        near,
        -math.pi * math.pi * np.sinc(x) - divide_or_zero(2.0 * sinc_slope(x), x),
    )
    return slope if np.shape(slope) else slope[()]


def bessel_i1(x):
    """The modified Bessel function I1, the derivative of np.i0: the mean of cos(t) exp(x cos(t))
    over a period."""
    t = np.cos(2.0 * math.pi * np.arange(256) / 256)
    return np.mean(t * np.exp(np.multiply.outer(x, t)), axis=-1)


def kaiser_slope(m, beta, w):
    """The derivative of w = np.kaiser(m, beta), which is i0(beta * s) / i0(beta), in beta. Shape
    (m,)."""
    n = (2.0 * np.arange(m) - (m - 1)) / max(m - 1, 1)
    s = np.sqrt(np.maximum(0.0, 1.0 - n * n))
    return (s * bessel_i1(beta * s) - w * bessel_i1(beta)) / np.i0(beta)


def sign(x):
    """The sign of a scalar, 0.0 at 0: the slope of abs."""
    return 0.0 if x == 0 else math.copysign(1.0, x)


def polygamma(n, x):
    """The n-th derivative of the digamma function at a scalar x; digamma itself for n = 0.

    Recurrence up to x >= 16, then the asymptotic series with Bernoulli numbers (Abramowitz and
    Stegun 6.4.11).
"""
    if x <= 0 and x == math.floor(x):
        return math.nan
    if x < 0 and n == 0:  # reflection
        return polygamma(0, 1.0 - x) - math.pi / math.tan(math.pi * x)
    odd = 1.0 if n % 2 else -1.0  # (-1) ** (n + 1)
    total = 0.0
    while x < 16.0:
        total += odd * math.factorial(n) / x ** (n + 1)
        x += 1.0
    if n == 0:
        tail = math.log(x) - 0.5 / x
    else:
        tail = odd * (math.factorial(n - 1) / x**n + 0.5 * math.factorial(n) / x ** (n + 1))
    bernoulli = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6)
    for k, b in enumerate(bernoulli, 1):
        tail += odd * b * math.factorial(2 * k + n - 1) / (math.factorial(2 * k) * x ** (2 * k + n))
    return total + tail


# ----------------------------------------------------------------------------------------- indexing


def is_basic(index):
    """Does a[index] give a view (integers, slices, None, Ellipsis), so that it names no entry
    twice?"""
    parts = index if isinstance(index, tuple) else (index,)
    return all(p is None or p is Ellipsis or isinstance(p, (int, np.integer, slice))
               and not isinstance(p, (bool, np.bool_)) for p in parts)


def add_rows(bar, index, value):
    """np.add.at(bar, index, value) for a matrix and a vector of its rows: many of them a column at
    a time, which NumPy does faster."""
    if len(index) < 100:
        np.add.at(bar, index, value)
    else:
        for column, part in zip(bar.T, np.broadcast_to(value, (len(index), bar.shape[1])).T):
            np.add.at(column, index, part)


def add_entries(entries, index, value):
    """np.add.at(entries, index, value) for the `flat` of an array."""
    numbers = np.arange(entries.base.size)[index]
    np.add.at(entries.base, np.unravel_index(numbers, entries.base.shape), value)


def product_without(numbers, k):
    """The product of a list of scalars without its k-th."""
    return math.prod(numbers[:k]) * math.prod(numbers[k + 1:])


def laid_out(values, like):
    """The values in an array of its own with the memory layout of another, gaps and directions included."""
    if like.flags.forc or like.size == 0:
        new = np.empty_like(like, subok=False)
    else:
        ends = [(n - 1) * step for n, step in zip(like.shape, like.strides)]
        low, high = sum(min(e, 0) for e in ends), sum(max(e, 0) for e in ends)
        memory = np.empty(high - low + like.itemsize, np.uint8)
        new = np.ndarray(like.shape, like.dtype, memory, -low, like.strides)
    new[...] = values
    new.flags.writeable = like.flags.writeable or values is not like
    return new


def refuse_truncated(made):
    """Raise where np.vectorize would make integers of floats, as its function returned an integer first."""
    if made and isinstance(made[0], (int, np.integer)) and any(isinstance(v, (float, np.floating)) for v in made):
        raise Refusal(
            "np.vectorize makes integers of all results, as the first is one, which a derivative cannot take back",
            "pass `otypes=[float]`",
        )
