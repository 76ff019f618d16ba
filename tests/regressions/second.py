"""Second derivatives of common functions, through `grad` of a function that calls `grad`."""

import math

import numpy as np

from pullback import grad

CASES = []
A3 = np.array([0.4, -0.7, 1.1])
P3 = np.array([0.4, 0.7, 1.1])
M = np.array([[0.9, -0.8, 0.5], [1.1, 1.2, -0.4], [0.6, 0.9, 2.2]])


def second(*arguments):
    """The sum of the squares of the gradient: its gradient needs second derivatives."""

    def add(function):
        def program(x):
            g = grad(function)(x)
            return np.sum(g * g)

        program.__name__ = function.__name__
        CASES.append((program, arguments))
        return function

    return add


@second(A3)
def sums(x):
    return np.sum(x**2) * np.mean(x) + np.sum(np.outer(x, x), axis=0)[1]


@second(A3)
def matmul(x):
    return x @ M @ x * np.dot(x, x)


@second(P3)
def explog(x):
    return np.sum(np.exp(x) * np.log(x)) + np.sqrt(np.sum(x))


@second(A3)
def where(x):
    return np.sum(np.where(x > 0, x**3, np.sin(x)))


@second(A3)
def indexing(x):
    return x[0] ** 2 * x[1] + np.sum(x[1:] * x[:-1]) + x[[0, 0, 2]] @ x


@second(A3)
def loops(x):
    s = 0.0
    for i in range(3):
        s = s * x[i] + np.sin(x[i])
    return s


@second(A3)
def inplace(x):
    y = np.zeros(3)
    for i in range(3):
        y[i] = x[i] ** 2 + (y[i - 1] if i else 0.0)
    y *= x
    return np.sum(y * y)


@second(A3)
def inplace_arg(x):
    for i in range(1, 3):
        x[i] -= 0.3 * x[i - 1] ** 2
    return np.sum(x**3)


def hlp(a, b):
    c = np.tanh(a) * b
    return c * c


@second(A3)
def helpers(x):
    return np.sum(hlp(x, x[0])) + hlp(x[1], x[2])


@second(A3)
def branches(x):
    if np.sum(x) > 0:
        return np.sum(x**3)
    return np.sum(x**2)


@second(A3)
def whiles(x):
    s = x[0]
    n = 0
    while n < 4:
        s = s * 0.5 + x[n % 3] ** 2
        n += 1
    return s


@second(A3)
def lists(x):
    ys = []
    for v in x:
        ys.append(v * v)
    return sum(ys) * ys[0]


@second(A3)
def tuples(x):
    a, b = x[0], x[1] * x[2]
    a, b = b, a * b
    return a * b**2


@second(M)
def linalg(m):
    return np.linalg.det(m) + np.sum(np.linalg.inv(m)) + np.linalg.norm(m)


@second(M)
def solve(m):
    return np.sum(np.linalg.solve(m, np.array([1.0, 2.0, 3.0])) ** 2)


@second(M)
def reshapes(m):
    return np.sum(m.T.reshape(-1)[2:5] ** 3) + np.sum(np.concatenate([m[0], m[:, 1]]) ** 2 * m[0, 0])


@second(A3)
def maxmin(x):
    return np.max(x) ** 2 * np.min(x) + np.sum(np.maximum(x, 0.1) ** 3) + np.sum(np.abs(x) ** 3)


@second(A3)
def cum(x):
    return np.sum(np.cumsum(x**2) * np.cumprod(x)) + np.prod(x) ** 2


@second(A3)
def power(x):
    return np.sum((x**2 + 1.0) ** x)


@second(A3)
def softmax(x):
    e = np.exp(x - np.max(x))
    p = e / np.sum(e)
    return -np.log(p[1])


@second(M)
def broadcast(m):
    return np.sum((m - np.mean(m, axis=0)) ** 2 / (1.0 + m[:, :1] ** 2))


@second(A3)
def einsum(x):
    return np.einsum("i,ij,j->", x, M, x) ** 2


@second(0.7)
def scalar_math(x):
    return math.sin(x) * math.exp(x) / (1.0 + x * x)


@second(A3)
def swap(x):
    a = x * 1.0
    b = np.zeros(3)
    for i in range(3):
        b[1:] = a[:-1] * a[1:]
        b[0] = a[0] ** 2
        a, b = b, a
    return np.sum(a)


@second(A3)
def views(x):
    v = x[1:]
    v *= x[0]
    return np.sum(x**2)


@second(A3)
def recursion(x):
    return rec(x, 3)


def rec(x, n):
    return np.sum(x * x) if n == 0 else rec(np.sin(x) * x[0], n - 1)


@second(A3)
def comprehension(x):
    return sum([np.sum(x[i] * x) ** 2 for i in range(3)]) + max(x[0] ** 2, x[2] ** 3)


@second(A3)
def closures(x):
    f = lambda v: v * x[0]
    fs = [f, lambda v: v + x[1]]
    s = x[2]
    for g in fs:
        s = g(s) * s
    return s


@second(A3)
def early_break(x):
    s = 0.0
    for v in x:
        if v < 0:
            continue
        s += v**3
        if s > 1.0:
            break
    return s * x[1] ** 2


@second(A3)
def sorting(x):
    return np.sum(np.sort(x) * np.array([1.0, 2.0, 3.0]) * x)


@second(A3)
def clipping(x):
    return np.sum(np.clip(x, -0.5, 0.8) ** 3 * x)


@second(A3)
def stats(x):
    return np.var(x) * np.std(x)


@second(A3)
def masks(x):
    y = x.copy()
    y[x < 0] = x[x < 0] ** 2
    return np.sum(y**3)


@second(A3)
def stacks(x):
    return np.sum(np.stack([x, x**2]) @ x) + np.sum(np.hstack([x, x[:1]]) ** 3)


@second(A3)
def pads(x):
    return np.sum(np.diff(x) ** 3) + np.sum(np.pad(x, 1) ** 2) + np.sum(np.roll(x, 1) * x**2)


def cubes(p):
    t = 0.0
    for k in p if isinstance(p, dict) else range(len(p)):
        z = p[k]
        t += np.sum(z * z * z)
    return t


def numbers_beside_arrays(x, a):
    g = grad(cubes)({"p": x, "q": a})
    h = g["p"]
    h += x
    g["q"] *= 2.0
    g["p"] -= 1.0
    p = {"p": x, "q": a}
    for _ in range(2):
        step = grad(cubes)(p)
        p = {k: p[k] - 0.1 * step[k] for k in p}
    return g["p"] * h + np.sum(g["q"] * g["q"]) + p["p"] + np.sum(p["q"])


CASES.append((numbers_beside_arrays, (1.3, A3)))
