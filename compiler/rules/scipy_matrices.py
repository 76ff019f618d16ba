"""scipy.linalg: matrix functions and structured matrices.

A matrix function f has the derivative f([[a, e], [0, a]])[0, 1] along e (N. Higham, Functions of
Matrices, 3.2), and its adjoint is that derivative at the transpose.
"""

import numpy as np
from scipy import linalg

from pullback.compiler.rules.language import rule
from pullback.runtime.structured import (
    block_part,
    frechet,
    hankel_adjoint,
    toeplitz_adjoint,
)

# --------------------------------------------------------------------------------- matrix functions


@rule(linalg.expm, rank=2, cases=["(3,3)"])
def _(A):
    y = linalg.expm(A)

    y_dot = linalg.expm_frechet(A, A_dot, compute_expm=False)

    A_bar += linalg.expm_frechet(A.T, y_bar, compute_expm=False)


@rule(linalg.sqrtm, rank=2, cases=["spd(3,3)"])
def _(A):
    y = linalg.sqrtm(A)

    y_dot = linalg.solve_sylvester(y, y, A_dot)

    A_bar += linalg.solve_sylvester(y.T, y.T, y_bar)


@rule(linalg.logm, rank=2, cases=["spd(3,3)"])
def _(A):
    y = linalg.logm(A)

    y_dot = frechet(linalg.logm, A, A_dot)

    A_bar += frechet(linalg.logm, A.T, y_bar)


@rule(linalg.sinm, rank=2, cases=["(3,3)"])
def _(A):
    y = linalg.sinm(A)

    y_dot = frechet(linalg.sinm, A, A_dot)

    A_bar += frechet(linalg.sinm, A.T, y_bar)


@rule(linalg.cosm, rank=2, cases=["(3,3)"])
def _(A):
    y = linalg.cosm(A)

    y_dot = frechet(linalg.cosm, A, A_dot)

    A_bar += frechet(linalg.cosm, A.T, y_bar)


@rule(linalg.fractional_matrix_power, rank=2, cases=["spd(3,3) 0.3"])
def _(A, t):
    y = linalg.fractional_matrix_power(A, t)

    y_dot = frechet(lambda m: linalg.fractional_matrix_power(m, t), A, A_dot)

    A_bar += frechet(lambda m: linalg.fractional_matrix_power(m, t), A.T, y_bar)


# ------------------------------------------------------------------------------ structured matrices


@rule(linalg.toeplitz, real=True, rank=1, cases=["(3,)", "(3,) (4,)"])
def _(c, r=None):
    y = linalg.toeplitz(c, r)

    y_dot = linalg.toeplitz(c_dot, r_dot if r is not None else None)

    if r is None:
        c_bar += toeplitz_adjoint(y_bar, True, True)
    else:
        c_bar += toeplitz_adjoint(y_bar, True, False)
        r_bar += toeplitz_adjoint(y_bar, False, True)


@rule(linalg.hankel, rank=1, cases=["(3,)", "(3,) (4,)"])
def _(c, r=None):
    y = linalg.hankel(c, r)

    y_dot = linalg.hankel(c_dot, r_dot if r is not None else None)

    c_bar += hankel_adjoint(y_bar)[:len(c)]
    if r is not None:
        r_bar += np.append(0.0, hankel_adjoint(y_bar)[len(c):])


@rule(linalg.circulant, rank=1, cases=["(4,)"])
def _(c):
    y = linalg.circulant(c)

    y_dot = linalg.circulant(c_dot)

    c_bar += np.sum(
        np.take_along_axis(y_bar, linalg.circulant(np.arange(len(c))).argsort(axis=0), 0), axis=1
    )


@rule(linalg.block_diag, rank=2, cases=["(2,3) (3,1)", "(2,2) (3,) ()"])
def _(*arrs):
    y = linalg.block_diag(*arrs)

    y_dot = linalg.block_diag(*arrs_dot)

    for k in range(len(arrs)):
        arrs_bar[k] += block_part(y_bar, arrs, k)


@rule(linalg.khatri_rao, rank=2, cases=["(2,3) (4,3)"])
def _(a, b):
    c = linalg.khatri_rao(a, b)

    c_dot = linalg.khatri_rao(a_dot, b) + linalg.khatri_rao(a, b_dot)

    a_bar += np.einsum("ijk,jk->ik", np.reshape(c_bar, (len(a), len(b), -1)), b)
    b_bar += np.einsum("ijk,ik->jk", np.reshape(c_bar, (len(a), len(b), -1)), a)
