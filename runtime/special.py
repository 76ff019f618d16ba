"""What the rules of scipy.special name. Every function needs NumPy alone and others of this
file."""

import math

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
    """exp(a - y) where y = logsumexp(a, axis, b): the slope over b. Where y is -inf, equal shares
    (nothing is nan)."""
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

    For parameters whose slope has no closed form (the order of a Bessel function, the shape of a
    gamma distribution). Steps are short beside the parameter; about eleven digits are right.
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


def normal_share(x, low, high):
    """The standard normal density at x over its mass between low and high: minus the slope of log
    mass in low."""
    mass = np.vectorize(
        lambda a, b: 0.5 * (math.erf(b / math.sqrt(2.0)) - math.erf(a / math.sqrt(2.0)))
    )(low, high)
    return np.exp(-0.5 * np.multiply(x, x)) / (math.sqrt(2.0 * math.pi) * mass)


def normal_parts(x, mean, cov):
    """Deviations from the mean as rows, and the inverse covariance matrix (a number or vector
    counts as diagonal)."""
    rows = np.asarray(x) - (0.0 if mean is None else np.asarray(mean))
    if (mean is None or np.ndim(mean) == 0) and np.ndim(cov) == 0:
        rows = rows[..., None]  # one variable: every entry of x is a point
    d = np.shape(rows)[-1]
    full = np.asarray(cov) * np.eye(d) if np.ndim(cov) < 2 else np.asarray(cov)
    return rows, np.linalg.inv(full)


def normal_score(x, mean, cov):
    """inv(cov) @ (x - mean) for each row of x: the slope of the normal log density in its mean."""
    rows, inverse = normal_parts(x, mean, cov)
    return rows @ inverse


def normal_covariance_adjoint(bar, x, mean, cov):
    """The adjoint of cov in multivariate_normal.logpdf(x, mean, cov), its shape."""
    rows, inverse = normal_parts(x, mean, cov)
    score = np.reshape(rows @ inverse, (-1, len(inverse)))
    total = 0.5 * (score.T @ (np.reshape(bar, (-1, 1)) * score) - np.sum(bar) * inverse)
    return np.trace(total) if np.ndim(cov) == 0 else np.diag(total) if np.ndim(cov) == 1 else total


def normal_tangent(x, x_dot, mean, mean_dot, cov, cov_dot):
    """The tangent of multivariate_normal.logpdf(x, mean, cov)."""
    rows, inverse = normal_parts(x, mean, cov)
    score = rows @ inverse
    moved = (
        np.asarray(cov_dot) * np.eye(len(inverse)) if np.ndim(cov_dot) < 2 else np.asarray(cov_dot)
    )
    rows_dot = np.reshape((0.0 if mean is None else mean_dot) - x_dot, np.shape(rows))
    return (np.sum(score * rows_dot, axis=-1)
            + 0.5 * np.sum((score @ moved) * score, axis=-1) - 0.5 * np.sum(inverse * moved.T))


def rosenbrock_slope(x):
    """The slope of scipy.optimize.rosen at a vector x."""
    gap = 200.0 * (x[1:] - x[:-1] * x[:-1])
    return np.append(-2.0 * x[:-1] * gap - 2.0 * (1.0 - x[:-1]), 0.0) + np.append(0.0, gap)
