"""Views of arrays that a container holds, items of what may be a number or an array, parts that NumPy splits off."""

import contextlib
import copy
import functools
import itertools
import math
import operator

import numpy as np

from regressions import Cases

A3 = np.array([0.4, -0.7, 1.1])
M = np.array([[0.3, -0.8, 0.5], [1.1, 0.2, -0.4]])
CASES = case = Cases()


@case(M)
def view_of_an_array_in_a_dict(m):
    d = {"p": m}
    d["p"][1] += np.asarray(d["p"])[1]
    return np.sum(m * m)


@case(M)
def reshaped_arrays_of_a_list(m):
    held = [m for _ in range(2)]
    s = 0.0
    for i in range(2):
        b = np.reshape(held[i], (3, 2))
        b[0] *= 2.0
        s += np.sum(b[1] * b[0])
    return np.sum(m * m) + s


@case(M)
def views_and_copies_of_arrays_in_lists(m):
    held = [[m], (m.T,)]
    b = held[1][0].ravel()
    b[0] *= 3.0
    c = held[0][0].ravel()
    c[1] *= 2.0
    return np.sum(m * m) + b @ c


@case(0.3, A3)
def entry_of_what_may_be_a_number(x, a):
    def get(d, key):
        return d[key]

    d = {"p": x, "w": a}
    return get(d, "w")[0] * get(d, "p")


@case(0.3, A3)
def item_getters(x, a):
    d = {"p": x, "w": a}
    return operator.itemgetter("w")(d)[0] * operator.itemgetter("p")(d)


@case(M)
def written_part_of_a_split(m):
    np.split(np.ravel(m), 2)[0] -= 1
    np.split(np.ravel(m.T), 2)[0][:] *= m[0, 0]
    return np.sum(m * m)


@case(M)
def parts_of_a_copy(m):
    p = np.hsplit(np.reshape(m, (2, 3)), [1])
    p[0][:] *= 3.0
    q = np.split(m.ravel(), [1, 1, 4])
    q[2] *= 3.0
    q = np.split(m.T.ravel(), [1, 1, 4])
    q[2] *= 3.0
    return np.sum(m * m) + np.sum(q[2] ** 2)


@case(M)
def halves_of_a_copy(m):
    p = np.split(np.ravel(m.T), 2)
    p[0][:] *= 3.0
    p[1] *= 3.0
    return np.sum(m * m) + np.sum(p[0]) * np.sum(p[1])


@case(0.3, A3)
def dict_display_returned(x, a):
    def made(x, a):
        return {"p": a.mean() * x, "w": np.sin(a * x)}

    def called(x, a):
        return dict(p=a.mean() * x, w=np.sin(a * x))

    return made(x, a)["w"][0] * called(x, a)["w"][1]


@case(A3)
def view_method(a):
    b = a.view()
    b[0] *= 2.0
    return sum(b.tolist()) * a[0]


@case(M)
def lists_of_a_matrix(m):
    b = m.tolist()
    b[0][1] *= 2.0
    return sum(v * v for row in b for v in row) + m[0][0]


@case(0.3, A3)
def partial_primitives(x, a):
    def twice(f, y):
        return f(y) * 2.0

    fs = [functools.partial(np.multiply, x), np.sin, lambda v: v * a[0]]
    f = functools.partial(np.sum, axis=0)
    return sum(f(a[0]) for f in fs) + twice(fs[1], x) + twice(functools.partial(np.multiply, x), a[1]) + f(a)


@case(0.3, A3)
def accumulate_without_function(x, a):
    return sum(itertools.accumulate(a[:-1])) * x


@case(0.3, A3)
def chain_of_array_and_list(x, a):
    b = [x, sum(itertools.chain(a.reshape(-1), [x])), np.sum(a)]
    return b[0] * b[1] * b[2]


@case(0.3, A3)
def starmap_of_pairs(x, a):
    y = list(itertools.starmap(lambda k, v: k * v, enumerate([x, a[0]], 1)))
    return y[0] * y[1]


@case(0.3, A3)
def copied_containers(x, a):
    d = {"p": x, "w": a}
    c = copy.copy(d)
    c["p"] *= 2.0
    c["w"][0] *= 3.0
    b = copy.copy([x, a])
    b[0] *= 2.0
    e = copy.deepcopy(a)
    e[1] *= 5.0
    return d["p"] * c["p"] + np.sum(d["w"]) * b[0] + np.sum(b[1] * e)


@case(0.3, A3)
def helper_that_writes_under_try(x, a):
    def fill(u, x):
        u[0] *= x * x
        u[1] = math.log(x)
        return u[0]

    t = 1.0

    def rebind(v):
        nonlocal t
        t = t * v
        a[2] += t

    try:
        y = fill(a, x)
        rebind(y)
        z = math.log(a[0]) + fill(a, y * y)
    except ValueError:
        a[1] = x
        y = z = 2.0
    return np.sum(a) * y * z * t


@case(A3)
def array_in_a_tuple_in_a_list(a):
    t = [(a,)]
    a *= 3.0
    return np.sum(t[0][0] * a[0])


@case(A3)
def array_in_a_tuple_in_a_tuple(a):
    b = a * 2.0
    t = ((b, 1.0), 2.0)
    b *= 3.0
    return np.sum(t[0][0] * a)


@case(A3)
def arrays_in_tuples_written_in_a_loop(a):
    b = a * 2.0
    t = {"p": (a, 1.0), "q": (b, 2.0)}
    a *= b
    for k in t:
        c, d = t[k]
        c *= d + c
    for (c,) in [(a,), (b,)]:
        c[0] += c[1] * c[2]
    b *= a
    return np.sum(a) + np.sum(b)


@case(0.3, M)
def update_with_items_of_the_dict_itself(x, m):
    d = {"p": m[0], "q": x}
    d.update({"p": d["p"] * d["q"], "q": np.sum(d["p"] ** 2)})
    d["p"] *= 2.0
    d.update(p=d["p"], q=d["q"] * 3.0)
    d["p"][0] *= 5.0
    for _ in range(3):
        d.update(q=d["q"] * x * np.sum(d["p"]), p=d["p"] + 1.0)
    held = [{"p": x}]
    held[0].update(p=abs(held[0]["p"]))
    return np.sum(d["p"]) * d["q"] + m[0, 0] * held[0]["p"]


@case(0.3, A3)
def dict_union_in_place(x, a):
    c = {"q": np.sin(x), "w": x}
    c |= {"q": -0.251 * x}
    e = c
    c |= {"w": x * a[0]}
    return c["q"] * e["w"]


class Body:
    def __init__(self, x):
        self.x = x


@case(0.3, A3)
def class_pattern_with_a_keyword(x, a):
    match Body(x * a[0]):
        case Body(x=r) if r > -0.509:
            y = r * 2.0
        case _:
            y = x
    return y


@case(0.3, A3)
def partial_function_that_is_not_called(x, a):
    def ignoring(f, b):
        return b * 2.0

    return ignoring(functools.partial(np.multiply, -0.981), x) * ignoring(functools.partial(lambda p, q: p * q, 0.3), a[0])


@case(M)
def fields_called_out(m):
    out = m
    c = [lambda v, k=k: out[0, 0] * v * k for k in range(3)]
    d = dict(out=m[1])
    d["out"] *= 2.0
    return c[2](0.54) * c[1](m[0, 1]) + np.sum(d["out"] * m[1])


@case(M, 1.5)
@case(M, -1.5)
def an_array_or_none(m, x):
    row = m[0] if x > 0 else None
    other = row
    if other is not None:
        other[0] *= x
    last = None
    if x < 0:
        last = m[1]
    for v in [last, m[0]]:
        if v is not None:
            v[1] *= x
    return np.sum(m**2)


@case(M, 0.5)
def conversions_to_the_type_it_has(m, x):
    v = np.float64(m[0])
    v[0] = x
    u = np.trim_zeros(m[1] * np.array([0.0, 1.0, 1.0]))
    u[0] *= x
    t = np.trim_zeros(m[1], "b")
    t[-1] = u[0] * v[1]
    return np.sum(m**2) + np.sum(u * x)


@contextlib.contextmanager
def scaled_afterwards(a, k):
    yield a
    a += k


@case(M[0], 0.4)
def an_array_that_a_context_manager_holds(a, k):
    h = a
    with scaled_afterwards(h, k):
        h -= 1.0
    return np.sum(h * h)
