"""Variables captured by functions: looked up when the function is called, defaults when it is made."""

import functools

import numpy as np

from pullback import grad
from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])


@case(0.7, 1.3)
def lambdas_in_comprehension_see_last(x, t):
    fs = [lambda t: t * k * x for k in range(3)]
    return fs[0](t) + fs[1](t) + fs[2](t)


@case(0.7, 1.3)
def lambdas_in_comprehension_see_last_loop(x, t):
    fs = [lambda t: t * k * x for k in range(3)]
    s = 0.0
    for f in fs:
        s = s + f(t)
    return s


@case(0.7, 1.3)
def lambdas_in_comprehension_active(x, t):
    fs = [lambda t: t * k * x for k in (x, x * x, x * t)]
    return sum(f(t) for f in fs)


@case(0.7, 1.3)
def lambdas_appended(x, t):
    fs = []
    for k in range(3):
        fs.append(lambda t: t * k * x)
    return fs[0](t) + fs[1](t) + fs[2](t)


@case(0.7, 1.3)
def lambdas_appended_loop(x, t):
    fs = []
    for k in range(3):
        fs.append(lambda t: t * k * x)
    s = 0.0
    for f in fs:
        s += f(t)
    return s


@case(0.7, 1.3)
def lambdas_appended_active(x, t):
    fs = []
    w = x
    for _ in range(3):
        w = w * x
        fs.append(lambda t: t * w)
    s = 0.0
    for f in fs:
        s += f(t)
    return s


@case(0.7, 1.3)
def default_binds(x, t):
    fs = []
    for k in range(3):
        fs.append(lambda t, k=k: t * k * x)
    return sum(f(t) for f in fs)


@case(0.7, 1.3)
def default_binds_active(x, t):
    fs = []
    w = x
    for _ in range(3):
        w = w * x
        fs.append(lambda t, w=w: t * w)
    return sum(f(t) for f in fs)


@case(0.7, 1.3)
def default_binds_active_comprehension(x, t):
    fs = [lambda t, w=w: t * w for w in (x, x * x, x**3)]
    return sum(f(t) for f in fs)


@case(0.7, 1.3)
def default_active_single(x, t):
    w = x * x
    f = lambda t, w=w: t * w
    w = w * 5.0
    return f(t) + w


@case(0.7, 1.3)
def default_active_def(x, t):
    w = x * x

    def f(t, w=w, *, v=t * x):
        return t * w + v

    w = w * 5.0
    return f(t) + w + f(t, w=x)


@case(0.7, 1.3)
def default_inert_single(x, t):
    n = 2

    def f(t, n=n):
        return t * n * x

    n = 5
    return f(t) * n


@case(0.7, 1.3)
def rebound_after_def(x, t):
    k = 2.0
    f = lambda t: t * k * x
    k = 3.0
    return f(t)


@case(0.7, 1.3)
def rebound_after_def_active(x, t):
    k = x
    f = lambda t: t * k * x
    a = f(t)
    k = x * t
    b = f(t)
    k = k + 1.0
    return a * b + f(t)


@case(0.7, 1.3)
def closure_in_dict(x, t):
    k = x
    d = {"a": lambda t: t * k, "b": lambda t: t * t * k}
    k = x * x
    return d["a"](t) + d["b"](t)


def make(a):
    def f(x):
        return a * x

    return f


@case(0.7, 1.3)
def factory(x, t):
    f = make(x)
    g = make(t)
    return f(t) * g(x) + f(1.0)


@case(0.7, 1.3)
def factory_twice_in_list(x, t):
    fs = [make(x), make(t), make(x * t)]
    return sum(f(t) for f in fs)


@case(0.7, 1.3)
def factory_in_loop(x, t):
    fs = []
    for k in range(3):
        fs.append(make(x * k))
    s = 0.0
    for f in fs:
        s += f(t)
    return s


def counter(a):
    n = a

    def bump(x):
        nonlocal n
        n = n * x
        return n

    return bump


@case(0.7, 1.3)
def factory_nonlocal(x, t):
    b = counter(x)
    return b(t) + b(t) * b(x)


@case(0.7, 1.3)
def local_nonlocal(x, t):
    n = x

    def bump(v):
        nonlocal n
        n = n * v
        return n

    return bump(t) + bump(t) * bump(x) + n


@case(0.7, 1.3)
def nonlocal_seen_by_other(x, t):
    n = x

    def bump(v):
        nonlocal n
        n = n * v

    def read():
        return n * n

    a = read()
    bump(t)
    return a + read()


def apply_twice(f, v):
    return f(f(v))


@case(0.7, 1.3)
def passed_to_helper(x, t):
    k = x
    f = lambda v: v * k
    a = apply_twice(f, t)
    k = k * t
    return a + apply_twice(f, t)


@case(0.7, 1.3)
def passed_to_helper_then_rebound_inside(x, t):
    k = x

    def f(v):
        return v * k

    def helper(g):
        nonlocal k
        a = g(t)
        k = k * t
        return a + g(t)

    return helper(f)


@case(0.7, 1.3)
def branch_chosen_globals(x, t):
    f = make(x) if x > 0.5 else make(t)
    return f(t)


def gsq(x):
    return x * x


def hsin(x):
    return np.sin(x)


@case(0.7, 1.3)
def branch_chosen_global_functions(x, t):
    f = gsq if x > 0.5 else hsin
    return f(t) * x


@case(0.7, 1.3)
def branch_chosen_if(x, t):
    if x > 0.5:
        f = gsq
    else:
        f = np.sin
    return f(t) * x


@case(0.7, 1.3)
def branch_chosen_lambdas(x, t):
    if x > 0.5:
        f = lambda v: v * x
    else:
        f = lambda v: v + x * t
    return f(t) * x


@case(0.7, 1.3)
def branch_defs(x, t):
    if x > 0.5:

        def f(v):
            return v * x
    else:

        def f(v):
            return v + x * t

    return f(t) * x


@case(0.7, 1.3)
def table_literal(x, t):
    return {"a": gsq, "b": hsin}["b"](x) * t


@case(0.7, 1.3, 1)
def table_by_argument(x, t, name):
    return {0: gsq, 1: hsin}[name](x) * t


TABLE = {0: gsq, 1: hsin, 2: np.exp}


@case(0.7, 1.3, 1)
def table_global(x, t, name):
    return TABLE[name](x) * t


@case(0.7, 1.3, 2)
def table_global_get(x, t, name):
    f = TABLE.get(name)
    return f(x) * t


@case(0.7, 1.3)
def list_of_functions_loop(x, t):
    s = t
    for f in [gsq, hsin, np.exp]:
        s = f(s) * x
    return s


STEPS = [gsq, hsin]


@case(0.7, 1.3)
def list_of_global_functions_loop(x, t):
    s = t
    for f in STEPS:
        s = f(s) * x
    return s


@case(0.7, 1.3)
def tuple_of_lambdas_loop(x, t):
    s = t
    for f in (lambda v: v * x, lambda v: v * v * t):
        s = f(s)
    return s


@case(0.7, 1.3, 3)
def recursion_through_variable(x, t, n):
    f = lambda v, n: v * x if n == 0 else f(v * t, n - 1)
    return f(t, n)


@case(0.7, 1.3, 3)
def recursion_def(x, t, n):
    def f(v, n):
        return v * x if n == 0 else f(v * t, n - 1)

    return f(t, n)


@case(0.7, 1.3)
def y_combinator(x, t):
    def f(self, n):
        return x if n == 0 else t * self(self, n - 1)

    return f(f, 3)


@case(A3, 1.2)
def an_array_that_an_inner_function_makes_anew(u, k):
    x = u * k

    def step():
        nonlocal x
        x = x - 0.2 * x

    kept = []
    for _ in range(2):
        step()
        kept.append(x)
    kept[0][1] = 3.0
    return kept[0] @ kept[-1] + x[0]


@case(0.7, 1.3)
def a_dict_that_an_inner_function_makes_anew(x, y):
    state = {"t": x}

    def reset(v):
        nonlocal state
        old = state
        state = {"t": v * old["t"]}
        return old

    first = reset(2.0)
    first["t"] *= 3.0
    second = reset(y)
    return first["t"] + second["t"] * state["t"]


@case(0.7, 1.3)
def a_number_rebound_two_functions_further_in(x, y):
    total = x

    def outer(k):
        def inner(v):
            nonlocal total
            total = total * v + k

        inner(y)
        inner(k)
        return total

    a = outer(2.0)
    b = total
    c = outer(x)
    return a * b + c * total


@case(A3)
def an_array_rebound_and_written_two_functions_further_in(u):
    now = u

    def outer(k):
        def inner():
            nonlocal now
            now = now * k
            now[0] = k

        inner()
        inner()

    outer(1.5)
    kept = now
    outer(0.5)
    kept[1] = 9.0
    return np.sum(kept) + np.sum(now * kept)


class Recorded:
    def __init__(self, v, tape):
        self.v, self.tape = v, tape

    def __mul__(self, other):
        result = Recorded(self.v * other.v, self.tape)
        self.tape.append(lambda g: (g * other.v, g * self.v))
        return result


@case(0.7, 1.2)
def captured_selves_in_a_list(x, y):
    tape = []
    a, b = Recorded(x, tape), Recorded(y, tape)
    product = a * b
    parts = tape[0](product.v)
    return parts[0] * parts[1] + product.v


@case(1.3, A3)
def partial_functions_of_inert_values_beside_closures(x, a):
    made = []
    for k in range(3):
        made.append(lambda v: np.sin(v * k + a[k]))
    made.extend(functools.partial(lambda p, q: p * q, -0.7) for _ in range(2))
    made[-5] = functools.partial(np.multiply, a[0])
    return made[-2](0.4) * x


@case(1.3, A3)
def a_partial_function_of_inert_values_beside_a_closure(x, a):
    either = [lambda c: np.tanh(a[0]) * c, functools.partial(np.multiply, -0.6)]
    again = [each for each in either]
    return again[-1](0.3) + again[0](0.2) * x + sum(f(0.1) for f in again)


@case(A3)
def rebound_after_a_function_was_kept_for_a_function(x):
    w, kept = x * 1.0, []
    for k in range(2):
        kept.append(lambda v, k=k: v * k + w[1])

    def inner():
        return kept[1](2.0)

    def call():
        return inner() * 2

    w = np.cos(w)
    return call()


def secant(function, a, b):
    for _ in range(3):
        a, b = b, b - function(b) * (b - a) / (function(b) - function(a))
    return b


@case(A3)
def functions_handed_on_by_functions_beside_them(x):
    w = x * 1.0

    def line(v):
        return v * v * w[1] - w[0]

    def damped(v):
        return line(v) if v > 0 else 0.5 * damped(v + 1.0)

    def root():
        return secant(line, 0.5, 1.5)

    def each():
        yield line
        yield damped

    def deeper():
        def inner():
            return [line, damped][1](x[2])

        return inner()

    total = root() + deeper() + sum(map(damped, [1.0, x[0]]))
    for function in each():
        total += function(x[1]) * grad(line)(x[2])
    return total


@case(A3)
def inert_functions_handed_on(x):
    def turned(v):
        return -v

    def later(key):
        return sorted([x[1], 3.0, x[2]], key=turned)[0] + grad(turned)(2.0) + (key is turned)

    return later(turned) * x[2]


@case(A3)
def partials_made_in_the_head_of_a_loop(x):
    total = 0.0
    for i, (v, k) in enumerate(zip(functools.partial(map, np.sin)(x), x)):
        total = total * 0.5 + v * k * k * i
    return total
