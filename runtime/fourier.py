"""What the rules of Fourier transforms name. Every function needs NumPy alone and others of this
file.

Adjoints are Hermitian: <bar, fft(x)> = <adjoint, x> with the real inner product.
"""

import numpy as np


def dual_norm(norm):
    """The `norm` with which the inverse transform is the adjoint of the transform that has this
    `norm`."""
    return {None: "forward", "backward": "forward", "forward": "backward", "ortho": "ortho"}[norm]


def fitted(bar, a):
    """bar cut, or padded with zeros, to the shape of a, as the transform did the other way; real
    where a is real."""
    shape = np.shape(a)
    bar = bar[tuple(slice(n) for n in shape)]
    if np.shape(bar) != shape:
        bar = np.pad(bar, [(0, n - m) for n, m in zip(shape, bar.shape)])
    return bar if np.iscomplexobj(a) else np.real(bar)


def transform_axes(a, s=None, axes=None):
    """The axes that an n-dimensional transform of `a` with these arguments runs over."""
    if axes is None:
        return tuple(range(-len(s), 0)) if s is not None else tuple(range(np.ndim(a)))
    return tuple(axes)


def rfft_adjoint(bar, n, axis=-1, norm=None):
    """The adjoint of np.fft.rfft of n real entries along `axis`: those entries' adjoint, real."""
    return np.real(np.fft.ifft(bar, n, axis, dual_norm(norm)))


def irfft_adjoint(bar, axis=-1, norm=None):
    """The adjoint of np.fft.irfft: the half spectrum's adjoint; all but the first (and middle)
    entry count twice."""
    n = np.shape(bar)[axis]
    half = np.fft.rfft(bar, n, axis, dual_norm(norm))
    weights = np.full(half.shape[axis], 2.0)
    weights[0] = 1.0
    if n % 2 == 0:
        weights[-1] = 1.0
    return half * np.reshape(
        weights, [-1 if i == axis % np.ndim(bar) else 1 for i in range(np.ndim(bar))]
    )


def rfftn_adjoint(bar, a, s=None, axes=None, norm=None):
    """The adjoint of np.fft.rfftn(a, s, axes, norm), shape of a."""
    axes = transform_axes(a, s, axes)
    n = np.shape(a)[axes[-1]] if s is None else s[-1]
    if len(axes) > 1:
        bar = np.fft.ifftn(bar, axes=axes[:-1], norm=dual_norm(norm))
    return fitted(rfft_adjoint(bar, n, axes[-1], norm), a)


def irfftn_adjoint(bar, a, s=None, axes=None, norm=None):
    """The adjoint of np.fft.irfftn(a, s, axes, norm), shape of a."""
    axes = transform_axes(a, s, axes)
    half = irfft_adjoint(bar, axes[-1], norm)
    if len(axes) > 1:
        half = np.fft.fftn(half, axes=axes[:-1], norm=dual_norm(norm))
    return fitted(half, a)


def transposed_type(kind):
    """The type of scipy.fft.dct (or dst) whose matrix is the transpose of this one's, but for halves at the ends."""
    return (0, 1, 3, 2, 4)[kind]


def ends_times(factor, a, kind, axis=-1, norm=None, sine=False):
    """`a` with what scipy.fft.dct (dst) of this type halves, at the ends of `axis`, times a factor; norm "ortho" halves
    nothing."""
    ends = [] if norm == "ortho" else [-1] * (kind == 3) if sine else {1: [0, -1], 3: [0]}.get(kind, [])
    weights = np.ones(np.shape(a)[axis], dtype=np.result_type(a))
    weights[ends] = factor
    return a * np.reshape(weights, [-1 if i == axis % np.ndim(a) else 1 for i in range(np.ndim(a))])
