"""scipy.signal: convolutions in any number of dimensions, and linear filters.

A recursive filter y = (B / A) x is linear in x, and its adjoint is the same filter run backwards in
time. Its slope in a coefficient is a shifted copy of x (or y) filtered by 1 / A.
"""

import numpy as np
from scipy import signal

from pullback.compiler.rules.language import constant, rule
from pullback.runtime.signal import shifted_products, whole_of

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
