"""Products of vectors and matrices."""

import operator

import numpy as np

from pullback.compiler.rules.language import rule
from pullback.runtime.arrays import unbroadcast
from pullback.runtime.linalg import (
    dot_left_adjoint,
    dot_right_adjoint,
    einsum_adjoint,
    einsum_tangent,
    kron_left_adjoint,
    kron_right_adjoint,
    matrix_power_adjoint,
    matrix_power_tangent,
    multi_dot_adjoint,
    multi_dot_tangent,
    tensordot_left_adjoint,
    tensordot_right_adjoint,
)
from pullback.runtime.selection import diagonal_adjoint


@rule(operator.matmul, np.matmul, np.linalg.matmul, cases=[
    "(3,) (3,)", "(3,) (3,4)", "(2,3) (3,)", "(2,3) (3,4)", "(5,2,3) (3,4)", "(5,2,3) (3,)",
    "(3,) (5,3,2)", "(5,1,2,3) (4,3,2)", "complex(2,3) complex(3,4)", "(2,3) complex(3,)",
])
def _(a, b):
    c = a @ b

    c_dot = a_dot @ b + a @ b_dot

    if a.ndim == 1 and b.ndim == 1:
        a_bar += c_bar * b
        b_bar += c_bar * a
    elif a.ndim == 2 and b.ndim == 1:
        a_bar += np.outer(c_bar, b)
        b_bar += c_bar @ a
    elif a.ndim == 1 and b.ndim == 2:
        a_bar += b @ c_bar
        b_bar += np.outer(a, c_bar)
    elif a.ndim == 2 and b.ndim == 2:
        a_bar += c_bar @ b.T
        b_bar += a.T @ c_bar
    elif a.ndim == 1:                        # row vector times a stack of matrices
        a_bar += unbroadcast((b @ c_bar[..., None])[..., 0], np.shape(a))
        b_bar += a[:, None] * c_bar[..., None, :]
    elif b.ndim == 1:                        # a stack of matrices times a column vector
        a_bar += c_bar[..., None] * b
        b_bar += unbroadcast((np.matrix_transpose(a) @ c_bar[..., None])[..., 0], np.shape(b))
    else:                                    # stacks of matrices
        a_bar += unbroadcast(c_bar @ np.matrix_transpose(b), np.shape(a))
        b_bar += unbroadcast(np.matrix_transpose(a) @ c_bar, np.shape(b))


@rule(np.dot, cases=[
    "() ()", "() (3,)", "(2,3) ()", "(3,) (3,)", "(3,) (3,4)", "(2,3) (3,)", "(2,3) (3,4)",
    "(5,2,3) (3,)", "(3,) (5,3,2)", "(5,2,3) (4,3,2)", "complex(2,3) complex(3,4)",
])
def _(a, b):
    c = np.dot(a, b)

    c_dot = np.dot(a_dot, b) + np.dot(a, b_dot)

    if np.ndim(a) == 0 or np.ndim(b) == 0:
        a_bar += unbroadcast(c_bar * b, np.shape(a))
        b_bar += unbroadcast(c_bar * a, np.shape(b))
    elif a.ndim == 1 and b.ndim == 1:
        a_bar += c_bar * b
        b_bar += c_bar * a
    elif a.ndim == 2 and b.ndim == 1:
        a_bar += np.outer(c_bar, b)
        b_bar += np.dot(c_bar, a)
    elif a.ndim == 1 and b.ndim == 2:
        a_bar += np.dot(b, c_bar)
        b_bar += np.outer(a, c_bar)
    elif a.ndim == 2 and b.ndim == 2:
        a_bar += np.dot(c_bar, b.T)
        b_bar += np.dot(a.T, c_bar)
    else:                                    # c[i, j, k, m] = sum(a[i, j, :] * b[k, :, m])
        a_bar += dot_left_adjoint(c_bar, a, b)
        b_bar += dot_right_adjoint(c_bar, a, b)


@rule(np.inner, cases=[
    "() ()", "() (3,)", "(3,) (3,)", "(2,3) (3,)", "(3,) (2,3)", "(2,3) (4,3)", "(5,2,3) (4,3)",
])
def _(a, b):
    c = np.inner(a, b)

    c_dot = np.inner(a_dot, b) + np.inner(a, b_dot)

    if np.ndim(a) == 0 or np.ndim(b) == 0:
        a_bar += unbroadcast(c_bar * b, np.shape(a))
        b_bar += unbroadcast(c_bar * a, np.shape(b))
    elif a.ndim == 1 and b.ndim == 1:
        a_bar += c_bar * b
        b_bar += c_bar * a
    else:  # contract the axes of c that came from the other operand
        a_bar += np.tensordot(c_bar, b, b.ndim - 1) if b.ndim > 1 else np.multiply.outer(c_bar, b)
        b_bar += np.tensordot(c_bar, a, (range(a.ndim - 1), range(a.ndim - 1)))


@rule(np.vdot, conjugates=True, cases=[
    "() ()", "(3,) (3,)", "(2,3) (2,3)", "complex(3,) complex(3,)", "(3,) complex(3,)",
])
def _(a, b):
    c = np.vdot(a, b)

    c_dot = np.vdot(a_dot, b) + np.vdot(a, b_dot)

    a_bar += np.reshape(np.conjugate(c_bar) * np.ravel(b), np.shape(a))
    b_bar += np.reshape(c_bar * np.ravel(a), np.shape(b))


@rule(np.outer, cases=["() (3,)", "(3,) (4,)", "(2,3) (4,)"])
def _(a, b):
    c = np.outer(a, b)

    c_dot = np.outer(a_dot, b) + np.outer(a, b_dot)

    if np.ndim(a) == 1 and np.ndim(b) == 1:
        a_bar += c_bar @ b
        b_bar += a @ c_bar
    else:
        a_bar += np.reshape(c_bar @ np.ravel(b), np.shape(a))
        b_bar += np.reshape(np.ravel(a) @ c_bar, np.shape(b))


@rule(np.einsum, cases=[
    "'ij,jk->ik' (2,3) (3,4)", "'ij,jk' (2,3) (3,4)", "'ii' (3,3)", "'ij->j' (2,3)",
    "'i,i' (3,) (3,)", "'ij,jk,kl->il' (2,3) (3,4) (4,2)", "'...ij,...jk->...ik' (5,2,3) (3,4)",
    "'ij->' (2,3)", "'bij,bj->bi' (5,2,3) (5,3)", "'i,j->ij' (2,) (3,)", "'ii->i' (3,3)",
    "'iij,j->i' (3,3,2) (2,)", "'i...,i->...' (3,2) (3,)", "'ij,jk->ik' complex(2,3) complex(3,4)",
])
def _(subscripts, *operands, optimize=False):
    y = np.einsum(subscripts, *operands, optimize=optimize)

    y_dot = einsum_tangent(subscripts, operands, operands_dot)

    for k in range(len(operands)):
        operands_bar[k] += einsum_adjoint(y_bar, subscripts, operands, k)


@rule(np.tensordot, np.linalg.tensordot, cases=[
    "(2,3,4) (3,4,2)", "(2,3) (3,4) axes=1", "(2,3) (2,4) axes=([0],[0])", "(2,3) (4,2) axes=(0,1)",
    "(2,3) (4,) axes=0", "(2,3,4) (4,2,3) axes=((0,2),(1,0))",
])
def _(a, b, axes=2):
    c = np.tensordot(a, b, axes)

    c_dot = np.tensordot(a_dot, b, axes) + np.tensordot(a, b_dot, axes)

    a_bar += tensordot_left_adjoint(c_bar, a, b, axes)
    b_bar += tensordot_right_adjoint(c_bar, a, b, axes)


@rule(np.kron, cases=["(3,) (2,)", "(2,3) (4,2)", "(2,3) (2,)", "(3,) (2,2)"])
def _(a, b):
    c = np.kron(a, b)

    c_dot = np.kron(a_dot, b) + np.kron(a, b_dot)

    a_bar += kron_left_adjoint(c_bar, a, b)
    b_bar += kron_right_adjoint(c_bar, a, b)


@rule(np.trace, cases=[
    "(3,3)", "(2,3)", "(3,4) offset=1", "(4,3) offset=-1", "(2,3,3) axis1=1 axis2=2",
])
def _(a, offset=0, axis1=0, axis2=1):
    t = np.trace(a, offset, axis1, axis2)

    t_dot = np.trace(a_dot, offset, axis1, axis2)

    if np.ndim(a) == 2 and axis1 == 0 and axis2 == 1:
        a_bar += t_bar * np.eye(a.shape[0], a.shape[1], offset)
    else:
        a_bar += diagonal_adjoint(np.expand_dims(t_bar, -1), np.shape(a), offset, axis1, axis2)


@rule(np.cross, cases=["(3,) (3,)", "(2,3) (3,)", "(2,3) (2,3)", "(3,2) (3,2) axis=0"])
def _(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    c = np.cross(a, b, axisa, axisb, axisc, axis)

    c_dot = np.cross(a_dot, b, axisa, axisb, axisc, axis) + np.cross(
        a, b_dot, axisa, axisb, axisc, axis
    )

    if axis is None:
        a_bar += unbroadcast(np.cross(b, c_bar, axisb, axisc, axisa), np.shape(a))
        b_bar += unbroadcast(np.cross(c_bar, a, axisc, axisa, axisb), np.shape(b))
    else:
        a_bar += unbroadcast(np.cross(b, c_bar, axis=axis), np.shape(a))
        b_bar += unbroadcast(np.cross(c_bar, a, axis=axis), np.shape(b))


@rule(np.matrix_transpose, np.linalg.matrix_transpose, view=True, cases=["(2,3)", "(5,2,3)"])
def _(x):
    y = np.matrix_transpose(x)

    y_dot = np.matrix_transpose(x_dot)

    x_bar += np.matrix_transpose(y_bar)


# ------------------------------------------------------- newer products, and the names in np.linalg


@rule(np.vecdot, np.linalg.vecdot, conjugates=True, cases=[
    "(3,) (3,)", "(2,3) (3,)", "(2,3) (2,3)", "complex(2,3) complex(3,)",
])
def _(x1, x2):
    y = np.vecdot(x1, x2)

    y_dot = np.vecdot(x1_dot, x2) + np.vecdot(x1, x2_dot)

    x1_bar += unbroadcast(np.expand_dims(np.conjugate(y_bar), -1) * x2, np.shape(x1))
    x2_bar += unbroadcast(np.expand_dims(y_bar, -1) * x1, np.shape(x2))


@rule(np.matvec, cases=["(2,3) (3,)", "(4,2,3) (3,)", "(2,3) (4,3)"])
def _(x1, x2):
    y = np.matvec(x1, x2)

    y_dot = np.matvec(x1_dot, x2) + np.matvec(x1, x2_dot)

    x1_bar += unbroadcast(y_bar[..., :, None] * x2[..., None, :], np.shape(x1))
    x2_bar += unbroadcast((np.matrix_transpose(x1) @ y_bar[..., None])[..., 0], np.shape(x2))


@rule(np.vecmat, real=True, cases=["(2,) (2,3)", "(2,) (4,2,3)", "(4,2) (2,3)"])
def _(x1, x2):
    y = np.vecmat(x1, x2)

    y_dot = np.vecmat(x1_dot, x2) + np.vecmat(x1, x2_dot)

    x1_bar += unbroadcast((x2 @ y_bar[..., None])[..., 0], np.shape(x1))
    x2_bar += unbroadcast(x1[..., :, None] * y_bar[..., None, :], np.shape(x2))


@rule(np.linalg.matrix_power, cases=[
    "reg(3,3) 3", "reg(3,3) 1", "reg(3,3) 0", "reg(3,3) -2", "reg(2,3,3) 2",
])
def _(a, n):
    y = np.linalg.matrix_power(a, n)

    y_dot = matrix_power_tangent(a, a_dot, n)

    a_bar += matrix_power_adjoint(y_bar, a, n)


@rule(np.linalg.multi_dot, cases=[
    "[(2,3),(3,4),(4,2)]", "[(3,),(3,4),(4,)]", "[(2,3),(3,4),(4,)]", "[(2,3),(3,2)]",
])
def _(arrays):
    y = np.linalg.multi_dot(arrays)

    y_dot = multi_dot_tangent(arrays, arrays_dot)

    for k in range(len(arrays)):
        arrays_bar[k] += multi_dot_adjoint(y_bar, arrays, k)


@rule(np.linalg.tensorsolve, cases=["reg(6,6) (6,)"])
def _(a, b):
    x = np.linalg.tensorsolve(a, b)

    square = np.reshape(a, (np.size(b), np.size(b)))
    moved = np.ravel(b_dot) - np.reshape(a_dot, square.shape) @ np.ravel(x)
    x_dot = np.reshape(np.linalg.solve(square, moved), np.shape(x))

    s = np.linalg.solve(np.reshape(a, (np.size(b), np.size(b))).T, np.ravel(x_bar))
    b_bar += np.reshape(s, np.shape(b))
    a_bar += -np.reshape(np.outer(s, np.ravel(x)), np.shape(a))


@rule(np.linalg.tensorinv, cases=["reg(6,6) ind=1", "(2,3,6) ind=2"])
def _(a, ind=2):
    y = np.linalg.tensorinv(a, ind)

    flat = np.reshape(y, (-1, int(np.prod(a.shape[:ind]))))
    y_dot = np.reshape(-flat @ np.reshape(a_dot, flat.shape) @ flat, y.shape)

    flat = np.reshape(y, (-1, int(np.prod(a.shape[:ind]))))
    a_bar += np.reshape(-flat.T @ np.reshape(y_bar, flat.shape) @ flat.T, a.shape)


@rule(np.linalg.trace, cases=["(3,3)", "(2,3,4) offset=1"])
def _(x, *, offset=0):
    t = np.linalg.trace(x, offset=offset)

    t_dot = np.linalg.trace(x_dot, offset=offset)

    x_bar += diagonal_adjoint(np.expand_dims(t_bar, -1), np.shape(x), offset, -2, -1)


@rule(np.linalg.outer, cases=["(3,) (4,)"])
def _(x1, x2):
    c = np.linalg.outer(x1, x2)

    c_dot = np.linalg.outer(x1_dot, x2) + np.linalg.outer(x1, x2_dot)

    x1_bar += c_bar @ x2
    x2_bar += x1 @ c_bar


@rule(np.linalg.diagonal, view=True, locked=True, cases=["(3,3)", "(2,3,4) offset=1"])
def _(x, *, offset=0):
    y = np.linalg.diagonal(x, offset=offset)

    y_dot = np.linalg.diagonal(x_dot, offset=offset)

    x_bar += diagonal_adjoint(y_bar, np.shape(x), offset, -2, -1)


@rule(np.linalg.cross, cases=["(3,) (3,)", "(2,3) (2,3)", "(2,3) (3,)", "(3,2) (3,2) axis=0"])
def _(x1, x2, *, axis=-1):
    c = np.linalg.cross(x1, x2, axis=axis)

    c_dot = np.linalg.cross(x1_dot, x2, axis=axis) + np.linalg.cross(x1, x2_dot, axis=axis)

    x1_bar += unbroadcast(np.linalg.cross(x2, c_bar, axis=axis), np.shape(x1))
    x2_bar += unbroadcast(np.linalg.cross(c_bar, x1, axis=axis), np.shape(x2))
