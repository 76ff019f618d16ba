"""scipy.special, imported only where the program uses it. Formulas: DLMF chapters 5, 7, 8, 10."""

import math

import numpy as np
from scipy import special

from pullback.compiler.rules.language import constant, elementwise, rule
from pullback.runtime.arrays import restore, unbroadcast
from pullback.runtime.special import (
    beta_density,
    difference_slope,
    divide_where,
    huber_delta_slope,
    log_or_zero,
    share_of_exponentials,
)

# ---------------------------------------------------------------------------------- logistic family


@elementwise(special.expit)
def _(x, *, z):
    return z * (1.0 - z)


@elementwise(special.logit, domain=(0.1, 0.9), singular=True)
def _(x):
    return np.divide(1.0, x * (1.0 - x))


@elementwise(special.log_expit)
def _(x):
    return special.expit(-x)


# ---------------------------------------------------------------------------------- error functions


@elementwise(special.erf)
def _(z):
    return 2.0 / math.sqrt(math.pi) * np.exp(-z * z)


@elementwise(special.erfc)
def _(x):
    return -2.0 / math.sqrt(math.pi) * np.exp(-x * x)


@elementwise(special.erfcx, domain=(-1.0, 2.0), singular=True)
def _(x, *, z):
    return 2.0 * x * z - 2.0 / math.sqrt(math.pi)


@elementwise(special.erfi, domain=(-1.0, 1.0), singular=True)
def _(x):
    return 2.0 / math.sqrt(math.pi) * np.exp(x * x)


@elementwise(special.dawsn)
def _(x, *, z):
    return 1.0 - 2.0 * x * z


@elementwise(special.erfinv, domain=(-0.9, 0.9), singular=True)
def _(y, *, z):
    return math.sqrt(math.pi) / 2.0 * np.exp(z * z)


@elementwise(special.erfcinv, domain=(0.1, 1.9), singular=True)
def _(y, *, z):
    return -math.sqrt(math.pi) / 2.0 * np.exp(z * z)


@elementwise(special.ndtr)
def _(x):
    return np.exp(-0.5 * x * x) / math.sqrt(2.0 * math.pi)


@elementwise(special.log_ndtr)
def _(x, *, z):
    return np.exp(-0.5 * x * x - z) / math.sqrt(2.0 * math.pi)


@elementwise(special.ndtri, domain=(0.1, 0.9), singular=True)
def _(y, *, z):
    return math.sqrt(2.0 * math.pi) * np.exp(0.5 * z * z)


# ------------------------------------------------------------------------------------- gamma family


@elementwise(special.gammaln, special.loggamma, domain=(0.5, 3.0), singular=True)
def _(x):
    return special.digamma(x)


@elementwise(special.gamma, domain=(0.5, 3.0), singular=True)
def _(z, *, g):
    return g * special.digamma(z)


@elementwise(special.rgamma, domain=(0.5, 3.0), singular=True)
def _(z, *, g):
    return -g * special.digamma(z)


@elementwise(special.digamma, domain=(0.5, 3.0), singular=True)
def _(z):
    return special.polygamma(1, z)


@elementwise(special.polygamma, cases=["1 pos()", "2 pos(3,)"], singular=True)
def _(n, x):
    return ..., special.polygamma(n + 1, x)


@elementwise(special.multigammaln, cases=["grid(3,)+2 1", "pos()+2 2"])
def _(a, d):
    return sum(special.digamma(a - 0.5 * i) for i in range(d)), None


@elementwise(special.factorial, cases=["pos(3,)"])
def _(n):
    return special.gamma(n + 1.0) * special.digamma(n + 1.0)


@elementwise(special.beta, domain=(0.5, 3.0), singular=True)
def _(a, b, *, z):
    return z * (special.digamma(a) - special.digamma(a + b)), z * (
        special.digamma(b) - special.digamma(a + b)
    )


@elementwise(special.betaln, domain=(0.5, 3.0), singular=True)
def _(a, b):
    return special.digamma(a) - special.digamma(a + b), special.digamma(b) - special.digamma(a + b)


@elementwise(special.binom, domain=(0.5, 3.0), singular=True)
def _(x, y, *, z):
    return (z * (special.digamma(x + 1.0) - special.digamma(x - y + 1.0)),
            z * (special.digamma(x - y + 1.0) - special.digamma(y + 1.0)))


@rule(special.comb, cases=["pos(3,)+3 pos(3,)", "pos(2,)+3 array([2.0,6.0])", "pos()+2 1.0", "pos(2,1)+3 pos(3,)", "pos()+2 pos()"])
def _(N, k, *, exact=False):
    y = special.comb(N, k, exact=exact)

    rest = special.digamma(np.maximum(N - k, 0.0) + 1.0)
    y_dot = y * ((special.digamma(N + 1.0) - rest) * N_dot + (rest - special.digamma(k + 1.0)) * k_dot)

    rest = special.digamma(np.maximum(N - k, 0.0) + 1.0)
    N_bar += unbroadcast(y_bar * y * (special.digamma(N + 1.0) - rest), np.shape(N))
    k_bar += unbroadcast(y_bar * y * (rest - special.digamma(k + 1.0)), np.shape(k))


@elementwise(special.poch, domain=(0.5, 3.0), singular=True)
def _(z, m, *, p):
    return p * (special.digamma(z + m) - special.digamma(z)), p * special.digamma(z + m)


@elementwise(special.gammainc, singular=True, cases=[
    "1.5 pos(3,)", "pos() pos()", "pos(3,) pos(3,)",
])
def _(a, x):
    return difference_slope(special.gammainc, 0, a, x), np.exp(
        (a - 1.0) * np.log(x) - x - special.gammaln(a)
    )


@elementwise(special.gammaincc, singular=True, cases=[
    "1.5 pos(3,)", "pos() pos()", "pos(3,) pos(3,)",
])
def _(a, x):
    return difference_slope(special.gammaincc, 0, a, x), -np.exp(
        (a - 1.0) * np.log(x) - x - special.gammaln(a)
    )


@elementwise(special.gammaincinv, cases=["pos() unit()", "pos(3,) unit(3,)"], singular=True)
def _(a, y, *, x):
    return (
        -difference_slope(special.gammainc, 0, a, x)
        / np.exp((a - 1.0) * np.log(x) - x - special.gammaln(a)),
        np.exp(x - (a - 1.0) * np.log(x) + special.gammaln(a)),
    )


@elementwise(special.gammainccinv, cases=["pos() unit()", "pos(3,) unit(3,)"], singular=True)
def _(a, y, *, x):
    return (
        -difference_slope(special.gammainc, 0, a, x)
        / np.exp((a - 1.0) * np.log(x) - x - special.gammaln(a)),
        -np.exp(x - (a - 1.0) * np.log(x) + special.gammaln(a)),
    )


@elementwise(special.betaincinv, singular=True, cases=[
    "pos() pos() unit()", "pos(3,) pos(3,) unit(3,)",
])
def _(a, b, y, *, x):
    return (
        -difference_slope(special.betainc, 0, a, b, x)
        / beta_density(x, a, b, special.betaln(a, b)),
        -difference_slope(special.betainc, 1, a, b, x)
        / beta_density(x, a, b, special.betaln(a, b)),
        1.0 / beta_density(x, a, b, special.betaln(a, b)),
    )


@elementwise(special.betainc, singular=True, cases=[
    "pos() 2.5 unit(3,)", "pos(3,) pos(3,) unit(3,)", "pos() pos() unit()",
])
def _(a, b, x):
    return (
        difference_slope(special.betainc, 0, a, b, x),
        difference_slope(special.betainc, 1, a, b, x),
        beta_density(x, a, b, special.betaln(a, b)),
    )


# ------------------------------------------------------------------------------- entropies, x log y


@elementwise(special.xlogy, domain=(0.5, 2.0), singular=True)
def _(x, y):
    return np.log(y), divide_where(x, y)


@elementwise(special.xlog1py, domain=(0.5, 2.0), singular=True)
def _(x, y):
    return np.log1p(y), divide_where(x, 1.0 + y)


@elementwise(special.entr, domain=(0.5, 2.0), singular=True)
def _(x):
    return -np.log(x) - 1.0


@elementwise(special.rel_entr, domain=(0.5, 2.0), singular=True)
def _(x, y):
    return log_or_zero(x, y) + 1.0, -divide_where(x, y)


@elementwise(special.kl_div, domain=(0.5, 2.0), singular=True)
def _(x, y):
    return log_or_zero(x, y), 1.0 - divide_where(x, y)


@elementwise(special.huber, cases=["1.0 (5,)", "pos() ()", "pos() (5,)"])
def _(delta, r):
    return huber_delta_slope(delta, r), np.clip(r, -delta, delta)


@elementwise(special.pseudo_huber, domain=(0.5, 2.0))
def _(delta, r):
    return (2.0 * delta * (np.sqrt(1.0 + (r / delta) * (r / delta)) - 1.0)
            - r * r / (delta * np.sqrt(1.0 + (r / delta) * (r / delta))),
            r / np.sqrt(1.0 + (r / delta) * (r / delta)))


@elementwise(special.boxcox, domain=(0.5, 2.0), singular=True)
def _(x, lmbda, *, z):
    return x ** (lmbda - 1.0), (x**lmbda * np.log(x) - z) / lmbda


@elementwise(special.boxcox1p, domain=(0.5, 2.0), singular=True)
def _(x, lmbda, *, z):
    return (1.0 + x) ** (lmbda - 1.0), ((1.0 + x) ** lmbda * np.log1p(x) - z) / lmbda


@elementwise(special.inv_boxcox, domain=(0.5, 2.0), singular=True)
def _(x, lmbda, *, z):
    return z / (1.0 + lmbda * x), z * (
        x / (lmbda * (1.0 + lmbda * x)) - np.log1p(lmbda * x) / (lmbda * lmbda)
    )


@elementwise(special.inv_boxcox1p, domain=(0.5, 2.0), singular=True)
def _(x, lmbda, *, z):
    return (z + 1.0) / (1.0 + lmbda * x), (z + 1.0) * (
        x / (lmbda * (1.0 + lmbda * x)) - np.log1p(lmbda * x) / (lmbda * lmbda))


@elementwise(special.exprel)
def _(x, *, z):
    return np.where(  # a series where the difference cancels
        np.abs(x) < 2e-3, 0.5 + x / 3.0 + x * x / 8.0 + x * x * x / 30.0, (np.exp(x) - z) / np.where(x == 0.0, 1.0, x)
    )


@elementwise(special.cosm1)
def _(x):
    return -np.sin(x)


@elementwise(special.exp10, singular=True)
def _(x, *, z):
    return math.log(10.0) * z


@elementwise(special.exp2, singular=True)
def _(x, *, z):
    return math.log(2.0) * z


@elementwise(special.expm1, singular=True)
def _(x, *, z):
    return z + 1.0


@elementwise(special.log1p, domain=(-0.5, 2.0), singular=True)
def _(x):
    return np.divide(1.0, 1.0 + x)


@elementwise(special.cbrt, domain=(0.5, 2.0), singular=True)
def _(x, *, z):
    return 1.0 / (3.0 * z * z)


# --------------------------------------------------------------------------------------- reductions


@rule(special.logsumexp, real=True, cases=[
    "(3,)", "(2,3) axis=1", "(2,3) axis=0 keepdims=True", "(2,3)", "(2,3) axis=1 b=pos(2,3)", "(2,3) axis=1 b=pos(3,)",
    "(3,) axis=1 b=pos(2,3)",
])
def _(a, axis=None, b=None, keepdims=False):
    y = special.logsumexp(a, axis, b, keepdims)

    shares = share_of_exponentials(a, y, axis, b, keepdims)
    if b is None:
        y_dot = np.sum(shares * a_dot, axis, keepdims=keepdims)
    else:
        y_dot = np.sum(shares * (b * a_dot + b_dot), axis, keepdims=keepdims)

    shares = share_of_exponentials(a, y, axis, b, keepdims)
    if b is None:
        a_bar += restore(y_bar, axis, keepdims) * shares
    else:
        a_bar += unbroadcast(restore(y_bar, axis, keepdims) * shares * b, np.shape(a))
        b_bar += unbroadcast(restore(y_bar, axis, keepdims) * shares, np.shape(b))


@rule(special.softmax, cases=["(3,)", "(2,3) axis=1", "(2,3)"])
def _(x, axis=None):
    s = special.softmax(x, axis)

    s_dot = s * (x_dot - np.sum(s * x_dot, axis, keepdims=True))

    x_bar += s * (s_bar - np.sum(s * s_bar, axis, keepdims=True))


@rule(special.log_softmax, cases=["(3,)", "(2,3) axis=1", "(2,3)"])
def _(x, axis=None):
    y = special.log_softmax(x, axis)

    y_dot = x_dot - np.sum(np.exp(y) * x_dot, axis, keepdims=True)

    x_bar += y_bar - np.exp(y) * np.sum(y_bar, axis, keepdims=True)


constant(special.gammasgn)
