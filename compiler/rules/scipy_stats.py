"""scipy.stats distributions, from one table: the slopes of each standard log density.

For a density f(t, shapes), t = (x - loc) / scale, everything else follows: the partials of logpdf
are s / scale, -s / scale and -(1 + t s) / scale, where s is the slope of log f; pdf multiplies them
by itself; the slope of cdf is the pdf. Distribution functions have no closed slope in a shape;
`difference_slope` takes it. The rules are the templates below, with a distribution's name and
slopes filled in.
"""

import linecache

import numpy as np
from scipy import special, stats  # noqa: F401  (the templates name these, and more of what follows)

from pullback.compiler.rules.language import elementwise, rule  # noqa: F401
from pullback.runtime.arrays import unbroadcast
from pullback.runtime.special import (  # noqa: F401
    difference_slope,
    normal_covariance_adjoint,
    normal_score,
    normal_share,
    normal_tangent,
)

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
    "uniform": ("0.0 * t", {}, "unit() "),
    "gamma": ("(a - 1.0) / t - 1.0", {"a": "np.log(t) - special.digamma(a)"}, "pos()+0.5 pos() "),
    "invgamma": (
        "(1.0 / t - a - 1.0) / t",
        {"a": "-np.log(t) - special.digamma(a)"},
        "pos()+0.5 pos() ",
    ),
    "chi2": (
        "(0.5 * df - 1.0) / t - 0.5",
        {"df": "0.5 * (np.log(0.5 * t) - special.digamma(0.5 * df))"},
        "pos()+0.5 pos() ",
    ),
    "t": (
        "-(df + 1.0) * t / (df + t * t)",
        {
            "df": "0.5 * (special.digamma(0.5 * (df + 1.0)) - special.digamma(0.5 * df) - 1.0 / df"
            " - np.log1p(t * t / df) + (df + 1.0) * t * t / (df * (df + t * t)))"
        },
        "() pos() ",
    ),
    "beta": (
        "(a - 1.0) / t - (b - 1.0) / (1.0 - t)",
        {
            "a": "np.log(t) - special.digamma(a) + special.digamma(a + b)",
            "b": "np.log1p(-t) - special.digamma(b) + special.digamma(a + b)",
        },
        "unit() pos() pos() ",
    ),
    "lognorm": (
        "-(1.0 + np.log(t) / (s * s)) / t",
        {"s": "(np.log(t) * np.log(t) / (s * s) - 1.0) / s"},
        "pos()+0.5 pos() ",
    ),
    "pareto": ("-(b + 1.0) / t", {"b": "1.0 / b - np.log(t)"}, "pos()+2.5 pos() "),
    "weibull_min": (
        "(c - 1.0 - c * t**c) / t",
        {"c": "1.0 / c + np.log(t) * (1.0 - t**c)"},
        "pos()+0.5 pos() ",
    ),
    "gennorm": (
        "-beta * np.abs(t) ** (beta - 1.0) * np.sign(t)",
        {
            "beta": "1.0 / beta + special.digamma(1.0 / beta) / (beta * beta)"
            " - special.xlogy(np.abs(t) ** beta, np.abs(t))"
        },
        "pos()+0.5 pos()+1 ",
    ),
    "vonmises": (
        "-kappa * np.sin(t)",
        {"kappa": "np.cos(t) - special.i1e(kappa) / special.i0e(kappa)"},
        "() pos() ",
    ),
    "wrapcauchy": (
        "-2.0 * c * np.sin(t) / (1.0 + c * c - 2.0 * c * np.cos(t))",
        {
            "c": "-2.0 * c / (1.0 - c * c)"
            " - 2.0 * (c - np.cos(t)) / (1.0 + c * c - 2.0 * c * np.cos(t))"
        },
        "unit() unit() ",
    ),
    "truncnorm": (
        "-t",
        {"a": "normal_share(a, a, b)", "b": "-normal_share(b, a, b)"},
        "unit() -1.5 pos()+1 ",
    ),
    "f": (
        "(0.5 * dfn - 1.0) / t - 0.5 * (dfn + dfd) * dfn / (dfd + dfn * t)",
        {
            "dfn": "0.5 * (np.log(dfn * t / (dfd + dfn * t)) + 1.0 - (dfn + dfd) * t / (dfd + dfn * t)"
            " - special.digamma(0.5 * dfn) + special.digamma(0.5 * (dfn + dfd)))",
            "dfd": "0.5 * (np.log(dfd / (dfd + dfn * t)) + 1.0 - (dfn + dfd) / (dfd + dfn * t)"
            " - special.digamma(0.5 * dfd) + special.digamma(0.5 * (dfn + dfd)))",
        },
        "pos()+0.5 pos() pos() ",
    ),
}

BOUNDED = ("beta", "truncnorm", "uniform", "wrapcauchy")  # cases stay inside

# log probability of k, its slope in each parameter; then cases of k and the parameters
DISCRETE = {
    "poisson": ({"mu": "k / mu - 1.0"}, "array([0,1,3]) pos(3,)"),
    "bernoulli": ({"p": "k / p - (1.0 - k) / (1.0 - p)"}, "array([0,0,0]) unit(3,)"),
    "binom": ({"n": None, "p": "k / p - (n - k) / (1.0 - p)"}, "array([0,1,3]) 4 unit(3,)"),
    "geom": ({"p": "1.0 / p - (k - 1.0) / (1.0 - p)"}, "array([1,2,4]) unit(3,)"),
    "nbinom": (
        {
            "n": "special.digamma(k + n) - special.digamma(n) + np.log(p)",
            "p": "n / p - k / (1.0 - p)",
        },
        "array([0,1,3]) pos(3,) unit(3,)",
    ),
}

LOG_DENSITY = """
@rule(stats.{d}.{method}, singular=True, cases={cases})
def _(x, {shapes}loc=0.0, scale=1.0):
    z = stats.{d}.{method}(x, {shapes}loc, scale)

    t = (x - loc) / scale
    inside = np.isfinite(stats.{d}.logpdf(x, {shapes}loc, scale))
    slope = np.where(inside, {slope}, 0.0){times}
    z_dot = (slope * (x_dot - loc_dot) - ({one} + t * slope) * scale_dot) / scale
{shape_dots}
    t = (x - loc) / scale
    inside = np.isfinite(stats.{d}.logpdf(x, {shapes}loc, scale))
    slope = np.where(inside, {slope}, 0.0){times}
    x_bar += unbroadcast(z_bar * slope / scale, np.shape(x))
{shape_bars}
    loc_bar += unbroadcast(-z_bar * slope / scale, np.shape(loc))
    scale_bar += unbroadcast(-z_bar * ({one} + t * slope) / scale, np.shape(scale))
"""

SHAPE_DOT = "    z_dot = z_dot + np.where(inside, {slope}, 0.0){times} * {name}_dot\n"
SHAPE_BAR = "    {name}_bar += unbroadcast(z_bar * np.where(inside, {slope}, 0.0){times}, np.shape({name}))\n"

DISTRIBUTION = """
@rule(stats.{d}.{method}, singular=True, cases={cases})
def _(x, {shapes}loc=0.0, scale=1.0):
    z = stats.{d}.{method}(x, {shapes}loc, scale)

    slope = {slope}
    z_dot = slope * (x_dot - loc_dot - (x - loc) / scale * scale_dot)
{shape_dots}
    slope = {slope}
    x_bar += unbroadcast(z_bar * slope, np.shape(x))
{shape_bars}
    loc_bar += unbroadcast(-z_bar * slope, np.shape(loc))
    scale_bar += unbroadcast(-z_bar * slope * (x - loc) / scale, np.shape(scale))
"""

QUANTILE = """
@rule(stats.{d}.{method}, singular=True, cases={cases})
def _(q, {shapes}loc=0.0, scale=1.0):
    z = stats.{d}.{method}(q, {shapes}loc, scale)

    density = stats.{d}.pdf(z, {shapes}loc, scale)
    z_dot = {sign}q_dot / density + loc_dot + (z - loc) / scale * scale_dot
{shape_dots}
    density = stats.{d}.pdf(z, {shapes}loc, scale)
    q_bar += unbroadcast({sign}z_bar / density, np.shape(q))
{shape_bars}
    loc_bar += unbroadcast(z_bar, np.shape(loc))
    scale_bar += unbroadcast(z_bar * (z - loc) / scale, np.shape(scale))
"""

PROBABILITY = """
@elementwise(stats.{d}.{method}, singular=True, cases={cases})
def _(k, {names}, *, z):
    return None, {partials}
"""

SLOPE_OF = {
    "cdf": "stats.{d}.pdf({a})",
    "sf": "-stats.{d}.pdf({a})",
    "logcdf": "np.exp(stats.{d}.logpdf({a}) - z)",
    "logsf": "-np.exp(stats.{d}.logpdf({a}) - z)",
}


def continuous_rules(d: str) -> str:
    """The text of the rules of one continuous distribution."""
    slope, by_shape, case = CONTINUOUS[d]
    shapes = "".join(f"{name}, " for name in by_shape)
    column = case.replace("()", "(3,)")
    inner = "unit()+-1 pos()+1.5" if d in BOUNDED else "pos()+-3 pos()"
    cases = repr([column, column + inner])
    text = ""
    for method, times, one in (("logpdf", "", "1.0"), ("pdf", " * z", "z")):
        fill = {
            "d": d,
            "method": method,
            "shapes": shapes,
            "slope": slope,
            "times": times,
            "one": one,
        }
        dots = "".join(SHAPE_DOT.format(name=n, slope=s, times=times) for n, s in by_shape.items())
        bars = "".join(SHAPE_BAR.format(name=n, slope=s, times=times) for n, s in by_shape.items())
        text += LOG_DENSITY.format(cases=cases, shape_dots=dots, shape_bars=bars, **fill)
    for method, template in SLOPE_OF.items():
        arguments = f"x, {shapes}loc, scale"
        parts = {
            n: f"difference_slope(stats.{d}.{method}, {i}, {arguments})"
            for i, n in enumerate(by_shape, 1)
        }
        text += DISTRIBUTION.format(
            d=d,
            method=method,
            shapes=shapes,
            cases=cases,
            slope=template.format(d=d, a=arguments),
            shape_dots="".join(f"    z_dot = z_dot + {p} * {n}_dot\n" for n, p in parts.items()),
            shape_bars="".join(
                f"    {n}_bar += unbroadcast(z_bar * {p}, np.shape({n}))\n"
                for n, p in parts.items()
            ),
        )
    tail = case.split(" ", 1)[1].replace("()", "(3,)")
    for method, sign in (("ppf", ""), ("isf", "-")):
        arguments = f"z, {shapes}loc, scale"
        parts = {
            n: f"-difference_slope(stats.{d}.cdf, {i}, {arguments}) / density"
            for i, n in enumerate(by_shape, 1)
        }
        text += QUANTILE.format(
            d=d,
            method=method,
            shapes=shapes,
            cases=repr(["unit(3,) " + tail, "unit(3,) " + tail + inner]),
            sign=sign,
            shape_dots="".join(f"    z_dot = z_dot + {p} * {n}_dot\n" for n, p in parts.items()),
            shape_bars="".join(
                f"    {n}_bar += unbroadcast(z_bar * ({p}), np.shape({n}))\n"
                for n, p in parts.items()
            ),
        )
    return text


def discrete_rules(d: str) -> str:
    """The text of the rules of one discrete distribution."""
    by_name, case = DISCRETE[d]
    names = ", ".join(by_name)
    text = ""
    for method, times in (("logpmf", ""), ("pmf", " * z")):
        partials = ", ".join("..." if s is None else f"({s}){times}" for s in by_name.values())
        text += PROBABILITY.format(
            d=d, method=method, names=names, partials=partials, cases=repr([case])
        )
    for method in ("cdf", "sf", "logcdf", "logsf"):
        partials = ", ".join(
            "..." if s is None else f"difference_slope(stats.{d}.{method}, {i}, k, {names})"
            for i, (n, s) in enumerate(by_name.items(), 1)
        )
        text += PROBABILITY.format(
            d=d, method=method, names=names, partials=partials, cases=repr([case])
        )
    return text


SOURCE = "".join(map(continuous_rules, CONTINUOUS)) + "".join(map(discrete_rules, DISCRETE))
FILE = "<pullback.compiler.rules.scipy_stats: templates filled in>"
linecache.cache[FILE] = (len(SOURCE), None, SOURCE.splitlines(keepends=True), FILE)
exec(compile(SOURCE, FILE, "exec"), globals())


# -------------------------------------------------------------------------------- several variables


@rule(stats.multivariate_normal.logpdf, cases=[
    "(3,) (3,) spd(3,3)", "(4,3) (3,) spd(3,3)", "(3,)", "(4,2) (2,)",
])
def _(x, mean=None, cov=1):
    z = stats.multivariate_normal.logpdf(x, mean, cov)

    z_dot = normal_tangent(x, x_dot, mean, mean_dot, cov, cov_dot)

    x_bar += np.reshape(-np.expand_dims(z_bar, -1) * normal_score(x, mean, cov), np.shape(x))
    if mean is not None:
        mean_bar += unbroadcast(
            np.expand_dims(z_bar, -1) * normal_score(x, mean, cov), np.shape(mean)
        )
    cov_bar += normal_covariance_adjoint(z_bar, x, mean, cov)


@rule(stats.multivariate_normal.pdf, cases=["(3,) (3,) spd(3,3)", "(4,3) (3,) spd(3,3)"])
def _(x, mean=None, cov=1):
    z = stats.multivariate_normal.pdf(x, mean, cov)

    z_dot = z * normal_tangent(x, x_dot, mean, mean_dot, cov, cov_dot)

    x_bar += np.reshape(-np.expand_dims(z_bar * z, -1) * normal_score(x, mean, cov), np.shape(x))
    if mean is not None:
        mean_bar += unbroadcast(
            np.expand_dims(z_bar * z, -1) * normal_score(x, mean, cov), np.shape(mean)
        )
    cov_bar += normal_covariance_adjoint(z_bar * z, x, mean, cov)
