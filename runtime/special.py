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
