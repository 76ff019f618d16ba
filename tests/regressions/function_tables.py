"""Functions that travel: shared variables, tables, callbacks, functions chosen by a branch."""

import functools
import operator

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])


def gsq(x):
    return x * x


class Frame:
    def __init__(self, a):
        self.a = a


@case(0.7, 1.3)
def sibling_without_mention(x, t):
    def f(v):
        return v * x

    def g(v):
        return f(v) + 1.0

    return g(t) * g(x)


@case(0.7, 1.3)
def sibling_passed(x, t):
    def f(v):
        return v * x

    def g(v):
        return f(v) + 1.0

    fs = [f, g]
    return fs[0](t) * fs[1](x) + sum(map(g, [x, t]))


@case(0.7, 1.3)
def user_frame_class(x, t):
    k = x
    fs = [lambda v: v * k]
    k = k * t
    return fs[0](t)


@case(0.7, 1.3)
def user_frame_class_used(x, t):
    k = x
    fs = [lambda v: v * k]
    k = k * t * Frame(x).a
    return fs[0](t)


@case(A3, 0.3)
def array_captured_and_rebound(a, t):
    w = a * t
    fs = []
    for _ in range(3):
        fs.append(lambda: np.sum(w * w))
        w = w + a
    w[0] = t
    return fs[0]() + fs[2]() * t


@case(A3, 0.3)
def array_captured_and_augmented(a, t):
    w = a * t
    fs = []
    for _ in range(3):
        fs.append(lambda: np.sum(w * w))
        w += a
    return fs[0]() + fs[2]() * t


@case(A3, 0.3)
def newton_like(a, t):
    x = t
    for i in range(4):
        g = lambda z: np.sum(z * z * a) - 2.0 + i * 0.1
        x = step(g, x)
    return x


def step(g, x):
    return x - 0.1 * g(x) * g(x + 0.1)


@case(A3, 0.01)
def rk4(a, dt):
    y = a
    for n in range(3):
        y = rk4_step(lambda z, s: -z * z * s + n * a, y, n * dt, dt)
    return np.sum(y)


def rk4_step(f, y, s, h):
    k1 = f(y, s)
    k2 = f(y + 0.5 * h * k1, s + h / 2)
    k3 = f(y + 0.5 * h * k2, s + h / 2)
    k4 = f(y + h * k3, s + h)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


@case(0.7, 1.3)
def memo_dict_of_closures(x, t):
    table = {}
    for i, name in enumerate(["a", "b", "c"]):
        table[name] = lambda v, i=i: v * x + i * t
    return table["a"](t) + table["c"](x)


@case(0.7, 1.3)
def dictcomp_of_lambdas(x, t):
    table = {n: (lambda v: v * x + n * t) for n in range(3)}
    return table[0](t) + table[2](x)


@case(0.7, 1.3)
def list_of_gen_of_lambdas(x, t):
    fs = list(lambda v: v * x + n * t for n in range(3))
    return fs[0](t)


@case(0.7, 1.3)
def nested_comprehension_lambdas(x, t):
    fs = [[lambda v: v * x * i + j * t for j in range(2)] for i in range(3)]
    return fs[0][0](t) + fs[2][1](x) * fs[1][0](t)


@case(0.7, 1.3)
def immediately_called_in_comprehension(x, t):
    return sum((lambda v: v * x * k)(t) for k in range(3))


@case(0.7, 1.3)
def zip_of_gens(x, t):
    return sum(a * b for a, b in zip((v * x for v in (x, t)), (v + t for v in (t, x))))


class Model:
    def __init__(self, act, w):
        self.act = act
        self.w = w

    def forward(self, v):
        return self.act(self.w * v)


@case(0.7, 1.3)
def model_with_activation(x, t):
    m = Model(np.tanh, x)
    n = Model(lambda v: v * t, t)
    return m.forward(t) + n.forward(x)


@case(0.7, 1.3)
def models_in_list(x, t):
    v = x
    for m in [Model(np.tanh, x), Model(lambda v: v * t, t), Model(gsq, t)]:
        v = m.forward(v)
    return v


@case(0.7, 1.3)
def function_or_none(x, t):
    f = None
    if t > 1.0:
        f = lambda v: v * x
    return f(t) if f is not None else t


@case(0.7, 1.3)
def default_function_argument(x, t):
    def run(v, f=np.sin):
        return f(v) * x

    return run(t) + run(t, gsq)


@case(0.7, 1.3)
def default_lambda_argument(x, t):
    def run(v, f=lambda u: u * t):
        return f(v) * x

    return run(t) + run(t, gsq)


@case(0.7, 1.3)
def default_list_mutable(x, t):
    def run(v, acc=[]):
        acc.append(v)
        return sum(acc)

    return run(x) + run(t) * x


@case(0.7, 1.3)
def default_list_made(x, t):
    def run(v, acc=[x, t]):
        return acc[0] * acc[1] * v

    return run(x) + run(t) * x


@case(0.7, 1.3)
def kwonly_default_active(x, t):
    f = lambda v, *, s=x * t: v * s
    return f(t) + f(t, s=2.0 * x)


@case(0.7, 1.3)
def keyword_partial(x, t):
    def f(a, b=1.0, c=2.0):
        return a * b + c * x

    g = functools.partial(f, c=t)
    h = functools.partial(g, b=x)
    return g(t) + h(x)


@case(0.7, 1.3)
def keyword_call_of_value(x, t):
    fs = [lambda v, s=1.0: v * s * x]
    return fs[0](t, s=t) + fs[0](s=x, v=t)


@case(0.7, 1.3)
def star_call_of_value(x, t):
    fs = [lambda v, s=1.0: v * s * x]
    args = (t, x)
    return fs[0](*args)


@case(0.7, 1.3)
def operator_functions(x, t):
    ops = {"+": operator.add, "*": operator.mul}
    s = x
    for o in ("+", "*", "+"):
        s = ops[o](s, t)
    return s


@case(0.7, 1.3, 2)
def table_of_lambdas_by_int(x, t, n):
    table = [lambda v: v * x, lambda v: v + t, lambda v: v * v * t]
    return table[n](x) * table[n - 1](t)


@case(0.7, 1.3)
def mutual_recursion(x, t):
    def even(n, v):
        return v * x if n == 0 else odd(n - 1, v * t)

    def odd(n, v):
        return v if n == 0 else even(n - 1, v + x)

    return even(4, t)


@case(0.7, 1.3)
def nonlocal_through_sibling(x, t):
    n = x

    def bump(v):
        nonlocal n
        n = n * v

    def twice(v):
        bump(v)
        bump(v)
        return n

    return twice(t) + n


@case(0.7, 1.3)
def nonlocal_passed(x, t):
    total = x

    def grow():
        nonlocal total
        total = total * t

    def repeat(f):
        f()
        f()

    repeat(grow)
    return total


@case(0.7, 1.3)
def accumulate_callbacks(x, t):
    hooks = []
    state = [x]
    hooks.append(lambda v: state.append(v * state[-1]))
    hooks.append(lambda v: state.append(v + state[0]))
    for h in hooks:
        h(t)
    return state[-1] * state[1]


@case(0.7, 1.3)
def shadowed_param(x, t):
    k = x

    def f(v):
        return v * k

    def g(k):
        return f(k) + k

    return g(t)


@case(0.7, 1.3)
def conditional_lambda_expr(x, t):
    f = (lambda v: v * x) if t > 1 else (lambda v: v + x)
    return f(t)


@case(0.7, 1.3)
def while_closure_rebound(x, t):
    f = lambda v: v
    n = 0
    while n < 3:
        g = f
        f = lambda v, g=g, n=n: g(v) * x + n
        n += 1
    return f(t)


@case(0.7, 1.3)
def try_closure(x, t):
    def f(v):
        return v * x

    g = f
    y = g(t)
    del g
    return y


@case(A3)
def vectorised_apply(a):
    f = lambda v: v * a[0]
    return sum([f(v) for v in a])


@case(0.7, 1.3)
def same_closure_twice(x, t):
    f = lambda v: v * x
    p = (f, f)
    return p[0](t) * p[1](x)


@case(0.7, 1.3)
def returns_chosen(x, t):
    def pick(c):
        if c > 1.0:
            return lambda v: v * x
        return lambda v: v + t

    return pick(t)(x) + pick(x)(t)


@case(0.7, 1.3)
def kept_in_object(x, t):
    m = Model(gsq, x)
    m.act = lambda v: v * t
    return m.forward(x)


@case(0.7, 1.3)
def shadowed_param_by_keyword(x, t):
    k = x

    def f(v):
        return v * k

    def g(v, k=2.0):
        h = lambda u: u * k
        return f(k) + h(v)

    fs = [g]
    return g(t, k=x) * g(x) + fs[0](t, k=t)
