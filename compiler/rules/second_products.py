"""Rules of the runtime's own products and transforms, for second derivatives (see second.py)."""

import numpy as np

from pullback.compiler.rules.language import rule
from pullback.runtime.fourier import fitted, irfft_adjoint, rfft_adjoint
from pullback.runtime.linalg import (
    dot_left_adjoint,
    dot_right_adjoint,
    einsum_adjoint,
    kron_left_adjoint,
    kron_right_adjoint,
    tensordot_left_adjoint,
    tensordot_right_adjoint,
)

# ----------------------------------------------------------------------------------------- products


@rule(einsum_adjoint, cases=[
    "(2,4) 'ij,jk->ik' [(2,3),(3,4)] 0", "(2,) 'ij,j->i' [(2,3),(3,)] 1", "() 'ii' [(3,3)] 0",
])
def _(bar, subscripts, operands, k):
    y = einsum_adjoint(bar, subscripts, operands, k)

    y_dot = einsum_adjoint(bar_dot, subscripts, operands, k)
    for i in range(len(operands)):
        if i != k:
            y_dot = y_dot + einsum_adjoint(
                bar, subscripts, [*operands[:i], operands_dot[i], *operands[i + 1 :]], k
            )

    moved = [*operands[:k], y_bar, *operands[k + 1:]]
    bar_bar += np.einsum(subscripts, *moved)
    for i in range(len(operands)):
        operands_bar[i] += einsum_adjoint(bar, subscripts, moved, i) if i != k else 0.0


@rule(dot_left_adjoint, cases=["(5,2,4) still(5,2,3) (3,4)", "(2,) still(2,3) (3,)"])
def _(bar, a, b):
    y = dot_left_adjoint(bar, a, b)

    y_dot = dot_left_adjoint(bar_dot, a, b) + dot_left_adjoint(bar, a, b_dot)

    bar_bar += np.dot(y_bar, b)
    b_bar += dot_right_adjoint(bar, y_bar, b)


@rule(dot_right_adjoint, cases=["(5,2,4) (5,2,3) still(3,4)", "(2,) (2,3) still(3,)"])
def _(bar, a, b):
    y = dot_right_adjoint(bar, a, b)

    y_dot = dot_right_adjoint(bar_dot, a, b) + dot_right_adjoint(bar, a_dot, b)

    bar_bar += np.dot(a, y_bar)
    a_bar += dot_left_adjoint(bar, a, y_bar)


@rule(tensordot_left_adjoint, cases=["(2,4) still(2,3) (3,4) 1"])
def _(bar, a, b, axes=2):
    y = tensordot_left_adjoint(bar, a, b, axes)

    y_dot = tensordot_left_adjoint(bar_dot, a, b, axes) + tensordot_left_adjoint(
        bar, a, b_dot, axes
    )

    bar_bar += np.tensordot(y_bar, b, axes)
    b_bar += tensordot_right_adjoint(bar, y_bar, b, axes)


@rule(tensordot_right_adjoint, cases=["(2,4) (2,3) still(3,4) 1"])
def _(bar, a, b, axes=2):
    y = tensordot_right_adjoint(bar, a, b, axes)

    y_dot = tensordot_right_adjoint(bar_dot, a, b, axes) + tensordot_right_adjoint(
        bar, a_dot, b, axes
    )

    bar_bar += np.tensordot(a, y_bar, axes)
    a_bar += tensordot_left_adjoint(bar, a, y_bar, axes)


@rule(kron_left_adjoint, cases=["(8,6) still(2,3) (4,2)"])
def _(bar, a, b):
    y = kron_left_adjoint(bar, a, b)

    y_dot = kron_left_adjoint(bar_dot, a, b) + kron_left_adjoint(bar, a, b_dot)

    bar_bar += np.kron(y_bar, b)
    b_bar += kron_right_adjoint(bar, y_bar, b)


@rule(kron_right_adjoint, cases=["(8,6) (2,3) still(4,2)"])
def _(bar, a, b):
    y = kron_right_adjoint(bar, a, b)

    y_dot = kron_right_adjoint(bar_dot, a, b) + kron_right_adjoint(bar, a_dot, b)

    bar_bar += np.kron(a, y_bar)
    a_bar += kron_left_adjoint(bar, a, y_bar)


# ------------------------------------------------------------------------------------------ Fourier


@rule(fitted, conjugates=True, cases=[
    "(5,) array([1.0,2.0])", "complex(2,) array([1.0,2.0,3.0])", "complex(4,3) array([[1j,2.0]])",
])
def _(bar, a):
    y = fitted(bar, a)

    y_dot = fitted(bar_dot, a)

    bar_bar += fitted(y_bar, bar)


@rule(rfft_adjoint, conjugates=True, cases=["complex(4,) 6", "complex(3,) 5 -1 'ortho'"])
def _(bar, n, axis=-1, norm=None):
    y = rfft_adjoint(bar, n, axis, norm)

    y_dot = rfft_adjoint(bar_dot, n, axis, norm)

    bar_bar += np.fft.rfft(y_bar, n, axis, norm)


@rule(irfft_adjoint, conjugates=True, cases=["(6,)", "(5,) -1 'ortho'", "(4,3) 0"])
def _(bar, axis=-1, norm=None):
    y = irfft_adjoint(bar, axis, norm)

    y_dot = irfft_adjoint(bar_dot, axis, norm)

    bar_bar += np.fft.irfft(y_bar, np.shape(bar)[axis], axis, norm)
