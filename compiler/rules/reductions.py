"""Reductions and cumulative functions. `restore(bar, axis, keepdims)` puts the reduced axes back at
length 1."""

import numpy as np

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import beyond_rounding, count, divide_or_zero, expand, restore
from pullback.runtime.reductions import (
    between_ends,
    counted_where,
    cumprod_adjoint,
    cumprod_tangent,
    deviations_where,
    diff_adjoint,
    extremum_shares,
    products_of_others,
    quantile_adjoint,
    quantile_tangent,
    reverse_cumsum,
    split_ends,
)


@rule(np.sum, cases=[
    "()", "(3,)", "(2,3) axis=0", "(2,3,4) axis=(0,2) keepdims=True", "(2,3) axis=-1",
    "(2,3) keepdims=True", "(2,3) axis=0 initial=pos()", "(2,3) where=mask(2,3)",
    "(2,3) axis=0 where=mask(3,)",
])
def _(a, axis=None, dtype=None, *, keepdims=False, initial=0, where=True):
    y = np.sum(a, axis, dtype, keepdims=keepdims, initial=initial, where=where)

    y_dot = np.sum(a_dot, axis, keepdims=keepdims, where=where) + initial_dot

    if where is True:
        a_bar += expand(y_bar, np.shape(a), axis, keepdims)
    else:
        a_bar += np.where(where, expand(y_bar, np.shape(a), axis, keepdims), 0.0)
    initial_bar += np.sum(y_bar)


@rule(np.mean, cases=[
    "()", "(3,)", "(2,3) axis=0", "(2,3,4) axis=(0,2) keepdims=True", "(2,3) axis=-1",
    "(2,3) where=mask(2,3)",
])
def _(a, axis=None, dtype=None, *, keepdims=False, where=True):
    y = np.mean(a, axis, dtype, keepdims=keepdims, where=where)

    y_dot = np.mean(a_dot, axis, keepdims=keepdims, where=where)

    if where is True:
        a_bar += expand(y_bar / count(np.shape(a), axis), np.shape(a), axis, keepdims)
    else:
        n = np.sum(np.broadcast_to(where, np.shape(a)), axis, keepdims=keepdims)
        a_bar += np.where(where, expand(y_bar / n, np.shape(a), axis, keepdims), 0.0)


@rule(np.prod, cases=[
    "()", "(3,)", "(2,3) axis=0", "(2,3,4) axis=(0,2) keepdims=True", "(2,3) where=mask(2,3)",
    "(3,) initial=2.0", "(2,3) axis=0 initial=pos()", "(2,3) axis=1 initial=pos() where=mask(2,3)",
])
def _(a, axis=None, dtype=None, *, keepdims=False, initial=1, where=True):
    y = np.prod(a, axis, dtype, keepdims=keepdims, initial=initial, where=where)

    others = products_of_others(np.where(where, a, 1.0), axis)
    if initial == 1:
        y_dot = np.sum(np.where(where, others, 0.0) * a_dot, axis, keepdims=keepdims)
    else:
        y_dot = (
            initial * np.sum(np.where(where, others, 0.0) * a_dot, axis, keepdims=keepdims)
            + np.prod(a, axis, keepdims=keepdims, where=where) * initial_dot
        )

    if where is True and initial == 1:
        a_bar += restore(y_bar, axis, keepdims) * products_of_others(a, axis)
    else:
        others = products_of_others(np.where(where, a, 1.0), axis)
        a_bar += np.where(where, restore(initial * y_bar, axis, keepdims) * others, 0.0)
        initial_bar += np.sum(y_bar * np.prod(a, axis, keepdims=keepdims, where=where))


@rule(np.max, np.amax,
      cases=["()", "(3,)", "(2,3) axis=0", "(2,3,4) axis=(0,2) keepdims=True", "(2,3) axis=-1",
             "(2,3) initial=0.3", "(2,3) axis=1 initial=0.1 where=mask(2,3)"])
def _(a, axis=None, *, keepdims=False, initial=np._NoValue, where=True):
    y = np.max(a, axis, keepdims=keepdims, initial=initial, where=where)

    shares = extremum_shares(a, y, axis, keepdims)
    y_dot = np.sum(np.where(where, shares, 0.0) * a_dot, axis, keepdims=keepdims)

    if where is True:
        a_bar += restore(y_bar, axis, keepdims) * extremum_shares(a, y, axis, keepdims)
    else:
        hits = np.where(where, a, np.nan)
        a_bar += restore(y_bar, axis, keepdims) * extremum_shares(hits, y, axis, keepdims)


@rule(np.min, np.amin,
      cases=["()", "(3,)", "(2,3) axis=0", "(2,3,4) axis=(0,2) keepdims=True", "(2,3) axis=-1",
             "(2,3) initial=0.3", "(2,3) axis=1 initial=0.1 where=mask(2,3)"])
def _(a, axis=None, *, keepdims=False, initial=np._NoValue, where=True):
    y = np.min(a, axis, keepdims=keepdims, initial=initial, where=where)

    shares = extremum_shares(a, y, axis, keepdims)
    y_dot = np.sum(np.where(where, shares, 0.0) * a_dot, axis, keepdims=keepdims)

    if where is True:
        a_bar += restore(y_bar, axis, keepdims) * extremum_shares(a, y, axis, keepdims)
    else:
        hits = np.where(where, a, np.nan)
        a_bar += restore(y_bar, axis, keepdims) * extremum_shares(hits, y, axis, keepdims)


@rule(np.ptp, cases=["(3,)", "(2,3) axis=0", "(2,3) axis=1 keepdims=True"])
def _(a, axis=None, *, keepdims=False):
    y = np.ptp(a, axis, keepdims=keepdims)

    slope = (extremum_shares(a, np.max(a, axis, keepdims=True), axis, True)
             - extremum_shares(a, np.min(a, axis, keepdims=True), axis, True))
    y_dot = np.sum(slope * a_dot, axis, keepdims=keepdims)

    slope = (extremum_shares(a, np.max(a, axis, keepdims=True), axis, True)
             - extremum_shares(a, np.min(a, axis, keepdims=True), axis, True))
    a_bar += restore(y_bar, axis, keepdims) * slope


@rule(np.var, cases=[
    "(3,)", "(2,3) axis=0", "(2,3,4) axis=(0,2) keepdims=True", "(2,3) axis=1 ddof=1",
    "(2,5) axis=1 where=mask(2,5)", "(2,5) ddof=1 where=mask(5,)", "(5,2) axis=0 keepdims=True where=mask(5,1)",
])
def _(a, axis=None, dtype=None, *, ddof=0, keepdims=False, where=True):
    y = np.var(a, axis, dtype, ddof=ddof, keepdims=keepdims, where=where)

    if where is True:
        deviation = a - np.mean(a, axis, keepdims=True)
        y_dot = (
            2.0 / (count(np.shape(a), axis) - ddof) * np.sum(deviation * a_dot, axis, keepdims=keepdims)
        )
    else:
        deviation = deviations_where(a, axis, where)
        y_dot = 2.0 / (counted_where(where, a, axis, keepdims) - ddof) * np.sum(deviation * a_dot, axis, keepdims=keepdims)

    if where is True:
        deviation = a - np.mean(a, axis, keepdims=True)
        a_bar += restore(2.0 / (count(np.shape(a), axis) - ddof) * y_bar, axis, keepdims) * deviation
    else:
        share = 2.0 / (counted_where(where, a, axis, keepdims) - ddof) * y_bar
        a_bar += restore(share, axis, keepdims) * deviations_where(a, axis, where)


@rule(np.std, cases=[
    "(3,)", "(2,3) axis=0", "(2,3,4) axis=(0,2) keepdims=True", "(2,3) axis=1 ddof=1",
    "(2,5) axis=1 where=mask(2,5)", "(2,5) ddof=1 where=mask(5,)", "(5,2) axis=0 keepdims=True where=mask(5,1)",
])
def _(a, axis=None, dtype=None, *, ddof=0, keepdims=False, where=True):
    y = np.std(a, axis, dtype, ddof=ddof, keepdims=keepdims, where=where)

    mean = np.mean(a, axis, keepdims=True, where=where)
    spread = beyond_rounding(restore(y, axis, keepdims), mean)
    if where is True:
        slope = divide_or_zero(a - mean, (count(np.shape(a), axis) - ddof) * spread)
    else:
        slope = divide_or_zero(deviations_where(a, axis, where), (counted_where(where, a, axis, True) - ddof) * spread)
    y_dot = np.sum(slope * a_dot, axis, keepdims=keepdims)

    if where is True:
        mean = np.mean(a, axis, keepdims=True)
        spread = beyond_rounding(restore(y, axis, keepdims), mean)
        slope = divide_or_zero(restore(y_bar, axis, keepdims), (count(np.shape(a), axis) - ddof) * spread)
        a_bar += slope * (a - mean)
    else:
        spread = beyond_rounding(restore(y, axis, keepdims), np.mean(a, axis, keepdims=True, where=where))
        share = divide_or_zero(restore(y_bar, axis, keepdims), (counted_where(where, a, axis, True) - ddof) * spread)
        a_bar += share * deviations_where(a, axis, where)


@rule(np.median, cases=["(3,)", "(4,)", "(2,3) axis=0", "(2,4) axis=1 keepdims=True", "(2,3)",
                        "(2,3,4) axis=(0,2)"])
def _(a, axis=None, *, keepdims=False):
    y = np.median(a, axis, keepdims=keepdims)

    y_dot = quantile_tangent(a_dot, a, 0.5, axis, keepdims)

    a_bar += quantile_adjoint(y_bar, a, 0.5, axis, keepdims)


@rule(np.cumsum, cases=["(3,)", "(2,3)", "(2,3) axis=0", "(2,3,4) axis=-1"])
def _(a, axis=None, dtype=None):
    y = np.cumsum(a, axis, dtype)

    y_dot = np.cumsum(a_dot, axis)

    a_bar += reverse_cumsum(y_bar, np.shape(a), axis)


@rule(np.cumprod, cases=["(3,)", "(2,3)", "(2,3) axis=0", "(2,3,4) axis=-1"])
def _(a, axis=None, dtype=None):
    y = np.cumprod(a, axis, dtype)

    y_dot = cumprod_tangent(a, a_dot, axis)

    a_bar += cumprod_adjoint(y_bar, a, axis)


@rule(np.diff, cases=[
    "(3,)", "(4,) n=2", "(2,3) axis=0", "(2,3,4) axis=1 n=2", "(2,3) n=0", "(3,) prepend=pos()",
    "(2,3) axis=0 append=pos(1,3)", "(2,3) prepend=pos(2,1) append=pos(2,2) n=2",
])
def _(a, n=1, axis=-1, prepend=None, append=None):
    y = np.diff(between_ends(a, axis, prepend, append), n, axis)

    y_dot = np.diff(between_ends(a_dot, axis, prepend_dot if prepend is not None else None,
                                 append_dot if append is not None else None), n, axis)

    if prepend is None and append is None:
        a_bar += diff_adjoint(y_bar, n, axis)
    else:
        parts = split_ends(diff_adjoint(y_bar, n, axis), np.shape(a), axis, prepend, append)
        prepend_bar += parts[0]
        a_bar += parts[1]
        append_bar += parts[2]
