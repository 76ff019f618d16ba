"""Views that only the run can tell from copies, what is evaluated when, and lists of which NumPy makes arrays."""

import copy
import json

import numpy as np

from regressions import Cases

CASES = case = Cases()
A4 = np.array([0.5, 1.5, 2.5, 3.5])


@case(1.3, A4)
def a_slice_of_unknown_type_is_a_view(x, u):
    v = u * 1.0
    part = v[copy.copy(slice(0, 2))]
    v[0] = part[1] * 2.0 * x
    return np.sum(v) + np.sum(part) * x


@case(1.3, A4)
def a_view_by_an_index_of_unknown_type_is_written(x, u):
    v = u * 1.0
    part = v[copy.copy(slice(0, 2))]
    part[0] = part[1] * 2.0 * x
    return np.sum(v) + np.sum(part) * x


@case(1.3, A4)
def a_list_of_indices_of_unknown_type_copies(x, u):
    v = u * 1.0
    part = v[json.loads("[0, 0, 1]")]
    part[0] = part[1] * 2.0 * x
    v[1] = x
    return np.sum(v) + np.sum(part**2) * x


@case(A4)
def parts_of_a_split_array_are_written(x):
    w = x * 1.0
    a, b = np.split(w, 2)
    a[0] *= b[1] * b[0]
    w[3] = a[1]
    return np.sum(a * b) + np.sum(w**2)


@case(1.3, A4)
def a_list_plus_an_array_is_an_array(x, u):
    y = [x, 2 * x, x * x, 1.0]
    y += u
    return np.sum(y * u)


@case(np.array([[0.5, 1.5, 2.0], [0.3, 0.1, 0.7]]))
def the_value_is_read_before_the_index_is_made(m):
    def halved(r):
        r[2] *= 0.5
        return 0

    m[halved(m[0][::-1])] = m[0][0] * m[1]
    return np.sum(m**2)


@case(0.3, A4)
def a_field_scaled_in_place_in_some_rounds(x, v):
    box = Box(v.copy())
    for step in range(4):
        box.vel = box.vel + x * np.sin(box.vel)
        k = np.sum(box.vel**2)
        if step % 2 == 1:
            s = np.sqrt(1 + 0.1 * k)
            box.vel *= s
        box.log.append((k, 2 * k * x))
    tail = box.log[2:]
    return sum(r[0] for r in tail) / len(tail) + sum(r[0] * r[1] for r in tail) * 1e-3


class Box:
    def __init__(self, vel):
        self.vel = vel
        self.log = []


@case(1.3)
def a_list_rebuilt_in_a_loop(x):
    rec = [0.5, 0.05, 0.0]
    for _ in range(3):
        feed = [x + rec[0], rec[1], rec[2]]
        rec = [f * 0.5 * x for f in feed]
    return rec[0] + rec[1] * x


@case(1.2, A4)
def a_parameter_without_effect_is_bound_anew(x, a):
    a = x
    return np.sin(a)


@case(A4)
def a_method_of_an_array_takes_what_a_helper_returns(u):
    def doubled(v):
        return v * 2.0

    return u.dot(doubled(u)) + np.exp(u).sum() * np.sin(u).dot(doubled(u * u))


@case(0.3, np.array([1.0, 2.0]))
def a_chain_of_comparisons_stops_early(x, u):
    def halved(v):
        v[0] *= 0.5
        return v[0]

    t = 0.0
    if 0.1 < x < halved(u) < 5.0:
        t = x
    if 3.1 < x < halved(u):
        t += x
    return np.sum(u) * (1 + t)


@case(0.7, A4)
def the_sum_of_a_list_that_stays_empty(x, u):
    u[:] = u + sum([each * x for each in []])
    return np.sum(u) * x


@case(A4, np.array([1.0, 2.0, 0.5, 0.1]))
def a_swap_after_a_product_in_place(a, b):
    b *= a
    a, b = (b, a)
    b = a
    return np.sum(a * a)


@case(0.3, A4)
def a_loop_with_an_else_inside_a_branch(x, a):
    if x < 1.0:
        for q in range(3):
            if a[q] > 5.0:
                break
        else:
            a[2] **= 2
    else:
        for q in range(3):
            if a[q] < x:
                continue
            a[q] *= x
    return np.sum(a) * x


@case(1.3, A4)
def a_loop_that_goes_on_inside_a_branch(x, a):
    if x < 1.0:
        x = x * 2.0
    else:
        for q in range(3):
            if a[q] < x:
                continue
            a[q] *= x
        while True:
            a[0] *= x
            if a[0] > 2.0:
                break
        else:
            a[1] *= x
    return np.sum(a) * x


@case(0.7)
def an_array_without_dimension_is_written_in_place(x):
    a = np.array(x)
    before = a[()]
    a[...] = a * 2.0
    a += 1.0
    view = a.reshape(1)
    view[0] *= before
    return float(a) + a.item() * before
