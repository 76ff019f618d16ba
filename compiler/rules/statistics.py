"""Statistics: averages, quantiles, covariances, and the reductions that skip nan (0 at the entries
skipped)."""

import numpy as np

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import beyond_rounding, count, divide_or_zero, expand, restore
from pullback.runtime.reductions import (
    along,
    cumprod_adjoint,
    cumprod_tangent,
    extremum_shares,
    freedom,
    products_of_others,
    quantile_adjoint,
    quantile_tangent,
    reverse_cumsum,
    rows_of,
    unit_rows,
    unit_rows_tangent,
    weights_adjoint,
)


@rule(np.average, cases=[
    "(3,)", "(2,3) axis=0", "(3,) weights=pos(3,)", "(2,3) axis=1 weights=pos(3,)",
    "(2,3) weights=pos(2,3)", "(2,3) axis=0 weights=pos(2,3)", "(2,3) axis=1 keepdims=True",
])
def _(a, axis=None, weights=None, returned=False, *, keepdims=False):
    y = np.average(a, axis, weights, returned, keepdims=keepdims)

    if weights is None:
        y_dot = np.mean(a_dot, axis, keepdims=keepdims)
    else:
        w = along(weights, a, axis)
        w_dot = along(weights_dot, a, axis)
        y_dot = (np.sum(w * a_dot, axis, keepdims=keepdims)
                 + np.sum(w_dot * (a - restore(y, axis, keepdims)), axis, keepdims=keepdims)
                 ) / np.sum(w, axis, keepdims=keepdims)

    if weights is None:
        a_bar += expand(y_bar / count(np.shape(a), axis), np.shape(a), axis, keepdims)
    else:
        w = along(weights, a, axis)
        share = restore(y_bar, axis, keepdims) / np.sum(w, axis, keepdims=axis is not None)
        a_bar += share * w
        weights_bar += weights_adjoint(
            share * (a - restore(y, axis, keepdims)), np.shape(weights), axis
        )


@rule(np.average, when={"returned": True}, cases=[
    "(2,3) axis=0 returned=True", "(2,3) axis=1 weights=pos(3,) returned=True", "(2,3) weights=pos(2,3) returned=True",
    "(2,3) axis=1 weights=pos(2,3) returned=True keepdims=True",
])
def _(a, axis=None, weights=None, returned=False, *, keepdims=False):
    y, total = np.average(a, axis, weights, returned, keepdims=keepdims)

    w_dot = np.broadcast_to(along(weights_dot, a, axis), np.shape(a))
    moved = along(weights, a, axis) * a_dot + w_dot * (a - restore(y, axis, keepdims))
    y_dot = np.sum(moved, axis, keepdims=keepdims) / total
    total_dot = np.sum(w_dot, axis, keepdims=keepdims)

    share = restore(y_bar / total, axis, keepdims)
    a_bar += share * along(weights, a, axis)
    weights_bar += weights_adjoint(share * (a - restore(y, axis, keepdims)), np.shape(weights), axis)
    weights_bar += weights_adjoint(expand(total_bar, np.shape(a), axis, keepdims), np.shape(weights), axis)


# ---------------------------------------------------------------------------------------- quantiles


@rule(np.quantile, cases=[
    "(5,) 0.3", "(2,5) 0.5 axis=1", "(2,5) 0.25 axis=0 keepdims=True", "(2,5) 0.8",
    "(5,) [0.25,0.5,0.9]", "(2,5) [0.1,0.6] axis=1", "(4,) 0.4 method='lower'",
    "(4,) 0.4 method='higher'", "(4,) 0.4 method='midpoint'", "(4,) 0.45 method='nearest'",
    "(4,) 1.0", "(4,) 0.0", "(5,) 0.3 method='hazen'", "(2,5) 0.4 axis=1 method='median_unbiased'",
])
def _(a, q, axis=None, *, method="linear", keepdims=False):
    y = np.quantile(a, q, axis, method=method, keepdims=keepdims)

    y_dot = quantile_tangent(a_dot, a, q, axis, keepdims, method)

    a_bar += quantile_adjoint(y_bar, a, q, axis, keepdims, method)


@rule(np.percentile, cases=[
    "(5,) 30", "(2,5) 50.0 axis=1", "(2,5) 25 axis=0 keepdims=True", "(5,) [25,50,90]",
])
def _(a, q, axis=None, *, method="linear", keepdims=False):
    y = np.percentile(a, q, axis, method=method, keepdims=keepdims)

    y_dot = quantile_tangent(a_dot, a, np.true_divide(q, 100.0), axis, keepdims, method)

    a_bar += quantile_adjoint(y_bar, a, np.true_divide(q, 100.0), axis, keepdims, method)


@rule(np.nanquantile, cases=["(5,) 0.3", "hole(2,5) 0.4 axis=1", "hole(2,5) [0.1,0.6]"])
def _(a, q, axis=None, *, method="linear", keepdims=False):
    y = np.nanquantile(a, q, axis, method=method, keepdims=keepdims)

    y_dot = quantile_tangent(a_dot, a, q, axis, keepdims, method)

    a_bar += quantile_adjoint(y_bar, a, q, axis, keepdims, method)


@rule(np.nanpercentile, cases=["(5,) 30", "hole(2,5) 40 axis=1"])
def _(a, q, axis=None, *, method="linear", keepdims=False):
    y = np.nanpercentile(a, q, axis, method=method, keepdims=keepdims)

    y_dot = quantile_tangent(a_dot, a, np.true_divide(q, 100.0), axis, keepdims, method)

    a_bar += quantile_adjoint(y_bar, a, np.true_divide(q, 100.0), axis, keepdims, method)


@rule(np.nanmedian, cases=[
    "(5,)", "hole(2,5) axis=1", "hole(2,5)", "hole(2,5) axis=1 keepdims=True",
])
def _(a, axis=None, *, keepdims=False):
    y = np.nanmedian(a, axis, keepdims=keepdims)

    y_dot = quantile_tangent(a_dot, a, 0.5, axis, keepdims)

    a_bar += quantile_adjoint(y_bar, a, 0.5, axis, keepdims)


# -------------------------------------------------------------------------------------- nan skipped


@rule(np.nansum, cases=["hole(2,3)", "hole(2,3) axis=0", "hole(2,3) axis=1 keepdims=True", "(3,)"])
def _(a, axis=None, dtype=None, *, keepdims=False):
    y = np.nansum(a, axis, dtype, keepdims=keepdims)

    y_dot = np.sum(np.where(np.isnan(a), 0.0, a_dot), axis, keepdims=keepdims)

    a_bar += np.where(np.isnan(a), 0.0, restore(y_bar, axis, keepdims))


@rule(np.nanmean, cases=["hole(2,5)", "hole(2,5) axis=0", "hole(2,5) axis=1 keepdims=True", "(3,)"])
def _(a, axis=None, dtype=None, *, keepdims=False):
    y = np.nanmean(a, axis, dtype, keepdims=keepdims)

    y_dot = np.mean(a_dot, axis, keepdims=keepdims, where=~np.isnan(a))

    n = np.sum(~np.isnan(a), axis, keepdims=keepdims)
    a_bar += np.where(np.isnan(a), 0.0, restore(divide_or_zero(y_bar, n), axis, keepdims))


@rule(np.nanprod, cases=["hole(2,5)", "hole(2,5) axis=0", "hole(2,5) axis=1 keepdims=True"])
def _(a, axis=None, dtype=None, *, keepdims=False):
    y = np.nanprod(a, axis, dtype, keepdims=keepdims)

    others = np.where(np.isnan(a), 0.0, products_of_others(np.where(np.isnan(a), 1.0, a), axis))
    y_dot = np.sum(others * a_dot, axis, keepdims=keepdims)

    others = np.where(np.isnan(a), 0.0, products_of_others(np.where(np.isnan(a), 1.0, a), axis))
    a_bar += restore(y_bar, axis, keepdims) * others


@rule(np.nanmax, cases=["hole(2,5)", "hole(2,5) axis=1", "hole(2,5) axis=1 keepdims=True"])
def _(a, axis=None, *, keepdims=False):
    y = np.nanmax(a, axis, keepdims=keepdims)

    y_dot = np.sum(extremum_shares(a, y, axis, keepdims) * a_dot, axis, keepdims=keepdims)

    a_bar += restore(y_bar, axis, keepdims) * extremum_shares(a, y, axis, keepdims)


@rule(np.nanmin, cases=["hole(2,5)", "hole(2,5) axis=1", "hole(2,5) axis=1 keepdims=True"])
def _(a, axis=None, *, keepdims=False):
    y = np.nanmin(a, axis, keepdims=keepdims)

    y_dot = np.sum(extremum_shares(a, y, axis, keepdims) * a_dot, axis, keepdims=keepdims)

    a_bar += restore(y_bar, axis, keepdims) * extremum_shares(a, y, axis, keepdims)


@rule(np.nanvar, cases=["hole(2,5)", "hole(2,5) axis=1 ddof=1", "hole(2,5) axis=0 keepdims=True"])
def _(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    y = np.nanvar(a, axis, dtype, ddof=ddof, keepdims=keepdims)

    deviation = np.where(np.isnan(a), 0.0, a - np.nanmean(a, axis, keepdims=True))
    n = np.sum(~np.isnan(a), axis, keepdims=keepdims) - ddof
    y_dot = 2.0 / n * np.sum(deviation * a_dot, axis, keepdims=keepdims)

    deviation = np.where(np.isnan(a), 0.0, a - np.nanmean(a, axis, keepdims=True))
    n = np.sum(~np.isnan(a), axis, keepdims=keepdims) - ddof
    a_bar += restore(2.0 / n * y_bar, axis, keepdims) * deviation


@rule(np.nanstd, cases=["hole(2,5)", "hole(2,5) axis=1 ddof=1", "hole(2,5) axis=0 keepdims=True"])
def _(a, axis=None, dtype=None, *, ddof=0, keepdims=False):
    y = np.nanstd(a, axis, dtype, ddof=ddof, keepdims=keepdims)

    mean = np.nanmean(a, axis, keepdims=True)
    n = np.sum(~np.isnan(a), axis, keepdims=True) - ddof
    slope = divide_or_zero(np.where(np.isnan(a), 0.0, a - mean), n * beyond_rounding(restore(y, axis, keepdims), mean))
    y_dot = np.sum(slope * a_dot, axis, keepdims=keepdims)

    mean = np.nanmean(a, axis, keepdims=True)
    n = np.sum(~np.isnan(a), axis, keepdims=True) - ddof
    slope = divide_or_zero(restore(y_bar, axis, keepdims), n * beyond_rounding(restore(y, axis, keepdims), mean))
    a_bar += slope * np.where(np.isnan(a), 0.0, a - mean)


@rule(np.nancumsum, cases=["hole(5,)", "hole(2,5)", "hole(2,5) axis=1"])
def _(a, axis=None, dtype=None):
    y = np.nancumsum(a, axis, dtype)

    y_dot = np.cumsum(np.where(np.isnan(a), 0.0, a_dot), axis)

    a_bar += np.where(np.isnan(a), 0.0, reverse_cumsum(y_bar, np.shape(a), axis))


@rule(np.nancumprod, cases=["hole(5,)", "hole(2,5)", "hole(2,5) axis=1"])
def _(a, axis=None, dtype=None):
    y = np.nancumprod(a, axis, dtype)

    y_dot = cumprod_tangent(np.where(np.isnan(a), 1.0, a), np.where(np.isnan(a), 0.0, a_dot), axis)

    a_bar += np.where(np.isnan(a), 0.0, cumprod_adjoint(y_bar, np.where(np.isnan(a), 1.0, a), axis))


# --------------------------------------------------------------------------------------- covariance


@rule(np.cov, real=True, cases=["(2,5)", "(5,)", "(5,3) rowvar=False", "(2,5) bias=True", "(2,5) ddof=0"])
def _(m, *, rowvar=True, bias=False, ddof=None):
    c = np.cov(m, rowvar=rowvar, bias=bias, ddof=ddof)

    rows = rows_of(m, rowvar)
    deviation = rows - np.mean(rows, 1, keepdims=True)
    half = deviation @ rows_of(m_dot, rowvar).T / (rows.shape[1] - freedom(bias, ddof))
    c_dot = np.reshape(half + half.T, np.shape(c))

    rows = rows_of(m, rowvar)
    deviation = rows - np.mean(rows, 1, keepdims=True)
    sides = np.reshape(c_bar, (len(rows), len(rows)))
    slope = (sides + sides.T) @ deviation / (rows.shape[1] - freedom(bias, ddof))
    m_bar += np.reshape(slope if rowvar or np.ndim(m) == 1 else slope.T, np.shape(m))


@rule(np.corrcoef, real=True, cases=["(2,5)", "(3,6)", "(5,3) rowvar=False"])
def _(x, *, rowvar=True):
    c = np.corrcoef(x, rowvar=rowvar)

    units = unit_rows(rows_of(x, rowvar))
    u_dot = unit_rows_tangent(rows_of(x, rowvar), rows_of(x_dot, rowvar))
    half = u_dot @ units.T
    c_dot = np.reshape(half + half.T, np.shape(c))

    units = unit_rows(rows_of(x, rowvar))
    sides = np.reshape(c_bar, (len(units), len(units)))
    slope = unit_rows_tangent(rows_of(x, rowvar), (sides + sides.T) @ units)  # a symmetric map
    x_bar += np.reshape(slope if rowvar or np.ndim(x) == 1 else slope.T, np.shape(x))
