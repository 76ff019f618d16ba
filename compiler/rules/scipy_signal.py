"""scipy.signal: convolutions in any number of dimensions, and linear filters.

A recursive filter y = (B / A) x is linear in x, and its adjoint is the same filter run backwards in
time. Its slope in a coefficient is a shifted copy of x (or y) filtered by 1 / A.
"""

import numpy as np
from scipy import signal

from pullback.compiler.rules.language import constant, rule
from pullback.runtime.fourier import fitted
from pullback.runtime.signal import (
    at_first,
    between_zeros,
    extension_adjoint,
    filter_edge,
    shifted_products,
    whole_of,
    windows_adjoint,
)

CONVOLUTIONS = [
    f"({n},) ({m},) mode='{mode}'"
    for n, m in ((5, 3), (3, 5), (4, 4))
    for mode in ("full", "same", "valid")
] + ["(4,5) (2,3)", "(4,5) (2,3) mode='same'", "(4,5) (2,3) mode='valid'"]


@rule(signal.convolve, real=True, cases=CONVOLUTIONS)
def _(in1, in2, mode="full", method="auto"):
    y = signal.convolve(in1, in2, mode, method)

    y_dot = signal.convolve(in1_dot, in2, mode, method) + signal.convolve(
        in1, in2_dot, mode, method
    )

    in1_bar += signal.correlate(whole_of(y_bar, in1, in2, mode), in2, "valid")
    in2_bar += signal.correlate(whole_of(y_bar, in1, in2, mode), in1, "valid")


@rule(signal.fftconvolve, signal.oaconvolve, real=True, cases=CONVOLUTIONS)
def _(in1, in2, mode="full"):
    y = signal.fftconvolve(in1, in2, mode)

    y_dot = signal.fftconvolve(in1_dot, in2, mode) + signal.fftconvolve(in1, in2_dot, mode)

    in1_bar += signal.correlate(whole_of(y_bar, in1, in2, mode), in2, "valid")
    in2_bar += signal.correlate(whole_of(y_bar, in1, in2, mode), in1, "valid")


@rule(signal.correlate, real=True, cases=CONVOLUTIONS)
def _(in1, in2, mode="full", method="auto"):
    y = signal.correlate(in1, in2, mode, method)  # the convolution of in1 with in2 reversed

    y_dot = signal.correlate(in1_dot, in2, mode, method) + signal.correlate(
        in1, in2_dot, mode, method
    )

    in1_bar += signal.convolve(whole_of(y_bar, in1, in2, mode), in2, "valid")
    in2_bar += np.flip(signal.correlate(whole_of(y_bar, in1, in2, mode), in1, "valid"))


@rule(signal.lfilter, cases=["pos(2,) pos(3,)+1 (6,)", "pos(2,) pos(2,) (2,5)",
                             "pos(2,) pos(2,) (5,2) axis=0", "pos(3,) array([1.0]) (5,)"])
def _(b, a, x, axis=-1):
    y = signal.lfilter(b, a, x, axis)

    y_dot = (signal.lfilter(b, a, x_dot, axis) + signal.lfilter(b_dot, a, x, axis)
             - signal.lfilter(a_dot, a, y, axis))

    x_bar += np.flip(signal.lfilter(b, a, np.flip(y_bar, axis), axis), axis)
    b_bar += shifted_products(y_bar, signal.lfilter([1.0], a, x, axis), len(b), axis)
    a_bar += -shifted_products(y_bar, signal.lfilter([1.0], a, y, axis), len(a), axis)


@rule(signal.sosfilt, cases=[
    "array([[0.2,0.4,0.2,1.0,-0.5,0.3]]) (6,)",
    "array([[0.2,0.4,0.2,1.0,-0.5,0.3],[1.0,0.1,0.0,1.0,0.2,0.1]]) (5,2) axis=0",
])
def _(sos, x, axis=-1):
    y = signal.sosfilt(sos, x, axis)

    y_dot = signal.sosfilt(sos, x_dot, axis)

    x_bar += np.flip(signal.sosfilt(sos, np.flip(y_bar, axis), axis), axis)


@rule(signal.filtfilt, real=True, cases=[
    "array([0.2,0.3]) array([1.0,-0.5]) (12,)", "array([0.2,0.3,0.1]) array([1.0]) (2,12)",
    "array([0.2,0.3]) array([1.0,-0.5,0.2]) (12,2) axis=0", "array([0.2,0.3]) array([1.0,-0.5]) (8,) padtype='even' padlen=3",
    "array([0.2,0.3]) array([1.0,-0.5]) (8,) padlen=0", "array([0.2,0.3]) array([1.0,-0.5]) (8,) padtype=None",
    "array([0.2,0.3]) array([1.0,-0.5]) (8,) padtype='constant'",
])
def _(b, a, x, axis=-1, padtype="odd", padlen=None):
    y = signal.filtfilt(b, a, x, axis, padtype, padlen)

    y_dot = signal.filtfilt(b, a, x_dot, axis, padtype, padlen)

    edge = filter_edge(b, a, padtype, padlen)
    bar = np.flip(between_zeros(np.moveaxis(y_bar, axis, 0), edge), 0)
    start = signal.lfilter(b, a, np.zeros(len(bar)), zi=signal.lfilter_zi(b, a))[0]  # each run starts as if it had stood
    bar = np.flip(signal.lfilter(b, a, np.flip(bar, 0), 0), 0) + at_first(np.tensordot(start, bar, 1), len(bar))
    bar = np.flip(bar, 0)
    bar = np.flip(signal.lfilter(b, a, np.flip(bar, 0), 0), 0) + at_first(np.tensordot(start, bar, 1), len(bar))
    x_bar += np.moveaxis(extension_adjoint(bar, edge, padtype), 0, axis)


@rule(signal.savgol_filter, real=True, cases=[
    "(8,) 5 2", "(9,2) 3 1 axis=0", "(2,7) 5 3 deriv=1 delta=0.5", "(5,) 5 2", "(8,) 4 2",
])
def _(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1):
    y = signal.savgol_filter(x, window_length, polyorder, deriv, delta, axis)

    y_dot = signal.savgol_filter(x_dot, window_length, polyorder, deriv, delta, axis)

    window = signal.savgol_filter(np.eye(window_length), window_length, polyorder, deriv, delta, 0)
    kernel = signal.savgol_coeffs(window_length, polyorder, deriv, delta, use="dot")
    x_bar += np.moveaxis(windows_adjoint(np.moveaxis(y_bar, axis, 0), window, kernel), 0, axis)


@rule(signal.hilbert, conjugates=True, cases=["(6,)", "(5,)", "(2,5)", "(4,2) axis=0", "(5,) 8", "(5,) 4"])
def _(x, N=None, axis=-1):
    y = signal.hilbert(x, N, axis)

    y_dot = signal.hilbert(x_dot, N, axis)

    x_bar += fitted(np.real(y_bar) - np.imag(signal.hilbert(np.imag(y_bar), None, axis)), x)


@rule(signal.detrend, cases=["(6,)", "(2,5) type='constant'", "(5,2) axis=0"])
def _(data, axis=-1, type="linear"):
    y = signal.detrend(data, axis, type)

    y_dot = signal.detrend(data_dot, axis, type)

    data_bar += signal.detrend(y_bar, axis, type)  # an orthogonal projection


constant(
    signal.find_peaks,
    signal.argrelextrema,
    signal.argrelmax,
    signal.argrelmin,
    signal.get_window,
    signal.firwin,
    signal.butter,
)


@rule(signal.convolve2d, real=True, cases=[
    "(4,5) (2,3)", "(4,5) (2,3) mode='same'", "(4,5) (2,3) mode='valid'",
])
def _(in1, in2, mode="full"):
    y = signal.convolve2d(in1, in2, mode)

    y_dot = signal.convolve2d(in1_dot, in2, mode) + signal.convolve2d(in1, in2_dot, mode)

    in1_bar += signal.correlate(whole_of(y_bar, in1, in2, mode), in2, "valid")
    in2_bar += signal.correlate(whole_of(y_bar, in1, in2, mode), in1, "valid")
