"""scipy.special, the second half: Bessel functions, exponential and elliptic integrals, orthogonal
polynomials.

Formulas: DLMF chapters 6, 7, 10, 14, 15, 18, 19, 25. Orders have no closed slope: central
differences of sixth order.
"""

import math

import numpy as np
from scipy import special

from pullback.compiler.rules.language import elementwise, rule
from pullback.runtime.arrays import masked_product
from pullback.runtime.special import difference_slope


@elementwise(special.j0)
def _(x):
    return -special.j1(x)


@elementwise(special.j1)
def _(x):
    return 0.5 * (special.j0(x) - special.jv(2, x))


@elementwise(special.y0, domain=(0.5, 3.0), singular=True)
def _(x):
    return -special.y1(x)


@elementwise(special.y1, domain=(0.5, 3.0), singular=True)
def _(x, *, z):
    return special.y0(x) - np.divide(z, x)


@elementwise(special.jv, cases=["1.5 pos(3,)", "0 pos()", "pos(3,) pos(3,)"])
def _(v, z):
    return difference_slope(special.jv, 0, v, z), 0.5 * (
        special.jv(v - 1.0, z) - special.jv(v + 1.0, z)
    )


@elementwise(special.yv, cases=["1 pos(3,)", "0 pos()", "pos(3,) pos(3,)"], singular=True)
def _(v, z):
    return difference_slope(special.yv, 0, v, z), 0.5 * (
        special.yv(v - 1.0, z) - special.yv(v + 1.0, z)
    )


@elementwise(special.iv, cases=["1.5 pos(3,)", "0 pos()", "pos(3,) pos(3,)"])
def _(v, z):
    return difference_slope(special.iv, 0, v, z), 0.5 * (
        special.iv(v - 1.0, z) + special.iv(v + 1.0, z)
    )


@elementwise(special.ive, cases=["1.5 pos(3,)", "0 pos()"])
def _(v, z, *, w):
    return ..., 0.5 * (special.ive(v - 1.0, z) + special.ive(v + 1.0, z)) - np.sign(z) * w


@elementwise(special.kv, cases=["1.5 pos(3,)", "0 pos()"], singular=True)
def _(v, z):
    return difference_slope(special.kv, 0, v, z), -0.5 * (
        special.kv(v - 1.0, z) + special.kv(v + 1.0, z)
    )


@elementwise(special.kn, cases=["2 pos(3,)", "0 pos()"], singular=True)
def _(n, x):
    return ..., -0.5 * (special.kv(n - 1.0, x) + special.kv(n + 1.0, x))


@elementwise(special.yn, cases=["2 pos(3,)", "0 pos()"], singular=True)
def _(n, x):
    return ..., 0.5 * (special.yv(n - 1.0, x) - special.yv(n + 1.0, x))


@elementwise(special.kve, cases=["1.5 pos(3,)", "0 pos()"], singular=True)
def _(v, z, *, w):
    return ..., w - 0.5 * (special.kve(v - 1.0, z) + special.kve(v + 1.0, z))


@elementwise(special.i0)
def _(x):
    return special.i1(x)


@elementwise(special.i0e)
def _(x, *, z):
    return special.i1e(x) - np.sign(x) * z


@elementwise(special.i1, domain=(0.5, 3.0))
def _(x):
    return 0.5 * (special.i0(x) + special.iv(2.0, x))


@elementwise(special.i1e, domain=(0.5, 3.0))
def _(x, *, z):
    return 0.5 * (special.i0e(x) + special.ive(2.0, x)) - np.sign(x) * z


@elementwise(special.k0, domain=(0.5, 3.0), singular=True)
def _(x):
    return -special.k1(x)


@elementwise(special.k1, domain=(0.5, 3.0), singular=True)
def _(x, *, z):
    return -special.k0(x) - np.divide(z, x)


@elementwise(special.k0e, domain=(0.5, 3.0), singular=True)
def _(x, *, z):
    return z - special.k1e(x)


@elementwise(special.k1e, domain=(0.5, 3.0), singular=True)
def _(x, *, z):
    return z - special.k0e(x) - np.divide(z, x)


@elementwise(special.expi, domain=(0.5, 3.0), singular=True)
def _(x):
    return np.divide(np.exp(x), x)


@elementwise(special.exp1, domain=(0.5, 3.0), singular=True)
def _(z):
    return np.divide(-np.exp(-z), z)


@elementwise(special.expn, cases=["2 pos(3,)", "1 pos()"], singular=True)
def _(n, x):
    return ..., -special.expn(n - 1, x)


@elementwise(special.spence, domain=(1.2, 3.0), singular=True)
def _(z):
    return np.divide(np.log(z), 1.0 - z)


@elementwise(special.lambertw, cases=["pos()", "pos(3,)"])
def _(z, *, w):
    return np.exp(-w) / (1.0 + w)


@elementwise(special.ellipk, domain=(0.1, 0.9), singular=True)
def _(m, *, z):
    return (special.ellipe(m) - (1.0 - m) * z) / (2.0 * m * (1.0 - m))


@elementwise(special.ellipe, domain=(0.1, 0.9), singular=True)
def _(m, *, z):
    return (z - special.ellipk(m)) / (2.0 * m)


@elementwise(special.zeta, cases=["2.5 pos(3,)", "3.0 pos()"], singular=True)
def _(x, q):
    return ..., -x * special.zeta(x + 1.0, q)


@elementwise(special.hyp2f1, singular=True, cases=[
    "0.5 1.5 2.5 unit(3,)", "pos() 1.5 2.5 unit()", "0.5 pos() pos() unit()",
])
def _(a, b, c, z):
    return (
        difference_slope(special.hyp2f1, 0, a, b, c, z),
        difference_slope(special.hyp2f1, 1, a, b, c, z),
        difference_slope(special.hyp2f1, 2, a, b, c, z),
        a * b / c * special.hyp2f1(a + 1.0, b + 1.0, c + 1.0, z),
    )


@elementwise(special.hyp1f1, cases=["0.5 1.5 (3,)", "pos() pos() ()"], singular=True)
def _(a, b, x):
    return (
        difference_slope(special.hyp1f1, 0, a, b, x),
        difference_slope(special.hyp1f1, 1, a, b, x),
        a / b * special.hyp1f1(a + 1.0, b + 1.0, x),
    )


@elementwise(special.hyp0f1, cases=["0.5 (3,)", "pos() ()"], singular=True)
def _(v, z):
    return difference_slope(special.hyp0f1, 0, v, z), special.hyp0f1(v + 1.0, z) / v


@elementwise(special.eval_legendre, cases=["3 unit(3,)", "1 unit()"])
def _(n, x, *, p):
    return ..., n * (special.eval_legendre(n - 1, x) - x * p) / (1.0 - x * x)


@elementwise(special.eval_chebyt, cases=["3 unit(3,)", "1 unit()"])
def _(n, x):
    return ..., n * special.eval_chebyu(n - 1, x)


@elementwise(special.eval_hermite, cases=["3 (3,)", "1 ()"])
def _(n, x):
    return ..., 2.0 * n * special.eval_hermite(n - 1, x)


@elementwise(special.eval_hermitenorm, cases=["3 (3,)", "1 ()"])
def _(n, x):
    return ..., n * special.eval_hermitenorm(n - 1, x)


@elementwise(special.eval_laguerre, cases=["3 pos(3,)", "1 pos()"])
def _(n, x):
    return ..., -special.eval_genlaguerre(n - 1, 1.0, x)


@elementwise(special.spherical_jn, cases=["2 pos(3,)", "0 pos()"])
def _(n, z):
    return ..., special.spherical_jn(n, z, True)


@elementwise(special.spherical_yn, cases=["2 pos(3,)", "0 pos()"], singular=True)
def _(n, z):
    return ..., special.spherical_yn(n, z, True)


@elementwise(special.wofz, cases=["complex(3,)", "(3,)"])
def _(z, *, w):
    return -2.0 * z * w + 2j / math.sqrt(math.pi)


@rule(special.fresnel, cases=["()", "(3,)"])
def _(z):
    s, c = special.fresnel(z)

    s_dot = np.sin(0.5 * math.pi * z * z) * z_dot
    c_dot = np.cos(0.5 * math.pi * z * z) * z_dot

    z_bar += s_bar * np.sin(0.5 * math.pi * z * z)
    z_bar += c_bar * np.cos(0.5 * math.pi * z * z)


@rule(special.sici, cases=["pos()", "pos(3,)"])
def _(x):
    s, c = special.sici(x)

    s_dot = np.sinc(x / math.pi) * x_dot
    c_dot = np.cos(x) / x * x_dot

    x_bar += s_bar * np.sinc(x / math.pi)
    x_bar += masked_product(c_bar, np.divide(np.cos(x), x))


@rule(special.airy, cases=["()", "(3,)"])
def _(z):
    ai, aip, bi, bip = special.airy(z)

    ai_dot = aip * z_dot
    aip_dot = z * ai * z_dot
    bi_dot = bip * z_dot
    bip_dot = z * bi * z_dot

    z_bar += ai_bar * aip
    z_bar += aip_bar * z * ai
    z_bar += bi_bar * bip
    z_bar += bip_bar * z * bi
