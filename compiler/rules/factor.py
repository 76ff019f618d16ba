"""Solving, inverses, determinants, factorisations, norms.

M. B. Giles, An extended collection of matrix derivative results (2008), and I. Murray,
Differentiation of the Cholesky decomposition (2016). Rules of functions that read one triangle give
the symmetric adjoint.
"""

import numpy as np

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import divide_or_zero, restore, unbroadcast
from pullback.runtime.linalg import (
    adjointed,
    cholesky_adjoint,
    cofactors,
    hermitian,
    lower_half,
    norm_slope,
    vector_norm_slope,
)


@rule(np.linalg.solve, cases=[
    "spd(3,3) (3,)", "spd(3,3) (3,2)", "spd(2,3,3) (2,3,1)", "spd(2,3,3) (3,2)", "spd(2,3,3) (3,)",
    "reg(3,3) (3,)", "complex(3,3) complex(3,2)", "spd(3,3) (2,3,1)",
])
def _(a, b):
    x = np.linalg.solve(a, b)

    if b.ndim == 1 and a.ndim > 2:           # one vector, a stack of matrices
        x_dot = np.linalg.solve(a, b_dot[:, None] - a_dot @ x[..., None])[..., 0]
    else:
        x_dot = np.linalg.solve(a, b_dot - a_dot @ x)

    if a.ndim == 2 and b.ndim == 1:
        s = np.linalg.solve(a.T, x_bar)
        b_bar += s
        a_bar += -np.outer(s, x)
    elif a.ndim == 2 and b.ndim == 2:
        s = np.linalg.solve(a.T, x_bar)
        b_bar += s
        a_bar += -s @ x.T
    elif b.ndim == 1:
        s = np.linalg.solve(np.matrix_transpose(a), x_bar[..., None])
        b_bar += unbroadcast(s[..., 0], np.shape(b))
        a_bar += -s * x[..., None, :]
    else:
        s = np.linalg.solve(np.matrix_transpose(a), x_bar)
        b_bar += unbroadcast(s, np.shape(b))
        a_bar += unbroadcast(-s @ np.matrix_transpose(x), np.shape(a))


@rule(np.linalg.inv, cases=["spd(3,3)", "reg(2,3,3)", "complex(3,3)"])
def _(a):
    y = np.linalg.inv(a)

    y_dot = -y @ a_dot @ y

    if a.ndim == 2:
        a_bar += -y.T @ y_bar @ y.T
    else:
        a_bar += -np.matrix_transpose(y) @ y_bar @ np.matrix_transpose(y)


@rule(np.linalg.det, cases=["spd(3,3)", "spd(2,3,3)", "(3,3)"])
def _(a):
    y = np.linalg.det(a)

    y_dot = np.sum(cofactors(a) * a_dot, axis=(-2, -1))

    if a.ndim == 2:
        a_bar += y_bar * cofactors(a)
    else:
        a_bar += y_bar[..., None, None] * cofactors(a)


@rule(np.linalg.slogdet, cases=["spd(3,3)", "reg(2,3,3)"])
def _(a):
    sign, logdet = np.linalg.slogdet(a)

    sign_dot = np.zeros_like(sign)
    logdet_dot = np.trace(np.linalg.solve(a, a_dot), axis1=-2, axis2=-1)

    if a.ndim == 2:
        a_bar += logdet_bar * np.linalg.inv(a).T
    else:
        a_bar += logdet_bar[..., None, None] * np.matrix_transpose(np.linalg.inv(a))


@rule(np.linalg.cholesky, conjugates=True, cases=[
    "spd(3,3)", "spd(2,3,3)", "spd(100,100)", "spd(2,50,50)", "hpd(3,3)", "hpd(2,50,50)",
])
def _(a, *, upper=False):
    L = np.linalg.cholesky(a)

    inverse = np.linalg.inv(L)
    L_dot = L @ lower_half(inverse @ hermitian(a_dot) @ adjointed(inverse))

    a_bar += cholesky_adjoint(L_bar, L)


@rule(np.linalg.cholesky, when={"upper": True}, conjugates=True, cases=["spd(3,3) upper=True", "hpd(2,3,3) upper=True"])
def _(a, *, upper=False):
    U = np.linalg.cholesky(a, upper=upper)

    inverse = np.linalg.inv(U)
    U_dot = adjointed(lower_half(adjointed(inverse) @ hermitian(a_dot) @ inverse)) @ U

    a_bar += cholesky_adjoint(adjointed(U_bar), adjointed(U))


@rule(np.linalg.norm, singular=True, conjugates=True, cases=[
    "(3,)", "(2,3)", "(2,3) axis=1", "(2,3) axis=0 keepdims=True", "(3,) ord=1", "(3,) ord=inf",
    "(3,) ord=-inf", "(3,) ord=3", "(3,) ord=2", "(2,3) ord='fro'", "(2,3) ord='nuc'",
    "(2,3) ord=2", "(2,3) ord=-2", "(2,3) ord=1", "(2,3) ord=inf", "(2,3) ord=-1",
    "(2,3,4) ord='fro' axis=(0,2)", "(2,3,4) ord=2 axis=(2,1) keepdims=True",
    "(2,3,4) ord=1 axis=(0,1)", "(2,3) ord=1 axis=1", "(2,3,4)", "(3,) ord=2.5",
    "(2,3) keepdims=True", "(2,3) ord='nuc' keepdims=True",
])
def _(x, ord=None, axis=None, keepdims=False):
    n = np.linalg.norm(x, ord, axis, keepdims)

    n_dot = np.sum(np.real(np.conjugate(norm_slope(x, ord, axis)) * x_dot), axis, keepdims=keepdims)

    if ord is None:
        x_bar += restore(divide_or_zero(n_bar, n), axis, keepdims) * x
    else:
        x_bar += restore(n_bar, axis, keepdims) * norm_slope(x, ord, axis)


@rule(np.linalg.vector_norm, singular=True, conjugates=True, cases=[
    "(3,)", "(2,3)", "(2,3) axis=1", "(2,3) axis=0 keepdims=True", "(2,3) axis=1 ord=1",
    "(3,) ord=3", "(2,3) ord=inf axis=0", "(2,3,4) axis=(0,2)",
])
def _(x, *, axis=None, keepdims=False, ord=2):
    n = np.linalg.vector_norm(x, axis=axis, keepdims=keepdims, ord=ord)

    n_dot = np.sum(np.real(np.conjugate(vector_norm_slope(x, axis, ord)) * x_dot), axis, keepdims=keepdims)

    x_bar += restore(n_bar, axis, keepdims) * vector_norm_slope(x, axis, ord)


@rule(np.linalg.matrix_norm, singular=True, conjugates=True,
      cases=["(2,3)", "(4,2,3)", "(2,3) ord='nuc'", "(4,2,3) ord=2", "(2,3) ord=1 keepdims=True"])
def _(x, *, keepdims=False, ord="fro"):
    n = np.linalg.matrix_norm(x, keepdims=keepdims, ord=ord)

    n_dot = np.sum(np.real(np.conjugate(norm_slope(x, ord, (-2, -1))) * x_dot), (-2, -1), keepdims=keepdims)

    x_bar += restore(n_bar, (-2, -1), keepdims) * norm_slope(x, ord, (-2, -1))
