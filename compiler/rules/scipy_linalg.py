"""scipy.linalg: solvers, inverses, factorisations; formulas as in factor.py and spectral.py."""

import numpy as np
from scipy import linalg

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import restore
from pullback.runtime.linalg import cholesky_adjoint, cofactors, norm_slope
from pullback.runtime.spectral import (
    as_columns,
    eigen_gaps,
    off_zero,
    qr_q_adjoint,
    qr_r_adjoint,
    qr_tangent,
    residual_weight,
    singular_left_adjoint,
    singular_right_adjoint,
    singular_tangents,
    singular_values_adjoint,
    singular_values_tangent,
    symmetric,
)
from pullback.runtime.structured import (
    band_of_product,
    banded_product,
    cho_solve_adjoint,
    cholesky_tangent,
    half_of,
    left_over,
    lu_lower_adjoint,
    lu_solve_adjoint,
    lu_tangents,
    lu_upper_adjoint,
    packed_adjoint,
    packed_tangent,
    product_tangent,
    transposed_band,
    unitary_move,
)

# ------------------------------------------------------------------------------------------ solvers


@rule(linalg.solve, real=True, rank=2, cases=[
    "reg(3,3) (3,)", "reg(3,3) (3,2)", "reg(3,3) (3,) transposed=True",
    "spd(3,3) (3,) assume_a='pos'",
])
def _(a, b, lower=False, *, assume_a=None, transposed=False):
    x = linalg.solve(a, b, lower, assume_a=assume_a, transposed=transposed)

    m_dot = a_dot.T if transposed else a_dot
    x_dot = linalg.solve(a, b_dot - m_dot @ x, lower, assume_a=assume_a, transposed=transposed)

    s = linalg.solve(a, x_bar, lower, assume_a=assume_a, transposed=not transposed)
    b_bar += s
    if transposed:
        a_bar += -as_columns(x) @ as_columns(s).T
    else:
        a_bar += -as_columns(s) @ as_columns(x).T


@rule(linalg.solve_triangular, real=True, rank=2, cases=[
    "reg(3,3) (3,)", "reg(3,3) (3,2) lower=True", "reg(3,3) (3,) trans=1",
    "reg(3,3) (3,) trans='T' lower=True", "reg(3,3) (3,) unit_diagonal=True",
])
def _(a, b, trans=0, lower=False, unit_diagonal=False):
    x = linalg.solve_triangular(a, b, trans, lower, unit_diagonal)

    m_dot = half_of(a_dot, lower, unit_diagonal)
    m_dot = m_dot if trans in (0, "N") else m_dot.T
    x_dot = linalg.solve_triangular(a, b_dot - m_dot @ x, trans, lower, unit_diagonal)

    s = linalg.solve_triangular(a, x_bar, 1 if trans in (0, "N") else 0, lower, unit_diagonal)
    b_bar += s
    if trans in (0, "N"):
        a_bar += half_of(-as_columns(s) @ as_columns(x).T, lower, unit_diagonal)
    else:
        a_bar += half_of(-as_columns(x) @ as_columns(s).T, lower, unit_diagonal)


@rule(linalg.lu_factor, real=True, rank=2, cases=["reg(3,3)", "(3,3)", "(4,4)"])
def _(a):
    lu, piv = linalg.lu_factor(a)

    lu_dot = packed_tangent(a_dot, lu, piv)
    piv_dot = np.zeros(len(piv))

    a_bar += packed_adjoint(lu_bar, lu, piv)


@rule(linalg.lu_solve, real=True, rank=2, cases=[
    "[reg(3,3),array([1,2,2])] (3,)", "[reg(3,3),array([0,1,2])] (3,2)", "[reg(3,3),array([2,1,2])] (3,) 1",
])
def _(lu_and_piv, b, trans=0):
    x = linalg.lu_solve(lu_and_piv, b, trans)

    m_dot = product_tangent(lu_and_piv[0], lu_and_piv[1], lu_and_piv_dot[0])
    x_dot = linalg.lu_solve(lu_and_piv, b_dot - (m_dot.T if trans else m_dot) @ x, trans)

    s = linalg.lu_solve(lu_and_piv, x_bar, 0 if trans else 1)
    b_bar += s
    lu_and_piv_bar[0] += lu_solve_adjoint(*((x, s) if trans else (s, x)), lu_and_piv[0], lu_and_piv[1])


@rule(linalg.polar, real=True, rank=2, cases=["reg(3,3)", "(4,2)", "(2,3)", "(4,2) 'left'", "reg(3,3) side='left'", "(2,3) 'left'"])
def _(a, side="right"):
    u, p = linalg.polar(a, side)

    u_dot = unitary_move(a_dot, a)
    p_dot = u_dot.T @ a + u.T @ a_dot if side == "right" else a_dot @ u.T + a @ u_dot.T

    a_bar += unitary_move(u_bar, a)
    if side == "right":
        a_bar += u @ p_bar + unitary_move(a @ p_bar.T, a)
    else:
        a_bar += p_bar @ u + unitary_move(p_bar.T @ a, a)


@rule(linalg.solve_banded, real=True, rank=2, cases=[
    "(1,1) pos(3,4) (4,)", "(2,1) pos(4,5) (5,2)", "(0,2) pos(3,4) (4,)", "(2,0) pos(3,4) (4,)", "(3,3) pos(7,2) (2,)",
])
def _(l_and_u, ab, b):
    x = linalg.solve_banded(l_and_u, ab, b)

    x_dot = linalg.solve_banded(l_and_u, ab, b_dot - banded_product(l_and_u, ab_dot, x))

    s = linalg.solve_banded(l_and_u[::-1], transposed_band(l_and_u, ab), x_bar)
    b_bar += s
    ab_bar += -band_of_product(l_and_u, s, x)


@rule(linalg.lstsq, real=True, rank=2, cases=["(5,3) (5,)", "(5,3) (5,2)", "(3,3) (3,)"])
def _(a, b, cond=None):
    x, residuals, rank, s = linalg.lstsq(a, b, cond)

    p = np.linalg.pinv(a)
    x_dot = p @ (b_dot - a_dot @ x) + p @ (p.T @ (a_dot.T @ (b - a @ x)))
    residuals_dot = (
        2.0 * np.sum((b - a @ x) * (b_dot - a_dot @ x), axis=0) * np.ones(np.shape(residuals))
    )
    rank_dot = 0
    s_dot = singular_values_tangent(a, a_dot)

    p = np.linalg.pinv(a)
    r = as_columns(b - a @ x)
    b_bar += p.T @ x_bar
    a_bar += r @ (p @ (p.T @ as_columns(x_bar))).T - as_columns(p.T @ x_bar) @ as_columns(x).T
    b_bar += np.reshape(2.0 * r * residual_weight(residuals_bar), np.shape(b))
    a_bar += -2.0 * r * residual_weight(residuals_bar) @ as_columns(x).T
    a_bar += singular_values_adjoint(s_bar + np.zeros(min(np.shape(a))), a)  # none come from lapack_driver="gelsy"


@rule(linalg.solve_sylvester, rank=2, cases=["reg(3,3) reg(2,2) (3,2)"])
def _(a, b, q):
    x = linalg.solve_sylvester(a, b, q)

    x_dot = linalg.solve_sylvester(a, b, q_dot - a_dot @ x - x @ b_dot)

    s = linalg.solve_sylvester(a.T, b.T, x_bar)
    q_bar += s
    a_bar += -s @ x.T
    b_bar += -x.T @ s


@rule(linalg.solve_continuous_lyapunov, linalg.solve_lyapunov, real=True, rank=2, cases=["reg(3,3) (3,3)"])
def _(a, q):
    x = linalg.solve_continuous_lyapunov(a, q)

    x_dot = linalg.solve_continuous_lyapunov(a, q_dot - a_dot @ x - x @ a_dot.T)

    s = linalg.solve_continuous_lyapunov(a.T, x_bar)
    q_bar += s
    a_bar += -s @ x.T - s.T @ x


@rule(linalg.solve_discrete_lyapunov, real=True, rank=2, cases=["reg(3,3) (3,3)"])
def _(a, q):
    x = linalg.solve_discrete_lyapunov(a, q)

    x_dot = linalg.solve_discrete_lyapunov(a, q_dot + a_dot @ x @ a.T + a @ x @ a_dot.T)

    s = linalg.solve_discrete_lyapunov(a.T, x_bar)
    q_bar += s
    a_bar += s @ a @ x.T + s.T @ a @ x


# ------------------------------------------------------------------------- inverses, factorisations


@rule(linalg.inv, rank=2, cases=["reg(3,3)"])
def _(a):
    y = linalg.inv(a)

    y_dot = -y @ a_dot @ y

    a_bar += -y.T @ y_bar @ y.T


@rule(linalg.pinv, real=True, rank=2, cases=["(4,3)", "(3,4)"])
def _(a):
    p = linalg.pinv(a)

    left = np.eye(a.shape[0]) - a @ p
    right = np.eye(a.shape[1]) - p @ a
    p_dot = -p @ a_dot @ p + p @ p.T @ a_dot.T @ left + right @ a_dot.T @ p.T @ p

    left = np.eye(a.shape[0]) - a @ p
    right = np.eye(a.shape[1]) - p @ a
    a_bar += -p.T @ p_bar @ p.T + left @ p_bar.T @ p @ p.T + p.T @ p @ p_bar.T @ right


@rule(linalg.det, rank=2, cases=["reg(3,3)"])
def _(a):
    y = linalg.det(a)

    y_dot = np.sum(cofactors(a) * a_dot)

    a_bar += y_bar * cofactors(a)


@rule(linalg.norm, singular=True, cases=[
    "(3,)", "(2,3)", "(2,3) ord='fro'", "(3,) ord=1", "(2,3) ord=2",
])
def _(a, ord=None, axis=None, keepdims=False):
    n = linalg.norm(a, ord, axis, keepdims)

    n_dot = np.sum(norm_slope(a, ord, axis) * a_dot, axis, keepdims=keepdims)

    a_bar += restore(n_bar, axis, keepdims) * norm_slope(a, ord, axis)


@rule(linalg.cholesky, real=True, rank=2, cases=["spd(3,3)", "spd(3,3) lower=True"])
def _(a, lower=False):
    c = linalg.cholesky(a, lower)

    c_dot = cholesky_tangent(a_dot, c, lower)

    if lower:
        a_bar += cholesky_adjoint(c_bar, np.tril(c))
    else:
        a_bar += cholesky_adjoint(c_bar.T, np.triu(c).T)


@rule(linalg.cho_factor, real=True, rank=2, cases=["spd(3,3)", "spd(3,3) lower=True"])
def _(a, lower=False):
    c, low = linalg.cho_factor(a, lower)

    c_dot = cholesky_tangent(a_dot, c, lower) + left_over(c, a, lower) * a_dot
    low_dot = 0.0

    if lower:
        a_bar += cholesky_adjoint(c_bar, np.tril(c))
    else:
        a_bar += cholesky_adjoint(c_bar.T, np.triu(c).T)
    a_bar += left_over(c, a, lower) * c_bar


@rule(linalg.cho_solve, real=True, rank=2, cases=["[reg(3,3),True] (3,)", "[reg(3,3),False] (3,2)"])
def _(c_and_lower, b):
    x = linalg.cho_solve(c_and_lower, b)

    half = half_of(c_and_lower[0], c_and_lower[1])
    half_dot = half_of(c_and_lower_dot[0], c_and_lower[1])
    if c_and_lower[1]:
        m_dot = half_dot @ half.T + half @ half_dot.T
    else:
        m_dot = half_dot.T @ half + half.T @ half_dot
    x_dot = linalg.cho_solve(c_and_lower, b_dot - m_dot @ x)

    s = linalg.cho_solve(c_and_lower, x_bar)
    b_bar += s
    c_and_lower_bar[0] += cho_solve_adjoint(s, x, c_and_lower[0], c_and_lower[1])


@rule(linalg.eigh, real=True, rank=2, cases=[
    "sym(3,3) driver='ev'", "sym(3,3) lower=False driver='ev'", "sym(3,3) spd(3,3) driver='gv'",
])
def _(a, b=None, *, lower=True, driver=None):
    w, v = linalg.eigh(a, b, lower=lower, driver=driver)

    turned = v.T @ symmetric(a_dot) @ v - (0.0 if b is None else v.T @ symmetric(b_dot) @ v * w)
    w_dot = np.diagonal(turned)
    v_dot = v @ (
        eigen_gaps(w) * turned - (0.0 if b is None else 0.5 * np.diag(np.diagonal(v.T @ b_dot @ v)))
    )

    a_bar += (v * w_bar) @ v.T
    a_bar += symmetric(v @ off_zero(v.T @ v_bar, eigen_gaps(w)) @ v.T)
    if b is not None:
        b_bar += -(v * (w * w_bar)) @ v.T
        b_bar += -symmetric(
            v
            @ (off_zero(v.T @ v_bar, eigen_gaps(w)) * w + 0.5 * np.diag(np.diagonal(v.T @ v_bar)))
            @ v.T
        )


@rule(linalg.eigh, when={"eigvals_only": True}, rank=2, cases=[
    "sym(3,3) eigvals_only=True", "sym(3,3) spd(3,3) eigvals_only=True",
])
def _(a, b=None, *, lower=True, eigvals_only=False):
    w = linalg.eigh(a, b, lower=lower, eigvals_only=eigvals_only)

    v = linalg.eigh(a, b, lower=lower)[1]
    move = symmetric(a_dot) @ v - (0.0 if b is None else symmetric(b_dot) @ v * w)
    w_dot = np.sum(v * move, axis=0)

    v = linalg.eigh(a, b, lower=lower)[1]
    a_bar += (v * w_bar) @ v.T
    if b is not None:
        b_bar += -(v * (w * w_bar)) @ v.T


@rule(linalg.eigvalsh, rank=2, cases=["sym(3,3)", "sym(3,3) spd(3,3)"])
def _(a, b=None, *, lower=True):
    w = linalg.eigvalsh(a, b, lower=lower)

    v = linalg.eigh(a, b, lower=lower)[1]
    move = symmetric(a_dot) @ v - (0.0 if b is None else symmetric(b_dot) @ v * w)
    w_dot = np.sum(v * move, axis=0)

    v = linalg.eigh(a, b, lower=lower)[1]
    a_bar += (v * w_bar) @ v.T
    if b is not None:
        b_bar += -(v * (w * w_bar)) @ v.T


@rule(linalg.svdvals, cases=["(3,3)", "(4,3)"])
def _(a):
    s = linalg.svdvals(a)

    s_dot = singular_values_tangent(a, a_dot)

    a_bar += singular_values_adjoint(s_bar, a)


@rule(linalg.svd, real=True, rank=2, cases=["(3,3)", "(4,3) full_matrices=False", "(3,4) full_matrices=False"])
def _(a, full_matrices=True):
    u, s, vh = linalg.svd(a, full_matrices)

    u_dot, s_dot, vh_dot = singular_tangents(u, s, vh, a_dot)

    a_bar += (u[:, :len(s)] * s_bar) @ vh[:len(s)]
    a_bar += singular_left_adjoint(u_bar, u, s, vh)
    a_bar += singular_right_adjoint(vh_bar, u, s, vh)


@rule(linalg.svd, when={"compute_uv": False}, cases=["(4,3) compute_uv=False"])
def _(a, full_matrices=True, compute_uv=True):
    s = linalg.svd(a, full_matrices, compute_uv)

    s_dot = singular_values_tangent(a, a_dot)

    a_bar += singular_values_adjoint(s_bar, a)


@rule(linalg.qr, real=True, cases=["(3,3)", "(4,3) mode='economic'", "(3,4) mode='economic'"])
def _(a, *, mode="full"):
    q, r = linalg.qr(a, mode=mode)

    q_dot, r_dot = qr_tangent(a_dot, q, r)

    a_bar += qr_q_adjoint(q_bar, q, r)
    a_bar += qr_r_adjoint(r_bar, q, r)


@rule(linalg.lu, rank=2, cases=["reg(3,3)", "(3,3)", "(4,2)", "(2,4)", "complex(3,3)"])
def _(a):
    p, l, u = linalg.lu(a)

    p_dot = 0.0 * p
    l_dot, u_dot = lu_tangents(a_dot, p, l, u)

    a_bar += lu_lower_adjoint(l_bar, p, l, u)
    a_bar += lu_upper_adjoint(u_bar, p, l, u)
