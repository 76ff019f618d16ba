"""Arrays of integers on one path and of floats on another, made of what is either, or of a dtype only the run tells."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
X = np.array([1.3, 2.4, 0.7])


@case(X, 1)
def made_of_a_sum_that_may_be_empty(x, n):
    s = 0
    for i in range(n):
        s += x[i]
    m = np.array([s, s])
    m[0] = x[1]
    r = np.repeat(s, 3)
    r[1:] *= x[2]
    o = np.ones(3, int) * s
    o[0] = x[1]
    return np.sum(m * x[0]) + np.sum(r * o)


@case(X, 0)
@case(X, 1)
def looked_at_and_not_written(x, n):
    m = np.full((2, 2), n or x[0])
    t = 0.0
    for i in range(2):
        t += np.sum(np.sin(m)) + np.sum(np.cos(m[i]))
    return t * x[1]


@case(X, 0)
def written_on_the_path_of_floats(x, n):
    m = np.zeros(3, int) if n else np.zeros(3)
    m[0] = x[1]
    v = m[:2]
    v[1] = x[2]
    p = np.where(x > 1, 1, 0) if n else np.where(x > 1, x, 0)
    p[0] *= x[1]
    q = np.full(2, n or x[0])
    for _ in range(2):
        q = q * 2
    q[0] = x[0]
    return np.sum(m * x) + np.sum(p) * np.sum(q)


@case(X, 1)
def of_a_dtype_known_as_it_runs(x, n):
    dtype = [int, float][n]
    m = np.zeros(3, dtype)
    m[:] = x
    w = np.empty_like(x, dtype=dtype)
    w[0] = x[1]
    w[1:] = x[:2]
    z = np.zeros(3, dtype="f8" if n else "i8")
    z[0] = x[1]
    return np.sum(m * w * x) + np.sum(z * x)


@case(X, 1)
def chosen_from_a_list(x, n):
    m = [np.arange(3), x.copy()][n]
    m[0] = x[0] * x[1]
    d = {"a": 1}
    if n:
        d["a"] = x[0]
    w = np.full(3, d["a"])
    w[0] = x[1]
    xs = [0]
    for i in range(n):
        xs.append(x[i])
    v = np.array(xs)
    v[0] = x[1]
    return np.sum(m * w) + np.sum(v)


@case(1.3)
def an_item_that_turns_out_a_number(x):
    s = [x * x]
    s *= 2
    s[-1] /= 2.0 if x > 0 else x
    return sum(s)


@case(X)
def operations_on_a_diagonal(x):
    w = [np.diag(np.outer(x, x)) + 1.0]
    w[0][0] -= w[0][1]
    v = np.diag(np.outer(x, x)) * 1.0
    v[0] -= v[1]
    return np.sum(w[0] ** 2) + np.sum(v**2)


@case(X, 1)
def written_through_flat(x, n):
    m = np.full((2, 2), [0, x[0]][n])
    m.flat[1] = x[1]
    m.flat[[2, 3]] = x[:2]
    return np.sum(m * m) * x[2]
