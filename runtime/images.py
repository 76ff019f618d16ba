"""What the rules of image filters name. Every function needs NumPy alone and others of this file."""

import math

import numpy as np

EXTENSIONS = {  # what scipy.ndimage's modes are called by np.pad
    "reflect": "symmetric",
    "grid-mirror": "symmetric",
    "nearest": "edge",
    "mirror": "reflect",
    "wrap": "wrap",
    "grid-wrap": "wrap",
    "constant": "constant",
    "grid-constant": "constant",
}


def widths(ndim, r, axis=None):
    """r entries on either side, along every axis or along one."""
    return [(r, r) if axis is None or i == axis % ndim else (0, 0) for i in range(ndim)]


def widened(bar, r, axis=None):
    """bar between r zeros on either side, along every axis or along one."""
    return np.pad(bar, widths(np.ndim(bar), r, axis))


def folded(bar, image, r, mode="reflect", axis=None):
    """The adjoint of an image from that of its extension by r on either side, the way `mode` extends."""
    shape = np.shape(image)
    origins = np.reshape(np.arange(math.prod(shape)), shape)
    modes = [mode] * len(shape) if isinstance(mode, str) else mode
    for i in range(len(shape)) if axis is None else (axis,):
        kind = EXTENSIONS[modes[i]]
        if kind == "constant":
            bar = np.take(bar, np.arange(r, r + shape[i]), i)
        else:
            origins = np.pad(origins, widths(len(shape), r, i), kind)
    return np.reshape(np.bincount(np.ravel(origins), np.ravel(bar), math.prod(shape)), shape)


def reach(sigma, truncate=4.0):
    """How many entries away a filter of this width, cut at `truncate` widths, still looks (or more)."""
    return int(truncate * float(np.max(sigma)) + 0.5) + 1


def reversed_kernel(size, image):
    """The origins that make uniform_filter's kernels of `size` run the other way: -1 where a size is even."""
    sizes = [size] * np.ndim(image) if np.ndim(size) == 0 else size
    return [n % 2 - 1 for n in sizes]


def total_order(order, image):
    """The order of derivation of a Gaussian filter, summed over the axes."""
    return order * np.ndim(image) if np.ndim(order) == 0 else sum(order)
