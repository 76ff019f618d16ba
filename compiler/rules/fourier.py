"""Fourier transforms: the adjoint of a transform is the inverse one, scaled; `dual_norm` names the
scaling."""

import numpy as np

from pullback.compiler.rules.language import rule
from pullback.runtime.fourier import (
    dual_norm,
    fitted,
    irfft_adjoint,
    irfftn_adjoint,
    rfft_adjoint,
    rfftn_adjoint,
    transform_axes,
)

ONE = [
    "(6,)",
    "complex(5,)",
    "(6,) n=8",
    "(3,4) n=3 axis=0",
    "(6,) norm='ortho'",
    "complex(6,) norm='forward'",
    "complex(2,5) n=3",
]
TWO = [
    "(3,4)",
    "complex(3,4)",
    "(3,4) s=(4,3) axes=(0,1)",
    "(2,3,4) norm='ortho'",
    "complex(2,3,4) norm='forward'",
]


@rule(np.fft.fft, conjugates=True, cases=ONE)
def _(a, n=None, axis=-1, norm=None):
    y = np.fft.fft(a, n, axis, norm)

    y_dot = np.fft.fft(a_dot, n, axis, norm)

    a_bar += fitted(np.fft.ifft(y_bar, axis=axis, norm=dual_norm(norm)), a)


@rule(np.fft.ifft, conjugates=True, cases=ONE)
def _(a, n=None, axis=-1, norm=None):
    y = np.fft.ifft(a, n, axis, norm)

    y_dot = np.fft.ifft(a_dot, n, axis, norm)

    a_bar += fitted(np.fft.fft(y_bar, axis=axis, norm=dual_norm(norm)), a)


@rule(np.fft.fft2, conjugates=True, cases=TWO)
def _(a, s=None, axes=(-2, -1), norm=None):
    y = np.fft.fft2(a, s, axes, norm)

    y_dot = np.fft.fft2(a_dot, s, axes, norm)

    a_bar += fitted(np.fft.ifft2(y_bar, axes=axes, norm=dual_norm(norm)), a)


@rule(np.fft.ifft2, conjugates=True, cases=TWO)
def _(a, s=None, axes=(-2, -1), norm=None):
    y = np.fft.ifft2(a, s, axes, norm)

    y_dot = np.fft.ifft2(a_dot, s, axes, norm)

    a_bar += fitted(np.fft.fft2(y_bar, axes=axes, norm=dual_norm(norm)), a)


@rule(np.fft.fftn, conjugates=True, cases=[*TWO, "(2,3,4) axes=(2,0)", "complex(2,3,4)"])
def _(a, s=None, axes=None, norm=None):
    y = np.fft.fftn(a, s, axes, norm)

    y_dot = np.fft.fftn(a_dot, s, axes, norm)

    a_bar += fitted(np.fft.ifftn(y_bar, axes=transform_axes(a, s, axes), norm=dual_norm(norm)), a)


@rule(np.fft.ifftn, conjugates=True, cases=[*TWO, "(2,3,4) axes=(2,0)", "complex(2,3,4)"])
def _(a, s=None, axes=None, norm=None):
    y = np.fft.ifftn(a, s, axes, norm)

    y_dot = np.fft.ifftn(a_dot, s, axes, norm)

    a_bar += fitted(np.fft.fftn(y_bar, axes=transform_axes(a, s, axes), norm=dual_norm(norm)), a)


@rule(np.fft.rfft, conjugates=True, cases=[
    "(6,)", "(5,)", "(6,) n=8", "(6,) n=5", "(3,4) axis=0", "(6,) norm='ortho'",
])
def _(a, n=None, axis=-1, norm=None):
    y = np.fft.rfft(a, n, axis, norm)

    y_dot = np.fft.rfft(a_dot, n, axis, norm)

    a_bar += fitted(rfft_adjoint(y_bar, np.shape(a)[axis] if n is None else n, axis, norm), a)


@rule(np.fft.irfft, conjugates=True, cases=[
    "complex(4,)", "complex(4,) n=7", "complex(4,) n=5", "complex(3,4) axis=0",
    "complex(4,) n=10 norm='ortho'", "(4,)",
])
def _(a, n=None, axis=-1, norm=None):
    y = np.fft.irfft(a, n, axis, norm)

    y_dot = np.fft.irfft(a_dot, n, axis, norm)

    a_bar += fitted(irfft_adjoint(y_bar, axis, norm), a)


@rule(np.fft.rfft2, conjugates=True, cases=[
    "(3,4)", "(4,3) s=(5,4) axes=(0,1)", "(2,3,4) norm='ortho'",
])
def _(a, s=None, axes=(-2, -1), norm=None):
    y = np.fft.rfft2(a, s, axes, norm)

    y_dot = np.fft.rfft2(a_dot, s, axes, norm)

    a_bar += rfftn_adjoint(y_bar, a, s, axes, norm)


@rule(np.fft.rfftn, conjugates=True, cases=[
    "(3,4)", "(2,3,4)", "(2,3,4) axes=(1,0)", "(2,3,4) norm='forward'", "(5,)",
])
def _(a, s=None, axes=None, norm=None):
    y = np.fft.rfftn(a, s, axes, norm)

    y_dot = np.fft.rfftn(a_dot, s, axes, norm)

    a_bar += rfftn_adjoint(y_bar, a, s, axes, norm)


@rule(np.fft.irfft2, conjugates=True, cases=[
    "complex(3,4)", "complex(3,4) s=(4,5) axes=(0,1)", "complex(2,3,4) norm='ortho'",
])
def _(a, s=None, axes=(-2, -1), norm=None):
    y = np.fft.irfft2(a, s, axes, norm)

    y_dot = np.fft.irfft2(a_dot, s, axes, norm)

    a_bar += irfftn_adjoint(y_bar, a, s, axes, norm)


@rule(np.fft.irfftn, conjugates=True, cases=[
    "complex(3,4)", "complex(2,3,4)", "complex(2,3,4) axes=(1,0)",
])
def _(a, s=None, axes=None, norm=None):
    y = np.fft.irfftn(a, s, axes, norm)

    y_dot = np.fft.irfftn(a_dot, s, axes, norm)

    a_bar += irfftn_adjoint(y_bar, a, s, axes, norm)


@rule(np.fft.hfft, conjugates=True, cases=[
    "complex(4,)", "complex(4,) n=7", "complex(3,4) axis=0", "(4,) norm='ortho'",
])
def _(a, n=None, axis=-1, norm=None):
    y = np.fft.hfft(a, n, axis, norm)  # irfft(conj(a)) with the norm swapped

    y_dot = np.fft.hfft(a_dot, n, axis, norm)

    a_bar += fitted(np.conj(irfft_adjoint(y_bar, axis, dual_norm(norm))), a)


@rule(np.fft.ihfft, conjugates=True, cases=[
    "(6,)", "(6,) n=5", "(3,4) axis=0", "(6,) norm='ortho'",
])
def _(a, n=None, axis=-1, norm=None):
    y = np.fft.ihfft(a, n, axis, norm)  # conj(rfft(a)) with the norm swapped

    y_dot = np.fft.ihfft(a_dot, n, axis, norm)

    a_bar += fitted(
        rfft_adjoint(np.conj(y_bar), np.shape(a)[axis] if n is None else n, axis, dual_norm(norm)),
        a,
    )


@rule(np.fft.fftshift, conjugates=True, cases=["(5,)", "(4,3)", "(4,3) axes=1"])
def _(x, axes=None):
    y = np.fft.fftshift(x, axes)

    y_dot = np.fft.fftshift(x_dot, axes)

    x_bar += np.fft.ifftshift(y_bar, axes)


@rule(np.fft.ifftshift, conjugates=True, cases=["(5,)", "(4,3)", "(4,3) axes=1"])
def _(x, axes=None):
    y = np.fft.ifftshift(x, axes)

    y_dot = np.fft.ifftshift(x_dot, axes)

    x_bar += np.fft.fftshift(y_bar, axes)
