"""scipy.fft: the transforms that numpy.fft has, with the same adjoints, and the cosine and sine
transforms."""

import numpy as np
from scipy import fft as scipy_fft

from pullback.compiler.rules.language import constant, rule
from pullback.runtime.fourier import (
    dual_norm,
    ends_times,
    fitted,
    irfft_adjoint,
    irfftn_adjoint,
    rfft_adjoint,
    rfftn_adjoint,
    transform_axes,
    transposed_type,
)

ONE = ["(6,)", "complex(5,)", "(3,4) n=3 axis=0", "complex(6,) norm='ortho'"]
TWO = ["(3,4)", "complex(2,3,4) norm='forward'"]
REAL = [
    f"({n},) type={t} norm={norm!r}"
    for n in (4, 5)
    for t in (1, 2, 3, 4)
    for norm in (None, "ortho", "forward")
] + ["(3,4)", "(3,4) axis=0", "(5,) n=7", "(5,) type=3 n=4", "complex(4,)"]


@rule(scipy_fft.fft, conjugates=True, cases=ONE)
def _(x, n=None, axis=-1, norm=None):
    y = scipy_fft.fft(x, n, axis, norm)

    y_dot = scipy_fft.fft(x_dot, n, axis, norm)

    x_bar += fitted(np.fft.ifft(y_bar, axis=axis, norm=dual_norm(norm)), x)


@rule(scipy_fft.ifft, conjugates=True, cases=ONE)
def _(x, n=None, axis=-1, norm=None):
    y = scipy_fft.ifft(x, n, axis, norm)

    y_dot = scipy_fft.ifft(x_dot, n, axis, norm)

    x_bar += fitted(np.fft.fft(y_bar, axis=axis, norm=dual_norm(norm)), x)


@rule(scipy_fft.fft2, conjugates=True, cases=TWO)
def _(x, s=None, axes=(-2, -1), norm=None):
    y = scipy_fft.fft2(x, s, axes, norm)

    y_dot = scipy_fft.fft2(x_dot, s, axes, norm)

    x_bar += fitted(np.fft.ifftn(y_bar, axes=axes, norm=dual_norm(norm)), x)


@rule(scipy_fft.ifft2, conjugates=True, cases=TWO)
def _(x, s=None, axes=(-2, -1), norm=None):
    y = scipy_fft.ifft2(x, s, axes, norm)

    y_dot = scipy_fft.ifft2(x_dot, s, axes, norm)

    x_bar += fitted(np.fft.fftn(y_bar, axes=axes, norm=dual_norm(norm)), x)


@rule(scipy_fft.fftn, conjugates=True, cases=TWO)
def _(x, s=None, axes=None, norm=None):
    y = scipy_fft.fftn(x, s, axes, norm)

    y_dot = scipy_fft.fftn(x_dot, s, axes, norm)

    x_bar += fitted(np.fft.ifftn(y_bar, axes=transform_axes(x, s, axes), norm=dual_norm(norm)), x)


@rule(scipy_fft.ifftn, conjugates=True, cases=TWO)
def _(x, s=None, axes=None, norm=None):
    y = scipy_fft.ifftn(x, s, axes, norm)

    y_dot = scipy_fft.ifftn(x_dot, s, axes, norm)

    x_bar += fitted(np.fft.fftn(y_bar, axes=transform_axes(x, s, axes), norm=dual_norm(norm)), x)


@rule(scipy_fft.rfft, conjugates=True, cases=["(6,)", "(5,)", "(6,) n=8", "(3,4) axis=0"])
def _(x, n=None, axis=-1, norm=None):
    y = scipy_fft.rfft(x, n, axis, norm)

    y_dot = scipy_fft.rfft(x_dot, n, axis, norm)

    x_bar += fitted(rfft_adjoint(y_bar, np.shape(x)[axis] if n is None else n, axis, norm), x)


@rule(scipy_fft.irfft, conjugates=True, cases=[
    "complex(4,)", "complex(4,) n=7", "complex(3,4) axis=0",
])
def _(x, n=None, axis=-1, norm=None):
    y = scipy_fft.irfft(x, n, axis, norm)

    y_dot = scipy_fft.irfft(x_dot, n, axis, norm)

    x_bar += fitted(irfft_adjoint(y_bar, axis, norm), x)


@rule(scipy_fft.rfft2, conjugates=True, cases=["(3,4)", "(2,3,4)"])
def _(x, s=None, axes=(-2, -1), norm=None):
    y = scipy_fft.rfft2(x, s, axes, norm)

    y_dot = scipy_fft.rfft2(x_dot, s, axes, norm)

    x_bar += rfftn_adjoint(y_bar, x, s, axes, norm)


@rule(scipy_fft.rfftn, conjugates=True, cases=["(3,4)", "(2,3,4)", "(6,)", "(3,4) axes=(0,)"])
def _(x, s=None, axes=None, norm=None):
    y = scipy_fft.rfftn(x, s, axes, norm)

    y_dot = scipy_fft.rfftn(x_dot, s, axes, norm)

    x_bar += rfftn_adjoint(y_bar, x, s, axes, norm)


@rule(scipy_fft.irfft2, conjugates=True, cases=["complex(3,4)", "complex(3,4) s=(4,5) axes=(0,1)", "complex(2,3,4)"])
def _(x, s=None, axes=(-2, -1), norm=None):
    y = scipy_fft.irfft2(x, s, axes, norm)

    y_dot = scipy_fft.irfft2(x_dot, s, axes, norm)

    x_bar += irfftn_adjoint(y_bar, x, s, axes, norm)


@rule(scipy_fft.irfftn, conjugates=True, cases=["complex(3,4)", "complex(2,3,4)", "complex(5,)"])
def _(x, s=None, axes=None, norm=None):
    y = scipy_fft.irfftn(x, s, axes, norm)

    y_dot = scipy_fft.irfftn(x_dot, s, axes, norm)

    x_bar += irfftn_adjoint(y_bar, x, s, axes, norm)


# The transpose of a cosine transform is that of another type, but for the ends that some types halve; its inverse is one
# of another type as well, with the other norm.


@rule(scipy_fft.dct, cases=REAL)
def _(x, type=2, n=None, axis=-1, norm=None):
    y = scipy_fft.dct(x, type, n, axis, norm)

    y_dot = scipy_fft.dct(x_dot, type, n, axis, norm)

    back = scipy_fft.dct(ends_times(2.0, y_bar, transposed_type(type), axis, norm), transposed_type(type), axis=axis, norm=norm)
    x_bar += fitted(ends_times(0.5, back, type, axis, norm), x)


@rule(scipy_fft.dst, cases=REAL)
def _(x, type=2, n=None, axis=-1, norm=None):
    y = scipy_fft.dst(x, type, n, axis, norm)

    y_dot = scipy_fft.dst(x_dot, type, n, axis, norm)

    back = scipy_fft.dst(ends_times(2.0, y_bar, transposed_type(type), axis, norm, True), transposed_type(type), axis=axis, norm=norm)
    x_bar += fitted(ends_times(0.5, back, type, axis, norm, True), x)


@rule(scipy_fft.idct, cases=REAL)
def _(x, type=2, n=None, axis=-1, norm=None):
    y = scipy_fft.idct(x, type, n, axis, norm)

    y_dot = scipy_fft.idct(x_dot, type, n, axis, norm)

    back = scipy_fft.dct(ends_times(2.0, y_bar, type, axis, norm), type, axis=axis, norm=dual_norm(norm))
    x_bar += fitted(ends_times(0.5, back, transposed_type(type), axis, norm), x)


@rule(scipy_fft.idst, cases=REAL)
def _(x, type=2, n=None, axis=-1, norm=None):
    y = scipy_fft.idst(x, type, n, axis, norm)

    y_dot = scipy_fft.idst(x_dot, type, n, axis, norm)

    back = scipy_fft.dst(ends_times(2.0, y_bar, type, axis, norm, True), type, axis=axis, norm=dual_norm(norm))
    x_bar += fitted(ends_times(0.5, back, transposed_type(type), axis, norm, True), x)


@rule(scipy_fft.fftshift, conjugates=True, cases=["(5,)", "(4,5) axes=1", "complex(4,)"])
def _(x, axes=None):
    y = scipy_fft.fftshift(x, axes)

    y_dot = scipy_fft.fftshift(x_dot, axes)

    x_bar += scipy_fft.ifftshift(y_bar, axes)


@rule(scipy_fft.ifftshift, conjugates=True, cases=["(5,)", "(4,5) axes=1", "complex(4,)"])
def _(x, axes=None):
    y = scipy_fft.ifftshift(x, axes)

    y_dot = scipy_fft.ifftshift(x_dot, axes)

    x_bar += scipy_fft.fftshift(y_bar, axes)


constant(scipy_fft.fftfreq, scipy_fft.rfftfreq, scipy_fft.next_fast_len)
