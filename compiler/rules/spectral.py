"""Eigenvalues, singular values, orthogonal factors, and what is built on them.

M. B. Giles (2008); J. Townsend, Differentiating the singular value decomposition (2016); G. Golub
and V. Pereyra (1973) for the pseudo-inverse. Each result has contributions of its own, so that
those of a result that nothing reads can be dropped. Eigenvectors of equal eigenvalues have no
derivative: nan, unless their adjoint is zero.
"""

import numpy as np

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import masked_product
from pullback.runtime.linalg import adjointed, condition_slope, hermitian
from pullback.runtime.spectral import (
    as_columns,
    eigen_gaps,
    eigenvector_adjoint,
    eigenvector_tangent,
    in_phase,
    in_phase_adjoint,
    qr_q_adjoint,
    qr_r_adjoint,
    qr_tangent,
    residual_weight,
    singular_left_adjoint,
    singular_right_adjoint,
    singular_tangents,
    singular_values_adjoint,
    singular_values_tangent,
    transposed,
)


@rule(np.linalg.eigh, conjugates=True, cases=[
    "sym(3,3)", "sym(2,3,3)", "sym(3,3) UPLO='U'", "herm(3,3)", "herm(2,3,3) UPLO='U'",
])
def _(a, UPLO="L"):
    w, v = np.linalg.eigh(a, UPLO)

    turned = adjointed(v) @ hermitian(a_dot) @ v
    w_dot = np.real(np.diagonal(turned, axis1=-2, axis2=-1))
    v_dot = in_phase(v @ (eigen_gaps(w) * turned), v, UPLO)

    a_bar += (v * w_bar[..., None, :]) @ adjointed(v)
    a_bar += hermitian(
        v @ masked_product(adjointed(v) @ in_phase_adjoint(v_bar, v, UPLO), eigen_gaps(w)) @ adjointed(v)
    )


@rule(np.linalg.eigvalsh, conjugates=True, cases=["sym(3,3)", "sym(2,3,3)", "herm(3,3)", "herm(2,3,3)"])
def _(a, UPLO="L"):
    w = np.linalg.eigvalsh(a, UPLO)

    v = np.linalg.eigh(a, UPLO)[1]
    w_dot = np.sum(np.real(np.conjugate(v) * (hermitian(a_dot) @ v)), axis=-2)

    v = np.linalg.eigh(a, UPLO)[1]
    a_bar += (v * w_bar[..., None, :]) @ adjointed(v)


@rule(np.linalg.eig, conjugates=True, may_turn=True, cases=["reg(3,3)", "reg(2,2,2)", "complex(3,3)"])
def _(a):
    w, v = np.linalg.eig(a)

    turned = np.linalg.solve(v, a_dot @ v)
    w_dot = np.diagonal(turned, axis1=-2, axis2=-1)
    v_dot = eigenvector_tangent(w, v, turned)

    inverse = np.conjugate(transposed(np.linalg.inv(v)))
    a_bar += (inverse * w_bar[..., None, :]) @ np.conjugate(transposed(v))
    a_bar += eigenvector_adjoint(w, v, v_bar)


@rule(np.linalg.eigvals, conjugates=True, may_turn=True, cases=["reg(3,3)", "reg(2,3,3)", "complex(3,3)"])
def _(a):
    w = np.linalg.eigvals(a)

    v = np.linalg.eig(a)[1]
    w_dot = np.diagonal(np.linalg.solve(v, a_dot @ v), axis1=-2, axis2=-1)

    v = np.linalg.eig(a)[1]
    inverse = np.conjugate(transposed(np.linalg.inv(v)))
    a_bar += (inverse * w_bar[..., None, :]) @ np.conjugate(transposed(v))


@rule(np.linalg.svd, real=True, cases=[
    "(3,3)", "(4,3) full_matrices=False", "(3,4) full_matrices=False", "(2,3,3)",
    "(2,4,3) full_matrices=False",
])
def _(a, full_matrices=True):
    u, s, vh = np.linalg.svd(a, full_matrices)

    u_dot, s_dot, vh_dot = singular_tangents(u, s, vh, a_dot)

    a_bar += (u[..., :, :s.shape[-1]] * s_bar[..., None, :]) @ vh[..., :s.shape[-1], :]
    a_bar += singular_left_adjoint(u_bar, u, s, vh)
    a_bar += singular_right_adjoint(vh_bar, u, s, vh)


@rule(np.linalg.svd, when={"compute_uv": False}, conjugates=True, cases=[
    "(3,3) compute_uv=False", "(2,4,3) compute_uv=False", "complex(3,4) compute_uv=False",
])
def _(a, full_matrices=True, compute_uv=True):
    s = np.linalg.svd(a, full_matrices, compute_uv)

    s_dot = singular_values_tangent(a, a_dot)

    a_bar += singular_values_adjoint(s_bar, a)


@rule(np.linalg.svdvals, conjugates=True, cases=["(3,3)", "(2,4,3)", "complex(4,3)"])
def _(x):
    s = np.linalg.svdvals(x)

    s_dot = singular_values_tangent(x, x_dot)

    x_bar += singular_values_adjoint(s_bar, x)


@rule(np.linalg.qr, real=True, cases=["(3,3)", "(4,3)", "(3,4)", "(2,4,3)", "(3,3) mode='complete'"])
def _(a, mode="reduced"):
    q, r = np.linalg.qr(a, mode)

    q_dot, r_dot = qr_tangent(a_dot, q, r)

    a_bar += qr_q_adjoint(q_bar, q, r)
    a_bar += qr_r_adjoint(r_bar, q, r)


@rule(np.linalg.qr, when={"mode": "r"}, real=True, cases=[
    "(3,3) mode='r'", "(4,3) mode='r'", "(3,4) mode='r'",
])
def _(a, mode="reduced"):
    r = np.linalg.qr(a, mode)

    _, r_dot = qr_tangent(a_dot, np.linalg.qr(a)[0], r)

    a_bar += qr_r_adjoint(r_bar, np.linalg.qr(a)[0], r)


@rule(np.linalg.pinv, real=True, cases=["(3,3)", "(4,3)", "(3,4)", "(2,4,3)"])
def _(a):
    p = np.linalg.pinv(a)

    left = np.eye(a.shape[-2]) - a @ p
    right = np.eye(a.shape[-1]) - p @ a
    p_dot = (-p @ a_dot @ p + p @ transposed(p) @ transposed(a_dot) @ left
             + right @ transposed(a_dot) @ transposed(p) @ p)

    left = np.eye(a.shape[-2]) - a @ p
    right = np.eye(a.shape[-1]) - p @ a
    a_bar += (-transposed(p) @ p_bar @ transposed(p) + left @ transposed(p_bar) @ p @ transposed(p)
              + transposed(p) @ p @ transposed(p_bar) @ right)


@rule(np.linalg.lstsq, real=True, cases=["(5,3) (5,)", "(5,3) (5,2)", "(3,5) (3,)", "(3,3) (3,)"])
def _(a, b, rcond=None):
    x, residuals, rank, s = np.linalg.lstsq(a, b, rcond)

    p = np.linalg.pinv(a)
    r = b - a @ x
    x_dot = p @ (b_dot - a_dot @ x) + p @ (p.T @ (a_dot.T @ r))
    turned = a_dot.T @ (p.T @ x)             # zero unless a has fewer rows than columns
    x_dot = x_dot + turned - p @ (a @ turned)
    residuals_dot = np.resize(2.0 * np.sum(r * (b_dot - a_dot @ x), axis=0), np.shape(residuals))  # or none
    rank_dot = 0
    s_dot = singular_values_tangent(a, a_dot)

    p = np.linalg.pinv(a)
    r = as_columns(b - a @ x)
    b_bar += p.T @ x_bar
    a_bar += r @ (p @ (p.T @ as_columns(x_bar))).T - as_columns(p.T @ x_bar) @ as_columns(x).T
    a_bar += (p.T @ as_columns(x)) @ (as_columns(x_bar) - p @ (a @ as_columns(x_bar))).T
    b_bar += np.reshape(2.0 * r * residual_weight(residuals_bar), np.shape(b))
    a_bar += -2.0 * r * residual_weight(residuals_bar) @ as_columns(x).T
    a_bar += singular_values_adjoint(s_bar, a)


@rule(np.linalg.cond, cases=[
    "reg(3,3)", "(4,3)", "reg(3,3) p=-2", "reg(3,3) p='fro'", "reg(3,3) p=1", "reg(2,3,3)",
    "reg(3,3) p=inf",
])
def _(x, p=None):
    c = np.linalg.cond(x, p)

    c_dot = np.sum(condition_slope(x, c, p) * x_dot, axis=(-2, -1))

    if x.ndim == 2:
        x_bar += c_bar * condition_slope(x, c, p)
    else:
        x_bar += c_bar[..., None, None] * condition_slope(x, c, p)
