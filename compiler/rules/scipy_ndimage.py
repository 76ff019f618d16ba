"""scipy.ndimage: linear filters, whose adjoint is the filter with its kernel reversed.

The borders are an extension of the image before the filter (`mode`), so the adjoint filters a
zero-extended adjoint and then folds the extension back: `folded`.
"""

from scipy import ndimage

from pullback.compiler.rules.language import rule
from pullback.runtime.images import folded, reach, reversed_kernel, total_order, widened

MODES = [f"(6,5) mode='{m}'" for m in ("reflect", "constant", "nearest", "mirror", "wrap")]
KERNEL = "array([1.0,2.0,-0.5])"
SQUARE = "array([[1.0,2.0,-0.5],[0.3,0.1,0.7]])"


@rule(ndimage.correlate1d, real=True, cases=[f"(6,5) {KERNEL}", f"(6,5) {KERNEL} axis=0 mode='wrap'",
                                  f"(6,) {KERNEL} mode='constant'", "(6,) array([1.0,2.0])"])
def _(input, weights, axis=-1, *, mode="reflect"):
    y = ndimage.correlate1d(input, weights, axis, mode=mode)

    y_dot = ndimage.correlate1d(input_dot, weights, axis, mode=mode)

    wide = widened(y_bar, len(weights), axis)
    back = ndimage.convolve1d(wide, weights, axis, mode="constant")
    input_bar += folded(back, input, len(weights), mode, axis)


@rule(ndimage.convolve1d, real=True, cases=[f"(6,5) {KERNEL}", f"(6,5) {KERNEL} axis=0 mode='wrap'",
                                 f"(6,) {KERNEL} mode='constant'", "(6,) array([1.0,2.0])"])
def _(input, weights, axis=-1, *, mode="reflect"):
    y = ndimage.convolve1d(input, weights, axis, mode=mode)

    y_dot = ndimage.convolve1d(input_dot, weights, axis, mode=mode)

    wide = widened(y_bar, len(weights), axis)
    back = ndimage.correlate1d(wide, weights, axis, mode="constant")
    input_bar += folded(back, input, len(weights), mode, axis)


@rule(ndimage.correlate, real=True, cases=[f"(6,5) {SQUARE}", f"(6,5) {SQUARE} mode='nearest'"])
def _(input, weights, *, mode="reflect"):
    y = ndimage.correlate(input, weights, mode=mode)

    y_dot = ndimage.correlate(input_dot, weights, mode=mode)

    wide = widened(y_bar, max(weights.shape))
    back = ndimage.convolve(wide, weights, mode="constant")
    input_bar += folded(back, input, max(weights.shape), mode)


@rule(ndimage.convolve, real=True, cases=[f"(6,5) {SQUARE}", f"(6,5) {SQUARE} mode='constant'"])
def _(input, weights, *, mode="reflect"):
    y = ndimage.convolve(input, weights, mode=mode)

    y_dot = ndimage.convolve(input_dot, weights, mode=mode)

    wide = widened(y_bar, max(weights.shape))
    back = ndimage.correlate(wide, weights, mode="constant")
    input_bar += folded(back, input, max(weights.shape), mode)


@rule(ndimage.gaussian_filter, real=True, cases=["(6,5) 0.7", "(6,5) (0.5,0.8) mode='wrap'", "(8,) 0.6 mode='nearest'",
                                      "(6,5) 0.7 order=(1,0)"])
def _(input, sigma, order=0, *, mode="reflect", truncate=4.0):
    y = ndimage.gaussian_filter(input, sigma, order, mode=mode, truncate=truncate)

    y_dot = ndimage.gaussian_filter(input_dot, sigma, order, mode=mode, truncate=truncate)

    r = reach(sigma, truncate)
    back = ndimage.gaussian_filter(widened(y_bar, r), sigma, order, mode="constant", truncate=truncate)
    input_bar += (-1.0) ** total_order(order, input) * folded(back, input, r, mode)


@rule(ndimage.gaussian_filter1d, real=True, cases=["(6,5) 0.7", "(6,5) 0.7 axis=0 mode='mirror'", "(8,) 0.6 order=1"])
def _(input, sigma, axis=-1, order=0, *, mode="reflect", truncate=4.0):
    y = ndimage.gaussian_filter1d(input, sigma, axis, order, mode=mode, truncate=truncate)

    y_dot = ndimage.gaussian_filter1d(input_dot, sigma, axis, order, mode=mode, truncate=truncate)

    r = reach(sigma, truncate)
    wide = widened(y_bar, r, axis)
    back = ndimage.gaussian_filter1d(wide, sigma, axis, order, mode="constant", truncate=truncate)
    input_bar += (-1.0) ** order * folded(back, input, r, mode, axis)


@rule(ndimage.uniform_filter, real=True, cases=["(6,5)", "(6,5) 2", "(6,5) size=(3,2) mode='wrap'",
                                      "(6,5) mode=['constant','mirror']"])
def _(input, size=3, *, mode="reflect"):
    y = ndimage.uniform_filter(input, size, mode=mode)

    y_dot = ndimage.uniform_filter(input_dot, size, mode=mode)

    r = reach(size, 1.0)
    back = ndimage.uniform_filter(widened(y_bar, r), size, mode="constant", origin=reversed_kernel(size, input))
    input_bar += folded(back, input, r, mode)


@rule(ndimage.uniform_filter1d, real=True, cases=["(6,5) 3", "(6,5) 2 axis=0", "(6,) 4 mode='constant'"])
def _(input, size, axis=-1, *, mode="reflect"):
    y = ndimage.uniform_filter1d(input, size, axis, mode=mode)

    y_dot = ndimage.uniform_filter1d(input_dot, size, axis, mode=mode)

    wide = widened(y_bar, size, axis)
    back = ndimage.uniform_filter1d(wide, size, axis, mode="constant", origin=size % 2 - 1)
    input_bar += folded(back, input, size, mode, axis)


@rule(ndimage.sobel, real=True, cases=[*MODES, "(6,5) axis=0"])
def _(input, axis=-1, *, mode="reflect"):
    y = ndimage.sobel(input, axis, mode=mode)

    y_dot = ndimage.sobel(input_dot, axis, mode=mode)

    input_bar += folded(-ndimage.sobel(widened(y_bar, 3), axis, mode="constant"), input, 3, mode)


@rule(ndimage.prewitt, real=True, cases=[*MODES, "(6,5) axis=0"])
def _(input, axis=-1, *, mode="reflect"):
    y = ndimage.prewitt(input, axis, mode=mode)

    y_dot = ndimage.prewitt(input_dot, axis, mode=mode)

    input_bar += folded(-ndimage.prewitt(widened(y_bar, 3), axis, mode="constant"), input, 3, mode)


@rule(ndimage.laplace, real=True, cases=MODES)
def _(input, *, mode="reflect"):
    y = ndimage.laplace(input, mode=mode)

    y_dot = ndimage.laplace(input_dot, mode=mode)

    input_bar += folded(ndimage.laplace(widened(y_bar, 3), mode="constant"), input, 3, mode)
