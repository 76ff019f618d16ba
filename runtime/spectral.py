"""What the rules of spectral and orthogonal factorisations name. NumPy alone and others of this
file.

Matrices are the last two axes of stacks.
"""

import numpy as np

from pullback.runtime.linalg import adjointed
from pullback.runtime.refusals import Refusal


def transposed(a):
    """The matrices of a stack, transposed."""
    return np.swapaxes(a, -1, -2)


def symmetric(a):
    """The symmetric part of square matrices."""
    return 0.5 * (a + np.swapaxes(a, -1, -2))


def as_columns(x):
    """A vector as a matrix of one column; a matrix as it is."""
    return np.reshape(x, (len(x), -1))


def eigen_gaps(w):
    """1 / (w[j] - w[i]) at [i, j], 0 on the diagonal; nan where two are equal: their vectors have
    no derivative."""
    gaps = w[..., None, :] - w[..., :, None]
    same = gaps == 0
    inverse = np.where(same, np.nan, 1.0 / np.where(same, 1.0, gaps))
    return np.where(np.eye(w.shape[-1], dtype=bool), 0.0, inverse)


def in_phase(move, v, UPLO="L"):
    """The tangent of np.linalg.eigh's complex vectors, turned so that their first entry (last, for "U") stays real,
    as LAPACK has it."""
    if not np.iscomplexobj(v):
        return move
    row = 0 if UPLO in "lL" else -1
    return move - 1j * v * over_real(np.imag(move[..., row, :]), v[..., row, :], 0.0)[..., None, :]


def in_phase_adjoint(v_bar, v, UPLO="L"):
    """in_phase backwards. A result that no phase changes gets nothing from it, even where the entry is 0."""
    if not np.iscomplexobj(v):
        return v_bar
    row = 0 if UPLO in "lL" else -1
    turned = np.imag(np.sum(np.conjugate(v_bar) * v, axis=-2))
    rounding = 1e-12 * np.sum(np.abs(v_bar), axis=-2)
    kept = np.arange(v.shape[-2])[:, None] == row % v.shape[-2]
    return v_bar + 1j * kept * over_real(turned, v[..., row, :], rounding)[..., None, :]


def over_real(x, y, rounding):
    """x over the real part of y, and 0 where x is 0 but for rounding."""
    none = np.abs(x) <= rounding
    return np.where(none, 0.0, x / np.where(none, 1.0, np.real(y)))


def off_zero(x, factor):
    """x * factor, and 0 where x is 0 though factor be nan."""
    return np.where(x == 0, 0.0, x * factor)


def phase_rows(v):
    """Where each column is largest: LAPACK turns eigenvectors so that this entry is real."""
    return np.argmax(np.abs(v), axis=-2)[..., None, :]


def eigenvector_tangent(w, v, turned):
    """The tangent of np.linalg.eig's vectors, where turned = inv(v) @ a_dot @ v; length and phase
    stay as LAPACK has them."""
    move = v @ (eigen_gaps(w) * turned)
    rows = phase_rows(v)
    phase = np.imag(np.take_along_axis(move, rows, -2) / np.take_along_axis(v, rows, -2))
    return (
        move - v * (np.real(np.sum(np.conjugate(v) * move, axis=-2, keepdims=True)) + 1j * phase)
        if np.iscomplexobj(v)
        else move - v * np.sum(v * move, axis=-2, keepdims=True)
    )


def eigenvector_adjoint(w, v, v_bar):
    """The adjoint of a by way of the vectors of np.linalg.eig(a): eigenvector_tangent backwards."""
    along = np.sum(np.conjugate(v_bar) * v, axis=-2, keepdims=True)
    move_bar = v_bar - np.real(along) * v
    if np.iscomplexobj(v):
        rows = phase_rows(v)
        top = np.take_along_axis(v, rows, -2)
        turn = np.zeros(np.shape(v), dtype=complex)
        np.put_along_axis(turn, rows, 1j * np.imag(along) / np.conjugate(top), -2)
        move_bar = move_bar + turn
    turned_bar = off_zero(np.conjugate(transposed(v)) @ move_bar, np.conjugate(eigen_gaps(w)))
    return np.linalg.solve(np.conjugate(transposed(v)), turned_bar @ np.conjugate(transposed(v)))


def singular_tangents(u, s, vh, a_dot):
    """The tangents of u, s and vh of np.linalg.svd; columns beyond the singular values turn as
    little as they can."""
    k = s.shape[-1]
    u1, v1 = u[..., :, :k], transposed(vh)[..., :, :k]
    inner = transposed(u1) @ a_dot @ v1
    gaps = eigen_gaps(s * s)
    scaled, flipped = inner * s[..., None, :], s[..., :, None] * inner
    left = a_dot @ v1 / s[..., None, :]
    right = transposed(a_dot) @ u1 / s[..., None, :]
    u1_dot = u1 @ (gaps * (scaled + transposed(scaled))) + left - u1 @ (transposed(u1) @ left)
    v1_dot = v1 @ (gaps * (flipped + transposed(flipped))) + right - v1 @ (transposed(v1) @ right)
    u2_dot = -u1 @ transposed(transposed(u[..., :, k:]) @ left)
    v2_dot = -v1 @ transposed(vh[..., k:, :] @ right)
    return (np.concatenate((u1_dot, u2_dot), -1), np.diagonal(inner, axis1=-2, axis2=-1),
            transposed(np.concatenate((v1_dot, v2_dot), -1)))


def singular_left_adjoint(bar, u, s, vh):
    """The adjoint of a by way of the left vectors u of np.linalg.svd(a)."""
    k = s.shape[-1]
    u1, u1_bar = u[..., :, :k], bar[..., :, :k]
    inner = transposed(u1) @ u1_bar
    outer = (u1_bar - u1 @ inner - u[..., :, k:] @ (transposed(bar[..., :, k:]) @ u1)) / s[
        ..., None, :
    ]
    turned = u1 @ (off_zero(inner - transposed(inner), eigen_gaps(s * s)) * s[..., None, :])
    return (turned + outer) @ vh[..., :k, :]


def singular_right_adjoint(bar, u, s, vh):
    """The adjoint of a by way of the right vectors vh of np.linalg.svd(a): those of the transpose's
    left ones."""
    return transposed(singular_left_adjoint(transposed(bar), transposed(vh), s, transposed(u)))


def singular_values_adjoint(bar, a):
    """The adjoint of a by way of its singular values."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return (u * bar[..., None, :]) @ vh


def singular_values_tangent(a, a_dot):
    """The tangent of the singular values of a."""
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return np.sum(np.real(adjointed(u) @ a_dot * np.conjugate(vh)), axis=-1)


def right_solve(a, r):
    """a @ inv(r).T"""
    return transposed(np.linalg.solve(r, transposed(a)))


def mirror_lower(a):
    """The symmetric matrix that has a's lower triangle."""
    return np.tril(a) + transposed(np.tril(a, -1))


def qr_tangent(a_dot, q, r):
    """The tangents of q and r of np.linalg.qr, reduced (or square): the columns of the square part
    of r come first."""
    k = q.shape[-1]
    u = r[..., :, :k]
    whole = right_solve(a_dot[..., :, :k], transposed(u))
    inner = transposed(q) @ whole
    low = np.tril(inner, -1)
    stretch = inner - low + transposed(low)
    q_dot = whole - q @ stretch
    rest = transposed(q_dot) @ (q @ r[..., :, k:]) + transposed(q) @ a_dot[..., :, k:]
    return q_dot, np.concatenate((stretch @ u, rest), -1)


def qr_q_adjoint(bar, q, r):
    """The adjoint of a by way of q of np.linalg.qr(a)."""
    k = q.shape[-1]
    if k > r.shape[-1]:
        raise Refusal(
            "np.linalg.qr with mode='complete' has a derivative only for square and wide matrices",
            "use mode='reduced'",
        )
    square = right_solve(bar - q @ mirror_lower(transposed(bar) @ q), r[..., :, :k])
    return np.concatenate((square, np.zeros(square.shape[:-1] + (r.shape[-1] - k,))), -1)


def qr_r_adjoint(bar, q, r):
    """The adjoint of a by way of r of np.linalg.qr(a); columns beyond the square part are
    transposed(q) @ theirs."""
    k = r.shape[-2]
    u, u_bar, rest_bar = r[..., :, :k], bar[..., :, :k], bar[..., :, k:]
    square = right_solve(q @ mirror_lower(u @ transposed(np.triu(u_bar))), u)
    if r.shape[-1] == k:
        return square
    by_q = qr_q_adjoint(q @ r[..., :, k:] @ transposed(rest_bar), q, u)
    return np.concatenate((square + by_q, q @ rest_bar), -1)


def residual_weight(bar):
    """The adjoint of np.linalg.lstsq's residuals, 0 where it gave none."""
    return bar if np.size(bar) else 0.0
