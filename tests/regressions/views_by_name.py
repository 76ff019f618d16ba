"""Views of operands that are named, calls that copy or not by an argument, and results that are what was given."""

import numpy as np

from pullback import grad
from regressions import Cases

CASES = case = Cases()
A33 = np.array([[0.4, 0.7, 1.3], [0.2, -0.5, 0.9], [1.1, 0.3, -0.8]])


def after_writes(a, v):
    """A view sees what is written to the array, and the other way round."""
    a[0] = a[1] * 0.5
    if v.flags.writeable:
        v[..., 0] *= 2.0
    return np.sum(np.sin(a)) + np.sum(v * v)


@case(A33)
def operands_by_name(x):
    total = 0.0
    for which in range(6):
        a = x * 1.0
        if which == 0:
            v = np.transpose(axes=(1, 0), a=a)
        elif which == 1:
            v = np.swapaxes(a=a, axis1=0, axis2=1)
        elif which == 2:
            v = np.flip(m=a)
        elif which == 3:
            v = np.moveaxis(a=a, source=0, destination=1)
        elif which == 4:
            v = np.asarray(a=a)
        else:
            v = np.rot90(m=a)
        total += after_writes(a, v) * (which + 1)
    return total


@case(A33)
def ravelled_by_name(x):
    a = x * 1.0
    v = np.ravel(a=a)
    v[0] = 5.0
    return after_writes(a, np.squeeze(a=a)) + np.sum(v**2)


@case(A33)
def split_and_products_by_name(x):
    parts = np.split(ary=x, indices_or_sections=3)
    return np.sum(np.dot(x, b=x) * np.dot(b=x, a=parts[0])) + np.sum(np.hsplit(ary=x, indices_or_sections=3)[1] ** 2)


@case(A33)
def astype_without_a_copy(x):
    a = x * 1.0
    total = after_writes(a, a.astype(dtype=float, copy=False))
    total += after_writes(a, a.astype(float, "K", "unsafe", True, False))
    total += after_writes(a, a.T.astype(float, order="C", copy=False)) + after_writes(a, np.asanyarray(a.T, order="C"))
    buffer = np.zeros((3, 3))
    v = buffer.astype(float, copy=False)
    v[0] = x[0] * x[1]
    return total + np.sum(buffer**2)


@case(A33)
def other_calls_that_copy_or_not(x):
    a = x * 1.0
    total = after_writes(a, np.array(object=a, copy=None)) + after_writes(a, np.array(a, copy=False, subok=True))
    for v in (np.nan_to_num(a, False), np.nan_to_num(x=a, copy=0)):
        v[1] *= 3.0
    return total + np.sum(a**2)


@case(A33)
def einsum_that_sums_is_a_new_array(x):
    a = x * 1.0
    total = 0.0
    for subscripts in ("ij->j", "...i->..."):
        v = np.einsum("ij->j", a) if subscripts == "ij->j" else np.einsum("...i->...", a)
        a *= 0.5
        v[0] *= 3.0
        total += np.sum(v**2)
    v = np.einsum("ij->ji", a)
    w = np.einsum("ii->i", a)
    a *= 2.0
    return total + np.sum(v**2 * x) + np.sum(w**3)


@case(A33)
def nothing_done_is_no_copy(x):
    a = x * 1.0
    total = after_writes(a, np.diff(a, 0)) + after_writes(a, np.linalg.matrix_power(a, 1))
    for n in range(3):
        v = np.linalg.matrix_power(a, n)
        v[0] *= 0.5
        total += np.sum(v**2) + np.sum(np.diff(a, n=n, axis=0) ** 2)
    return total + np.sum(a)


@case(A33)
def reduced_along_an_axis_of_length_one(x):
    a = x * 1.0
    v = np.subtract.reduce(a[None])
    a *= 3.0
    return np.sum(v**2) + np.sum(a)


@case(A33)
def reduced_with_keepdims_by_position(x):
    return np.sum(np.add.reduce(x, 1, None, None, True) * x) + np.sum(np.maximum.reduce(x, 0, None, None, True) * x)


@case(A33)
def square_root_of_what_is_cut_off(x):
    v = x[1]
    s = np.sqrt(np.maximum(v, 0.0)) * np.arange(1.0, 4.0) + np.sqrt(np.clip(v, 0.0, None)) + np.sqrt(v * (v > 0.0)) * v
    for k in range(3):
        vp = np.maximum(v, 0.0)
        s = s + np.sqrt(vp) * 0.1
        v = v + 0.1 * (0.5 - vp) + np.sqrt(vp) * 0.3 * (k - 1)
    return np.sum(s**2) + np.arccos(np.minimum(x[0, 2], 1.0))


@case(A33)
def zeros_of_integers_or_floats_inside(x):
    def loss(u):
        u[0] *= 2.0
        return np.sin(np.sum(u**2))

    u = np.zeros(3, int) if 1 > 99 else np.exp(x[0])
    return np.sum(grad(loss)(u) * x[1])
