"""Functions of SciPy that work with what others of them return, or with an array from its ends."""

import numpy as np
import scipy.fft
import scipy.linalg
import scipy.signal
import scipy.special

from regressions import Cases

CASES = case = Cases()
A2 = np.array([0.5, -0.3])
A3 = np.array([0.5, -0.3, 0.8])
S22 = np.array([[1.3, 0.2], [0.1, 0.9]])
M23 = np.array([[0.5, 0.9, 0.8], [1.0, 0.8, 1.4]])
SWAPPED = np.array([[0.1, 2.0], [3.0, 1.0]])
SIGNAL = np.sin(np.arange(30) * 0.3) + 0.1 * np.arange(30)


@case(S22, A2)
def systems_factored_once(m, x):
    factors = scipy.linalg.lu_factor(m)
    total = np.prod(np.diag(factors[0]))
    for _ in range(3):
        x = scipy.linalg.lu_solve(factors, x)
        total += np.sum(x * x)
    lu, piv = scipy.linalg.lu_factor(m @ m.T, check_finite=False)
    return total + np.sum(scipy.linalg.lu_solve((lu, piv), m, trans=1) ** 2)


@case(A2, 0.7)
def systems_with_interchanged_rows(x, k):
    factors = scipy.linalg.lu_factor(SWAPPED * k)
    return np.sum(scipy.linalg.lu_solve(factors, x) ** 2) + np.sum(scipy.linalg.lu_solve(factors, x, 1) ** 3)


@case(S22, M23)
def polar_factors(m, a):
    u, p = scipy.linalg.polar(m)
    w, q = scipy.linalg.polar(a, side="left")
    return np.sum(u * p * p) + np.sum(w @ w.T * q) + np.sum(w**3)


@case(SIGNAL, A2)
def filters_run_both_ways(t, x):
    b, a = scipy.signal.butter(3, 0.2)
    sections = scipy.signal.butter(4, 0.2, output="sos")
    smooth = scipy.signal.filtfilt(b, a, np.outer(t, x), axis=0, padtype="even", padlen=20)
    return np.sum(scipy.signal.filtfilt(b, a, t) ** 2) + np.sum(smooth**2) + np.sum(scipy.signal.sosfilt(sections, t) ** 2)


@case(SIGNAL, A2)
def windows_and_envelopes(t, x):
    slopes = scipy.signal.savgol_filter(np.outer(x, t), 5, 3, deriv=1, axis=1)
    analytic = scipy.signal.hilbert(t)
    smooth = scipy.signal.savgol_filter(t, 7, 2)
    return np.sum(smooth**2) + np.sum(slopes**3) + np.sum(np.abs(analytic) ** 1.5) + np.sum(np.angle(analytic)[3:9])


@case(SIGNAL, A3)
def spectra_in_order(t, x):
    power = scipy.fft.fftshift(np.abs(scipy.fft.fft(t)) ** 2)
    return np.sum(power[:20]) + scipy.fft.ifftshift(x)[0] ** 2


@case(A3)
def functions_of_whole_order(x):
    y = x * x + 1.0
    return np.sum(scipy.special.kn(2, y)) + np.sum(scipy.special.yn(1, y)) + scipy.special.comb(y[0] + 5.0, 2, exact=False)
