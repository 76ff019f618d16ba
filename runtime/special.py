"""What the rules of scipy.special name. Every function needs NumPy alone and others of this file."""

import numpy as np


def divide_where(x, y):
    """x / y, and 0 where x is 0, whatever y is: the slope of x * log(y) in y."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(np.equal(x, 0), 0.0, np.divide(x, y))[()]


def log_or_zero(x, y):
    """log(x / y) without a warning where x is 0 (there -inf)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(np.divide(x, y))


def share_of_exponentials(a, y, axis=None, b=None, keepdims=False):
    """exp(a - y) where y = logsumexp(a, axis, b): the slope over b. Where y is -inf, equal shares (nothing is nan)."""
    if axis is not None and not keepdims:
        y = np.expand_dims(y, axis)
    empty = np.isneginf(y)
    share = np.exp(np.where(empty, 0.0, a) - np.where(empty, 0.0, y))
    if np.any(empty):
        alike = np.sum(np.broadcast_to(empty, np.shape(share)), axis=axis, keepdims=True)
        share = np.where(empty, 1.0 / np.maximum(alike, 1), share)
    return share


def difference_slope(function, k, *args):
    """The slope of an analytic function(*args) in args[k], by central differences of eighth order.

    For parameters whose slope has no closed form (the order of a Bessel function, the shape of a gamma
    distribution). Steps are short beside the parameter; about eleven digits are right.
    """
    at = np.asarray(args[k], dtype=float)
    h = 0.02 * np.clip(np.abs(at), 0.05, 1.0)
    total = 0.0
    for i, weight in enumerate((4.0 / 5.0, -1.0 / 5.0, 4.0 / 105.0, -1.0 / 280.0), 1):
        upper = function(*args[:k], at + i * h, *args[k + 1:])
        lower = function(*args[:k], at - i * h, *args[k + 1:])
        total = total + weight * (upper - lower)
    return total / h


def beta_density(x, a, b, log_beta):
    """The density of the beta distribution, the slope of betainc(a, b, x) in x."""
    return np.exp((a - 1.0) * np.log(x) + (b - 1.0) * np.log1p(-x) - log_beta)


def huber_delta_slope(delta, r):
    """The slope of scipy.special.huber(delta, r) in delta: |r| - delta outside, 0 inside."""
    return np.maximum(np.abs(r) - delta, 0.0)
