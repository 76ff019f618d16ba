"""scipy.stats distributions, from one table: the slopes of each standard log density.

For a density f(t, shapes), t = (x - loc) / scale, everything else follows: the partials of logpdf are s / scale,
-s / scale and -(1 + t s) / scale, where s is the slope of log f; pdf multiplies them by itself; the slope of cdf
is the pdf. Distribution functions have no closed slope in a shape; `difference_slope` takes it. The rules
are the templates below, with a distribution's name and slopes filled in.
"""

import linecache
import math

import numpy as np
from scipy import special, stats

from pullback.compiler.rules.language import constant, elementwise, rule
from pullback.runtime.special import difference_slope

# distribution: slope of log f in t, and in each shape by name; then cases of x and shapes
CONTINUOUS = {
    "norm": ("-t", {}, "() "),
    "expon": ("-1.0", {}, "pos()+0.5 "),
    "laplace": ("-np.sign(t)", {}, "() "),
    "logistic": ("-np.tanh(0.5 * t)", {}, "() "),
    "cauchy": ("-2.0 * t / (1.0 + t * t)", {}, "() "),
    "halfnorm": ("-t", {}, "pos()+0.5 "),
    "rayleigh": ("1.0 / t - t", {}, "pos()+0.5 "),
    "gumbel_r": ("np.exp(-t) - 1.0", {}, "() "),
    "gumbel_l": ("1.0 - np.exp(t)", {}, "() "),
    "uniform": ("0.0 * t", {}, "pos() "),
    "gamma": ("(a - 1.0) / t - 1.0", {"a": "np.log(t) - special.digamma(a)"}, "pos()+0.5 pos() "),
    "invgamma": ("(1.0 / t - a - 1.0) / t", {"a": "-np.log(t) - special.digamma(a)"}, "pos()+0.5 pos() "),
    "chi2": ("(0.5 * df - 1.0) / t - 0.5", {"df": "0.5 * (np.log(0.5 * t) - special.digamma(0.5 * df))"},
             "pos()+0.5 pos() "),
    "t": ("-(df + 1.0) * t / (df + t * t)",
          {"df": "0.5 * (special.digamma(0.5 * (df + 1.0)) - special.digamma(0.5 * df) - 1.0 / df"
                 " - np.log1p(t * t / df) + (df + 1.0) * t * t / (df * (df + t * t)))"}, "() pos() "),
    "beta": ("special.xlogy(0.0, t) + (a - 1.0) / t - (b - 1.0) / (1.0 - t)",
             {"a": "np.log(t) - special.digamma(a) + special.digamma(a + b)",
              "b": "np.log1p(-t) - special.digamma(b) + special.digamma(a + b)"}, "unit() pos() pos() "),
    "lognorm": ("-(1.0 + np.log(t) / (s * s)) / t", {"s": "(np.log(t) * np.log(t) / (s * s) - 1.0) / s"},
                "pos()+0.5 pos() "),
    "pareto": ("-(b + 1.0) / t", {"b": "1.0 / b - np.log(t)"}, "pos()+2.5 pos() "),
    "weibull_min": ("(c - 1.0 - c * t**c) / t", {"c": "1.0 / c + np.log(t) * (1.0 - t**c)"}, "pos()+0.5 pos() "),
    "gennorm": ("-beta * np.abs(t) ** (beta - 1.0) * np.sign(t)",
                {"beta": "1.0 / beta + special.digamma(1.0 / beta) / (beta * beta)"
                         " - special.xlogy(np.abs(t) ** beta, np.abs(t))"}, "pos()+0.5 pos()+1 "),
    "vonmises": ("-kappa * np.sin(t)", {"kappa": "np.cos(t) - special.i1e(kappa) / special.i0e(kappa)"}, "() pos() "),
    "wrapcauchy": ("-2.0 * c * np.sin(t) / (1.0 + c * c - 2.0 * c * np.cos(t))",
                   {"c": "-2.0 * c / (1.0 - c * c) - 2.0 * (c - np.cos(t)) / (1.0 + c * c - 2.0 * c * np.cos(t))"},
                   "pos() unit() "),
    "truncnorm": ("-t", {"a": "normal_share(a, a, b)", "b": "-normal_share(b, a, b)"}, None),
    "f": ("(0.5 * dfn - 1.0) / t - 0.5 * (dfn + dfd) * dfn / (dfd + dfn * t)",
          {"dfn": "0.5 * (np.log(dfn * t / (dfd + dfn * t)) + 1.0 - (dfn + dfd) * t / (dfd + dfn * t)"
                  " - special.digamma(0.5 * dfn) + special.digamma(0.5 * (dfn + dfd)))",
           "dfd": "0.5 * (np.log(dfd / (dfd + dfn * t)) + 1.0 - (dfn + dfd) / (dfd + dfn * t)"
                  " - special.digamma(0.5 * dfd) + special.digamma(0.5 * (dfn + dfd)))"},
          "pos()+0.5 pos() pos() "),
}
