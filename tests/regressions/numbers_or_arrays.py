"""Programs with one name for a number and an array: on two paths, in two rounds, in a container."""

from dataclasses import dataclass

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])
M2 = np.array([[0.4, -0.7], [1.1, 0.6]])


# --- of a name that is read on neither path afterwards, the types need not fit ---------------------


@case(A3, 1)
@case(A3, -1)
def one_name_for_two_purposes(x, c):
    if c > 0:
        t = 1.5
        y = t * x[0]
    else:
        t = x * 2.0
        t[0] = 3.0
        y = t @ x
    for i in range(2):
        t = float(i) * y
        y = y + t * t
    return y


# --- on two paths, and an array that is written or held: its adjoint has the kind that the path gives it ---


@case(A3)
def grown_from_zero(x):
    total = 0.0
    for i in range(3):
        total = total + x
        total[0] = total[0] * 2
    return total.sum()


@case(A3, 1)
@case(A3, -1)
def chosen_in_a_list(x, c):
    s = x[0] if c > 0 else x
    held = [s]
    return np.sum(held[0] * 2.0)


@case(A3, 1)
@case(A3, -1)
def written_on_one_path(x, c):
    if c > 0:
        s = x[0] * 3.0
    else:
        s = x * 2.0
        s[1] = 0.0
    return np.sum(s * s)


def g(a):
    return a * 2.0


@case(A3, 1)
@case(A3, -1)
def called_with_both(x, c):
    if c > 0:
        s = g(x[0])
    else:
        s = g(x)
    out = [s, s]
    return np.sum(out[0] * out[1])


@case(A3, 1)
@case(A3, -1)
def repeated_in_a_list(x, c):
    if c > 0:
        s = 1.0
    else:
        s = x * 2.0
    out = [s, s]
    for i in range(3):
        out.append(out[i] * x[i])
    return np.sum(out[0] * out[-1])


@case(A3)
def kept_each_round(x):
    best = 0.0
    hist = []
    for i in range(3):
        best = best + x * float(i)
        hist.append(best)
    hist[1][0] = 4.0 * x[2]
    return np.sum(hist[0] * hist[1] * hist[2])


@case(A3)
def momentum(x):
    v = 0.0
    for i in range(3):
        g = np.cos(x) * (i + 1)
        v = 0.9 * v + 0.1 * g
        x = x - v
    return np.sum(x * v)


@case(A3)
def by_a_default_in_a_dict(x):
    m = {}
    for i in range(3):
        key = "a" if i % 2 else "b"
        m[key] = m.get(key, 0.0) + x * float(i + 1)
    return np.sum(m["a"] * m["b"])


@case(A3)
def written_in_a_dict(x):
    m = {}
    for i in range(3):
        key = "a" if i % 2 else "b"
        m[key] = m.get(key, 0.0) + x * float(i + 1)
    m["a"][0] = x[1] * x[1]
    return np.sum(m["a"] * m["b"])


def pick(a, c):
    if c > 0:
        return a.sum()
    return a * 2.0


@case(A3, 1)
@case(A3, -1)
def returned_by_one_function(x, c):
    s = pick(x, c)
    r = [s]
    r.append(r[0] * 2.0)
    q = r[1]
    q = q * x
    q[0] = 1.0
    return np.sum(q * r[0])


@case(A3, 1)
@case(A3, -1)
def out_of_a_pair(x, c):
    pair = (x[0], x)
    s = pair[0] if c > 0 else pair[1]
    s = s * 2.0
    d = {"s": s, "t": 1.0}
    d["t"] = d["s"] * d["t"]
    return np.sum(d["t"] * x)


class Acc:
    def __init__(self):
        self.total = 0.0
    def add(self, v):
        self.total = self.total + v


@case(A3, 1)
@case(A3, -1)
def in_an_attribute(x, c):
    a = Acc()
    for i in range(2):
        a.add(x if c > 0 else x[i])
        a.add(x)
    return np.sum(a.total * x)


@case(A3, 1)
@case(A3, -1)
def of_loop_bodies(x, c):
    for i in range(2):
        if c > 0:
            s = x[i]
        else:
            s = x[i:]
            s[0] = s[0] * 2.0
        y = np.sum(s * s)
    return y + np.sum(s)


@case(A3, 1)
@case(A3, -1)
def added_in_place_to_a_new_one(x, c):
    s = 0.0
    if c > 0:
        s = x.copy()
    s += x
    s = s * x
    return s.sum()


@case(A3, 1)
@case(A3, -1)
def in_slots(x, c):
    xs = [0.0, 0.0, 0.0]
    for i in range(3):
        if c > 0:
            xs[i] = x[i]
        else:
            xs[i] = x * float(i)
    t = 0.0
    for v in xs:
        t = t + v
    return np.sum(t * xs[1])


@case(A3, 1)
@case(A3, -1)
def swapped(x, c):
    a = x[0]
    b = x * 2.0
    b[1] = 5.0
    if c > 0:
        a, b = b, a
    return np.sum(a * b)


@case(A3, 1)
@case(A3, -1)
def begun_as_none(x, c):
    best = None
    for i in range(3):
        v = x[i] if c > 0 else x[i] * x
        if best is None:
            best = v
        elif np.sum(v) > np.sum(best):
            best = v
    out = [best]
    return np.sum(out[0] * out[0])


@case(A3, 1)
@case(A3, -1)
def captured(x, c):
    k = 2.0
    def inner(v):
        return v * k * x[0]
    k = x if c > 0 else 3.0
    h = [k]
    return np.sum(inner(x) * h[0])


@case(A3, 1)
@case(A3, -1)
def unpacked(x, c):
    if c > 0:
        s, t = x[0], x * 1.0
    else:
        s, t = x * 1.0, x[1]
    u = [s, t]
    return np.sum(u[0] * u[1]) + np.sum(s)


@case(A3, 1)
@case(A3, -1)
def pair_of_either_order(x, c):
    if c > 0:
        t = (1.0, x)
    else:
        t = (x, x[0])
    a, b = t
    h = [a, b]
    h.append(h[0] * h[1])
    return np.sum(h[2] * a)


def both(x, c):
    if c > 0:
        return 1.0, x * x
    return x, x[0]


@case(A3, 1)
@case(A3, -1)
def pair_returned_of_either_order(x, c):
    a, b = both(x, c)
    h = [a, b]
    h.append(h[0] * h[1])
    t = both(x, -c)
    h.append(t[0] * t[1])
    return np.sum(h[2] * a) + np.sum(h[-1])


@case(A3, 1)
@case(A3, -1)
def pairs_in_a_list(x, c):
    pairs = []
    for i in range(3):
        if c > 0:
            pairs.append((x[i], x))
        else:
            pairs.append((x, x[i]))
    y = 0.0
    kept = []
    for a, b in pairs:
        kept.append(a)
        y = y + np.sum(a * b)
    return y + np.sum(kept[1])


@case(A3, 2.5, 1)
@case(A3, 2.5, -1)
def parameter_on_one_path(x, s, c):
    if c > 0:
        s = x * s
        s[0] = 1.0
    y = s * x
    return np.sum(y * s)


def scale(s, x, c):
    if c > 0:
        s = x * s
    h = [s]
    return np.sum(h[0] * x)


@case(A3, 2.5, 1)
@case(A3, 2.5, -1)
def parameter_of_a_function(x, s, c):
    return scale(s, x, c) * scale(s * s, x, -c)


@case(A3, 1)
@case(A3, -1)
def bound_by_a_loop(x, c):
    t = 0.0
    h = []
    for t in (0.5, 2.0):
        if c > 0:
            t = t * x
        h.append(t)
    return np.sum(h[0] * h[1] * t)


@case(A3, 1)
@case(A3, -1)
def bound_with_others(x, c):
    s, n = 0.0, 3
    h = []
    for i in range(n):
        s, k = s + x * i, i
        if c > 0 and i == 1:
            s, k = x[k], 2
        h.append(s)
    return np.sum(h[0] * h[1] * h[2] * s)


@case(A3, 1)
@case(A3, -1)
def popped(x, c):
    stack = [x[0], x[1], x * 2.0]
    s = stack.pop()
    if c > 0:
        s = stack.pop()
    stack.append(s)
    t = stack.pop()
    return np.sum(t * s) + np.sum(stack[0])


@case(A3, 1)
@case(A3, -1)
def rebound_by_a_function_inside(x, c):
    k = 2.0
    def bump(v):
        nonlocal k
        k = k * v
        return k
    y = bump(x[0])
    if c > 0:
        y = bump(x)
        y[0] = 3.0
    return np.sum(k * y)


@case(A3, 1)
@case(A3, -1)
def through_a_dict(x, c):
    d = {"a": x[0], "b": x}
    out = {}
    for key in d:
        v = d[key]
        if c > 0:
            v = v * v
        out[key] = v
    out["b"][1] = x[2]
    return np.sum(out["a"] * out["b"])


@case(A3, 1)
@case(A3, -1)
def swapped_in_a_loop(x, c):
    s = x[0] if c > 0 else x
    t = s
    s = s * 2.0
    for _ in range(2):
        s, t = t * s, s
    h = [s, t]
    return np.sum(h[0]) + np.sum(h[1] * x)


def mean(v):
    t = 0.0
    for e in v:
        t = t + e
    return t / len(v)


@case(A3, 1)
@case(A3, -1)
def mean_of_both(x, c):
    rows = [x * 1.0, x * x]
    m = mean(rows)
    s = mean(x)
    r = m if c > 0 else s
    z = [r, m, s]
    m[0] = 2.0
    return np.sum(z[0] * z[1] * z[2])


@case(A3, 1)
def array_rebound_and_written_inside(x, c):
    k = x * 2.0
    def bump(v):
        nonlocal k
        k = k * v
        k[0] = v[1]
        return k.sum()
    y = bump(x)
    y = y + bump(x * x)
    k[1] = 4.0
    return np.sum(k * y)


@case(A3, 1)
def array_rebound_inside_and_written_outside(x, c):
    k = x * 2.0
    def bump(v):
        nonlocal k
        k = k * v
        return k
    y = bump(x)
    y[0] = x[2]
    return np.sum(k * y)


@case(A3, 0)
@case(A3, 2)
def left_by_a_loop_without_rounds(x, n):
    t = x[0] * 2.0
    for t in range(n):
        pass
    return t * x[1]


@case(A3, 0)
@case(A3, 2)
def array_left_by_a_loop_without_rounds(x, n):
    s = x * 2.0
    s[0] = x[1] * x[2]
    y = 1.0
    for s in [0.5, 1.5][:n]:
        y = y * s
    return np.sum(s * x * y)


@case(A3, 0)
@case(A3, 2)
def item_left_by_a_loop(x, n):
    s = x * 2.0
    y = 0.0
    for s in [x[0], x[1]][:n]:
        y = y + s
        s = s * 3.0
    return np.sum(s * x) * (y + 1.0)


@case(A3, 0)
@case(A3, 2)
def array_rebound_in_its_loop(x, n):
    h = []
    s = 2.0
    for i, s in enumerate([1.5, 2.5][:n]):
        h.append(s * x)
        s = h[-1]
        s[0] = 1.0
    return np.sum(s * x)


@case(A3, 1)
@case(A3, -1)
def tried(x, c):
    try:
        s = float("3.0" if c > 0 else "a")
    except ValueError:
        s = 0.5
    h = []
    for i in range(2):
        h.append(s)
        s = s * x
    h.append(s)
    return np.sum(h[1] * h[2] * h[0])


@case(A3, 1)
@case(A3, -1)
def matched(x, c):
    match c:
        case 1:
            s = 2.0
        case _:
            s = 3.0
    h = []
    for i in range(2):
        h.append(s)
        s = s * x
    h.append(s)
    return np.sum(h[1] * h[2] * h[0])


@case(A3, 1)
@case(A3, -1)
def held_by_a_closure(x, c):
    k = 2.0
    out = []
    def push(v):
        out.append(v * k)
    push(x)
    if c > 0:
        k = x * 1.0
        k[0] = 3.0
    push(x)
    return np.sum(out[0] * out[1] * k)


@case(A3, 1)
@case(A3, -1)
def perhaps_none(x, c):
    s = 0.0
    h = []
    for i in range(3):
        if i == 1 and c > 0:
            s = None
        else:
            s = x if i == 0 else 2.0
        if s is not None:
            h.append(s)
    return np.sum(h[0] * h[-1])


@case(A3, 1)
@case(A3, -1)
def summed(x, c):
    from_list = [0.0] * 3
    for i in range(3):
        from_list[i] = x * x[i] if c > 0 else x[i]
    total = sum(from_list)
    m = max(from_list[0], from_list[1]) if c < 0 else from_list[0]
    return np.sum(total * m)


@case(M2, 1)
@case(M2, -1)
def layers(x, c):
    layers = [x, x[0], x[1, 1]]
    out = 1.0
    for w in layers:
        out = out * w
        if c > 0:
            out = out + w
    return np.sum(out)


def norm(v, axis=None):
    r = np.sum(v * v, axis=axis)
    return r


@case(A3, 1)
@case(A3, -1)
def result_of_an_axis(x, c):
    s = norm(x, 0 if c > 0 else None)
    e = 0
    for i in range(2):
        e = e + s
        s = s * (x if c > 0 else 1.0)
    b = [s, e]
    return np.sum(b[0] * b[1])


@dataclass


class State:
    pos: object = 0.0
    vel: object = 0.0


@case(A3, 1)
@case(A3, -1)
def fields_with_defaults(x, c):
    st = State()
    hist = []
    for i in range(3):
        st.vel = 0.9 * st.vel + (x if c > 0 else x[i])
        st.pos = st.pos + 0.1 * st.vel
        hist.append(st.pos)
    return np.sum(hist[0] * hist[1] * hist[2] + st.vel)


@case(A3, 1)
@case(A3, -1)
def bisected(x, c):
    lo, hi = 0.0, x * 2.0
    for i in range(4):
        mid = (lo + hi) * 0.5
        if np.sum(mid) > 4.0:
            hi = mid
        else:
            lo = mid
    h = [lo, hi]
    h[1][0] = x[1]
    return np.sum(h[0] * h[1])


@case(A3, 1)
@case(A3, -1)
def mapped(x, c):
    def f(v):
        return v * v if c > 0 else np.sum(v)
    r = [f(e) for e in (x, x * 2.0)]
    r.append(0.0)
    t = r[0]
    for v in r:
        t = t + v * 2.0
    return np.sum(t * r[1])


def rec(v, n, c):
    if n == 0:
        return 1.0
    if n == 1 and c > 0:
        return v[0]
    return v * rec(v, n - 1, c)


@case(A3, 1)
@case(A3, -1)
def recursive(x, c):
    r = rec(x, 3, c)
    h = [r, rec(x, 1, c), rec(x, 0, c)]
    return np.sum(h[0] * h[1] * h[2])


# --- changed by `+=`, or given another kind once it was read -------------------------------------


@case(A3)
def array_rebound_to_a_constant_after_a_loop(a):
    new = [a * k for k in range(2)]
    y = np.sum(new[1])
    a = np.ones((1, 3))
    return y


@case(A3, 1)
@case(A3, -1)
def array_rebound_to_a_constant_after_a_branch(a, c):
    y = 0.0
    if c > 0:
        y = np.sum(a * a)
    a = np.ones((1, 3))
    return y


@case(A3, 1)
@case(A3, -1)
def arrays_rebound_to_other_things(a, c):
    b = a * 2.0
    y = 0.0
    while c > 0:
        y = y + np.sum(b * a)
        c -= 1
    b = 0.7
    a = "x"
    return y


def two(v):
    return v * 2.0, v * v


@case(A3, 1)
def one_result_rebound(a, c):
    p, q = two(a)
    q = 0.7 if c > 0 else q
    return np.sum(p) * np.sum(q)


@case(A3, 1)
@case(A3, -1)
def added_to_in_place(x, c):
    s = 0.0
    if c > 0:
        s = x * 2
    t = s
    s += x
    return np.sum(s * t)


@case(A3, 1)
@case(A3, -1)
def added_to_in_a_dict(x, c):
    acc = {}
    for i, key in enumerate(["a", "b", "a"]):
        acc.setdefault(key, 0.0)
        acc[key] += x * i if c > 0 else x[i]
    return np.sum(acc["a"] * acc["b"])


@case(A3, 1)
@case(A3, -1)
def values_of_a_dict_in_place(x, c):
    r = {'p': x[0], 'w': x * 2.0}
    for old in r.values():
        old += 0.7
        old *= x[1]
    return np.sum(r['p'] * r['w'])


@case(A3, 1)
@case(A3, -1)
def inert_values_of_a_dict_in_place(x, c):
    r = {'p': 1, 'w': np.zeros(2)}
    for old in r.values():
        old += 0.7
    return np.sum(r['w']) * x[0] * r['p']


@case(A3, 1)
@case(A3, -1)
def held_and_changed_in_place(x, c):
    s = x[0] if c > 0 else x * 1.0
    h = [s]
    s -= x[1]
    h.append(s)
    s *= s
    h[0] /= x[2]
    return np.sum(h[0] * h[1] * s)


class InPlace:
    def __init__(self):
        self.total = 0.0
    def add(self, v):
        self.total += v


@case(A3, 1)
@case(A3, -1)
def added_to_in_an_attribute(x, c):
    a = InPlace()
    for i in range(2):
        a.add(x if c > 0 else x[i])
        a.add(x)
    return np.sum(a.total * x)


@case(A3, 1)
@case(A3, -1)
def held_and_doubled(x, c):
    total = 0
    h = []
    for i in range(3):
        total = total + (x if i != 1 or c > 0 else i)
        h.append(total)
        total *= 2
    return np.sum(h[0] * h[1] * h[2] + total)


@case(A3, 1)
@case(A3, -1)
def added_to_in_slots(x, c):
    xs = [0.0, 0.0]
    for i in range(4):
        xs[i % 2] += x * x[1] if c > 0 else x[i % 3]
    return np.sum(xs[0] * xs[1])


@case(1.5, A3, 1)
@case(1.5, A3, 0)
def view_on_one_path(x, u, c):
    y = u[0] if c else u
    y += x
    return np.sum(y) * np.sum(u)


@case(A3, 1)
@case(A3, -1)
def lists_of_one_length_on_two_paths(x, c):
    if c > 0:
        xs = [x[0], x * 2.0, "a"]
    else:
        xs = [x[1], x * 3.0, "b"]
    return np.sum(xs[0] * xs[1])


@case(A3, 1)
@case(A3, -1)
def defaults_of_a_dict(x, c):
    m = {}
    for i in range(4):
        m[i % 2] = m.get(i % 2, 0.0) + (x * i if c > 0 else x[0])
        m.setdefault("n", None)
        if m["n"] is None:
            m["n"] = x[1]
    return np.sum(m[0] * m[1]) * m["n"]
