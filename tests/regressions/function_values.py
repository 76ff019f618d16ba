"""Functions as values: decorators, partial functions, methods, functions in containers and fields."""

import functools

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])


def make(a):
    def f(x):
        return a * x

    return f


def gsq(x):
    return x * x


def hsin(x):
    return np.sin(x)


def twice(g):
    def inner(v):
        return g(g(v))

    return inner


def twice_w(g):
    @functools.wraps(g)
    def inner(*args, **kwargs):
        return 2.0 * g(*args, **kwargs)

    return inner


def scaled(k):
    def deco(g):
        @functools.wraps(g)
        def inner(v):
            return k * g(v)

        return inner

    return deco


@twice
def deco_mod(v):
    return np.sin(v) * v


@twice_w
def deco_wraps(v):
    return np.sin(v) * v


@scaled(3.0)
def deco_param(v):
    return np.sin(v) * v


@scaled(3.0)
@twice_w
def deco_stack(v):
    return np.sin(v) * v


@case(0.7)
def module_decorated(x):
    return deco_mod(x) * x


@case(0.7)
def module_decorated_wraps(x):
    return deco_wraps(x) * x


@case(0.7)
def module_decorated_param(x):
    return deco_param(x) * x


@case(0.7)
def module_decorated_stack(x):
    return deco_stack(x) * x


@case(0.7, 1.3)
def nested_decorated(x, t):
    @twice
    def step(v):
        return v * x

    return step(t)


@case(0.7, 1.3)
def nested_decorated_wraps(x, t):
    @twice_w
    def step(v):
        return v * x

    return step(t)


@case(0.7, 1.3)
def nested_decorated_param(x, t):
    @scaled(t)
    def step(v):
        return v * x

    return step(t)


@case(0.7, 1.3)
def nested_decorated_stack(x, t):
    @scaled(t)
    @twice
    def step(v):
        return v * x

    return step(t)


@case(0.7, 1.3)
def nested_decorated_local_decorator(x, t):
    def deco(g):
        return lambda v: g(v) * t

    @deco
    def step(v):
        return v * x

    return step(t)


@case(0.7, 1.3)
def nested_decorated_lru(x, t):
    @functools.lru_cache
    def step(n):
        return n + 1

    return x * step(2) * t


def register(f):
    REG.append(f.__name__)
    return f


REG = []


@register
def registered(v):
    return v * v * v


@case(0.7)
def decorator_returns_itself(x):
    return registered(x)


@case(0.7, 1.3)
def nested_decorator_returns_itself(x, t):
    def plain(f):
        return f

    @plain
    def step(v):
        return v * x

    return step(t)


@case(0.7, 1.3)
def partial_in_list(x, t):
    def f(a, b):
        return a * b + a

    fs = [functools.partial(f, x), functools.partial(f, t)]
    return fs[0](t) + fs[1](x)


@case(0.7, 1.3)
def partial_in_list_loop(x, t):
    def f(a, b):
        return a * b + a

    fs = [functools.partial(f, x), functools.partial(f, t)]
    return sum(g(t) for g in fs)


@case(0.7, 1.3)
def partial_comprehension(x, t):
    def f(a, b):
        return a * b + a

    fs = [functools.partial(f, x * k) for k in range(3)]
    return sum(g(t) for g in fs)


@case(0.7, 1.3)
def partial_keyword(x, t):
    def f(a, b):
        return a * b + a

    g = functools.partial(f, b=x)
    return g(t) + g(x)


PARTIAL = functools.partial(lambda a, b: a * b + a, 2.0)


@case(0.7, 1.3)
def partial_global(x, t):
    return PARTIAL(x) * t


PARTIALS = {"p": functools.partial(lambda a, b: a * b + a, 2.0)}


@case(0.7, 1.3)
def partial_global_table(x, t):
    return PARTIALS["p"](x) * t


class Obj:
    def __init__(self, k):
        self.k = k

    def method(self, v):
        return self.k * v * v

    @staticmethod
    def stat(v):
        return v * v

    @classmethod
    def cls(cls, v):
        return v * v * 2.0

    def __call__(self, v):
        return self.k * v


OBJ = Obj(2.0)


@case(0.7, 1.3)
def bound_method_value(x, t):
    o = Obj(x)
    f = o.method
    return f(t) + f(x)


@case(0.7, 1.3)
def bound_method_value_late(x, t):
    o = Obj(x)
    f = o.method
    o.k = t
    a = f(t)
    o = Obj(1.0)
    return a + f(x)


@case(0.7, 1.3)
def bound_method_map(x, t):
    o = Obj(x)
    return sum(map(o.method, [x, t]))


@case(0.7, 1.3)
def bound_method_list(x, t):
    o = Obj(x)
    p = Obj(t)
    s = 0.0
    for f in [o.method, p.method]:
        s += f(t)
    return s


@case(0.7, 1.3)
def bound_method_helper(x, t):
    o = Obj(x)
    return twice(o.method)(t)


@case(0.7, 1.3)
def bound_method_global(x, t):
    f = OBJ.method
    return f(x) * t


@case(0.7, 1.3)
def bound_static_class(x, t):
    o = Obj(x)
    f = o.stat
    g = o.cls
    return f(x) * t + g(t)


@case(0.7, 1.3)
def callable_object_passed(x, t):
    o = Obj(x)
    return twice(o)(t)


@case(0.7, 1.3)
def unbound_method_value(x, t):
    f = Obj.method
    return f(Obj(x), t)


@case(0.7, 1.3)
def closure_in_attribute(x, t):
    class Box:
        pass

    o = Obj(x)
    o.f = lambda v: v * t
    return o.f(x) * o.k


@case(0.7, 1.3)
def compose(x, t):
    def comp(*fs):
        def run(v):
            for f in fs:
                v = f(v)
            return v

        return run

    return comp(np.sin, gsq, lambda v: v * t)(x)


@case(0.7, 1.3)
def curry(x, t):
    f = lambda a: lambda b: lambda c: a * b + c
    return f(x)(t)(x)


@case(0.7, 1.3)
def returns_pair_of_closures(x, t):
    def pair(a):
        def get():
            return a

        def mul(v):
            return a * v

        return get, mul

    get, mul = pair(x)
    return get() + mul(t)


@case(0.7, 1.3)
def church(x, t):
    add = lambda f, g: lambda v: f(v) + g(v)
    h = add(np.sin, lambda v: v * t)
    h = add(h, gsq)
    return h(x)


@case(0.7, 1.3)
def composed_in_loop(x, t):
    f = lambda v: v * t
    for _ in range(3):
        f = (lambda g: lambda v: g(v) * x)(f)
    return f(x)


@case(0.7, 1.3)
def reduce_compose(x, t):
    f = functools.reduce(lambda f, g: lambda v: g(f(v)), [np.sin, gsq, lambda v: v * t])
    return f(x)


@case(0.7, 1.3)
def loop_var_after_loop(x, t):
    s = 0.0
    for k in (x, t):
        s = s + k
    f = lambda v: v * k + s
    return f(x)


@case(0.7, 1.3)
def lambda_default_shadow(x, t):
    f = lambda v, x=2.0: v * x
    return f(t) * x


@case(A3)
def closure_writes_captured_array(a):
    w = np.zeros(3)

    def put(i, v):
        w[i] = v * a[i]

    for i in range(3):
        put(i, a[0])
    return np.sum(w * w)


@case(A3)
def closure_rebound_array(a):
    w = a
    f = lambda i: w[i] * a[0]
    s = f(0)
    w = w * w
    s += f(1)
    w[2] = s
    return s + f(2)


@case(0.7, 1.3)
def deleted_and_rebound(x, t):
    k = x
    f = lambda: k * t
    a = f()
    del k
    k = t
    return a + f()


@case(0.7, 1.3)
def inner_called_in_comprehension_before_rebinding(x, t):
    k = x
    f = lambda v: v * k
    xs = [f(v) for v in (x, t)]
    k = t
    return sum(xs) + sum(f(v) for v in (x, t))


@case(0.7, 1.3)
def sort_key_closure(x, t):
    k = x
    f = lambda v: v * k
    return sorted([x, t, 0.1], key=f)[0] * t


@case(0.7, 1.3)
def conditional_rebinding(x, t):
    k = x
    f = lambda v: v * k
    if t > 1.0:
        k = t * t
    return f(x)


@case(0.7, 1.3)
def rebinding_in_while(x, t):
    k = x
    f = lambda v: v * k
    s = 0.0
    n = 0
    while n < 4:
        s += f(t)
        k = k * x + s
        n += 1
    return s


@case(0.7, 1.3)
def helper_gets_closure_and_rebinds_own(x, t):
    def outer(f, k):
        k = k * 2.0
        return f(k)

    k = x
    return outer(lambda v: v * k, t)


@case(0.4, np.array([0.3, -0.8, 1.1]))
def tables_of_lambdas_that_do_more_than_one_thing(x, w):
    def held(y):
        return {
            "p": lambda c: sum(v * k for k, v in enumerate(w)) * c,
            "q": lambda u, k=y: k * sum([(t := (v * x)) * t for v in w]) * u,
        }

    table = held(x * x)
    return table["p"](x) + table["q"](2.0) * w[0]
