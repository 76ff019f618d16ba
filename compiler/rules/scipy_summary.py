"""scipy.stats: summaries of samples."""

import numpy as np
from scipy import special, stats

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import count, divide_or_zero, restore, unbroadcast

CASES = ["(5,)", "(5,3)", "(3,5) axis=1"]
POSITIVE = ["pos(5,)", "pos(5,3)", "pos(3,5) axis=1"]


@rule(stats.zscore, cases=[*CASES, "(5,) ddof=1"])
def _(a, axis=0, ddof=0):
    z = stats.zscore(a, axis, ddof)

    n = count(np.shape(a), axis) - ddof
    centred = a_dot - np.mean(a_dot, axis, keepdims=True)
    z_dot = (centred - z * np.sum(z * centred, axis, keepdims=True) / n) / np.std(a, axis, ddof=ddof, keepdims=True)

    n = count(np.shape(a), axis) - ddof
    centred = z_bar - np.mean(z_bar, axis, keepdims=True)
    a_bar += (centred - z * np.sum(z * z_bar, axis, keepdims=True) / n) / np.std(a, axis, ddof=ddof, keepdims=True)


@rule(stats.sem, cases=[*CASES, "(5,) ddof=0"])
def _(a, axis=0, ddof=1):
    y = stats.sem(a, axis, ddof)

    n = count(np.shape(a), axis)
    deviation = a - np.mean(a, axis, keepdims=True)
    y_dot = divide_or_zero(np.sum(deviation * a_dot, axis), n * (n - ddof) * y)

    n = count(np.shape(a), axis)
    a_bar += restore(divide_or_zero(y_bar, n * (n - ddof) * y), axis) * (a - np.mean(a, axis, keepdims=True))


@rule(stats.gmean, cases=POSITIVE)
def _(a, axis=0):
    y = stats.gmean(a, axis)

    y_dot = y * np.mean(a_dot / a, axis)

    a_bar += restore(y_bar * y / count(np.shape(a), axis), axis) / a


@rule(stats.hmean, cases=POSITIVE)
def _(a, axis=0):
    y = stats.hmean(a, axis)

    y_dot = y * y * np.mean(a_dot / (a * a), axis)

    a_bar += restore(y_bar * y * y / count(np.shape(a), axis), axis) / (a * a)


@rule(stats.skew, cases=CASES)
def _(a, axis=0):
    y = stats.skew(a, axis)

    d = a - np.mean(a, axis, keepdims=True)
    m2 = np.mean(d * d, axis, keepdims=True)
    slope = 3.0 / count(np.shape(a), axis) * ((d * d - m2) / m2**1.5 - restore(y, axis) * d / m2)
    y_dot = np.sum(slope * a_dot, axis)

    d = a - np.mean(a, axis, keepdims=True)
    m2 = np.mean(d * d, axis, keepdims=True)
    slope = 3.0 / count(np.shape(a), axis) * ((d * d - m2) / m2**1.5 - restore(y, axis) * d / m2)
    a_bar += restore(y_bar, axis) * slope


@rule(stats.kurtosis, cases=[*CASES, "(5,) fisher=False"])
def _(a, axis=0, fisher=True):
    y = stats.kurtosis(a, axis, fisher)

    d = a - np.mean(a, axis, keepdims=True)
    m2, m3, m4 = (np.mean(d**k, axis, keepdims=True) for k in (2, 3, 4))
    slope = 4.0 / count(np.shape(a), axis) * ((d * d * d - m3) / (m2 * m2) - m4 * d / (m2 * m2 * m2))
    y_dot = np.sum(slope * a_dot, axis)

    d = a - np.mean(a, axis, keepdims=True)
    m2 = np.mean(d * d, axis, keepdims=True)
    m3 = np.mean(d * d * d, axis, keepdims=True)
    m4 = np.mean(d * d * d * d, axis, keepdims=True)
    slope = 4.0 / count(np.shape(a), axis) * ((d * d * d - m3) / (m2 * m2) - m4 * d / (m2 * m2 * m2))
    a_bar += restore(y_bar, axis) * slope


@rule(stats.entropy, cases=[
    "pos(4,)", "pos(4,3)", "pos(4,) pos(4,)", "pos(4,3) pos(4,3)", "pos(3,4) axis=1", "pos(4,) base=2.0",
    "pos(4,) pos(4,) base=2.0", "pos(4,3) pos(4,1)", "pos(4,1) pos(3,)",
])
def _(pk, qk=None, base=None, axis=0):
    s = stats.entropy(pk, qk, base, axis)

    unit = 1.0 if base is None else 1.0 / np.log(base)
    if qk is None:
        p = pk / np.sum(pk, axis, keepdims=True)
        p_dot = (pk_dot - p * np.sum(pk_dot, axis, keepdims=True)) / np.sum(pk, axis, keepdims=True)
        s_dot = -unit * np.sum(np.log(p) * p_dot, axis)
    else:
        shape = np.broadcast_shapes(np.shape(pk), np.shape(qk))  # they are broadcast before they are normalised
        a = np.broadcast_to(pk, shape)
        b = np.broadcast_to(qk, shape)
        a_moved = np.broadcast_to(pk_dot, shape)
        b_moved = np.broadcast_to(qk_dot, shape)
        p = a / np.sum(a, axis, keepdims=True)
        q = b / np.sum(b, axis, keepdims=True)
        p_dot = (a_moved - p * np.sum(a_moved, axis, keepdims=True)) / np.sum(a, axis, keepdims=True)
        q_dot = (b_moved - q * np.sum(b_moved, axis, keepdims=True)) / np.sum(b, axis, keepdims=True)
        s_dot = unit * np.sum(np.log(p / q) * p_dot - p / q * q_dot, axis)

    unit = 1.0 if base is None else 1.0 / np.log(base)
    weight = unit * restore(s_bar, axis)
    if qk is None:
        p = pk / np.sum(pk, axis, keepdims=True)
        pk_bar += -(weight * np.log(p) + restore(s_bar * s, axis)) / np.sum(pk, axis, keepdims=True)
    else:
        shape = np.broadcast_shapes(np.shape(pk), np.shape(qk))
        a = np.broadcast_to(pk, shape)
        b = np.broadcast_to(qk, shape)
        p = a / np.sum(a, axis, keepdims=True)
        q = b / np.sum(b, axis, keepdims=True)
        share = (weight * np.log(p / q) - restore(s_bar * s, axis)) / np.sum(a, axis, keepdims=True)
        pk_bar += unbroadcast(share, np.shape(pk))
        qk_bar += unbroadcast(weight * (1.0 - p / q) / np.sum(b, axis, keepdims=True), np.shape(qk))


@rule(stats.dirichlet.logpdf, cases=["array([0.2,0.5,0.3]) pos(3,)"])
def _(x, alpha):
    z = stats.dirichlet.logpdf(x, alpha)

    slope = np.log(x) - special.digamma(alpha) + special.digamma(np.sum(alpha))
    z_dot = np.dot(slope, alpha_dot)

    alpha_bar += z_bar * (np.log(x) - special.digamma(alpha) + special.digamma(np.sum(alpha)))


@rule(stats.dirichlet.pdf, cases=["array([0.2,0.5,0.3]) pos(3,)"])
def _(x, alpha):
    z = stats.dirichlet.pdf(x, alpha)

    slope = np.log(x) - special.digamma(alpha) + special.digamma(np.sum(alpha))
    z_dot = z * np.dot(slope, alpha_dot)

    alpha_bar += z_bar * z * (np.log(x) - special.digamma(alpha) + special.digamma(np.sum(alpha)))
