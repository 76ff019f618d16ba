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


def transform_matrix(n, kind, norm=None, sine=False):
    """The matrix of scipy.fft.dct (dst) of this type and norm, n by n. (DCT-I scales its ends for
    norm "ortho".)"""
    k, j = np.arange(n)[:, None], np.arange(n)
    if sine:
        angle = {
            1: (k + 1) * (j + 1) / (n + 1),
            2: (k + 1) * (j + 0.5) / n,
            3: (k + 0.5) * (j + 1) / n,
            4: (k + 0.5) * (j + 0.5) / n,
        }[kind]
        m = 2.0 * np.sin(np.pi * angle)
        half = {3: j == n - 1}.get(kind)
        size = 2 * (n + 1) if kind == 1 else 2 * n
    else:
        angle = {
            1: k * j / max(n - 1, 1),
            2: k * (j + 0.5) / n,
            3: (k + 0.5) * j / n,
            4: (k + 0.5) * (j + 0.5) / n,
        }[kind]
        m = 2.0 * np.cos(np.pi * angle)
        half = {1: (j == 0) | (j == n - 1), 3: j == 0}.get(kind)
        size = 2 * (n - 1) if kind == 1 else 2 * n
    if norm != "ortho":
        if half is not None:
            m = np.where(half, 0.5 * m, m)
        return m / size if norm == "forward" else m
    ends = {
        (False, 1): (0, n - 1),
        (False, 2): (0,),
        (False, 3): (0,),
        (True, 2): (n - 1,),
        (True, 3): (n - 1,),
    }
    scale = np.ones(n)
    scale[list(ends.get((sine, kind), ()))] = np.sqrt(0.5)
    m = m / np.sqrt(2.0 * (n + 1 if sine and kind == 1 else n - 1 if kind == 1 else n))
    if kind == 1 and not sine:
        return m * scale[:, None] * scale
    return m * (scale[:, None] if kind == 2 else scale)


def cosine_transposed(bar, kind=2, axis=-1, norm=None):
    """The adjoint of scipy.fft.dct of this type along `axis`."""
    matrix = transform_matrix(np.shape(bar)[axis], kind, norm)
    return np.moveaxis(np.moveaxis(bar, axis, -1) @ matrix, -1, axis)


def sine_transposed(bar, kind=2, axis=-1, norm=None):
    """The adjoint of scipy.fft.dst of this type along `axis`."""
    matrix = transform_matrix(np.shape(bar)[axis], kind, norm, True)
    return np.moveaxis(np.moveaxis(bar, axis, -1) @ matrix, -1, axis)
