"""Programs with lists, tuples and dicts that once came out wrong, or crashed, made small, and now right."""

import json

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])
M = np.array([[0.3, -0.8, 0.5], [1.1, 0.2, -0.4]])


@case(A3)
def popped_by_a_negative_index(a):
    xs = list(a) + [a[0] * a[1]]
    p = xs.pop(1)
    q = xs.pop(-2)
    return p * q * 2 + xs[0] * xs[1]


@case(A3)
def popped_by_a_computed_index(a):
    xs = [v * v for v in a]
    y = xs.pop(xs.index(max(xs)))
    z = xs.pop(len(xs) - 1)
    xs.insert(len(xs), y * z)
    xs.insert(xs.index(y * z), a[0])
    return y * z * xs[0] + xs[1]


@case(A3)
def popped_into_the_index(a):
    xs = list(a)
    i = -2
    i = xs.pop(i)
    return i * xs[0] * xs[1]


@case(A3)
def popped_array_goes_back_with_its_shadow(a):
    xs = [a * 1.0, a * 2.0]
    xs[0] *= a
    xs[1][0] = a[2]
    v = xs.pop()
    xs.pop()
    xs.append(v * a[0])
    xs[0] *= 2
    return np.sum(v) + np.sum(xs[0] * v)


@case(A3)
def popped_pair(a):
    queue = [(0, a[0])]
    s = 0.0
    while queue:
        depth, v = queue.pop(0)
        s += v * v
        if depth < 2:
            queue.append((depth + 1, v * a[1]))
            queue.append((depth + 1, v + a[2]))
    return s


@case(A3)
def numbers_of_unknown_kind_on_a_stack(a):
    stack = []
    for op in ["0", "1", "+", "2", "*"]:
        if op == "+":
            r = stack.pop()
            stack.append(stack.pop() + r)
        elif op == "*":
            r = stack.pop()
            stack.append(stack.pop() * r)
        else:
            stack.append(a[int(op)])
    return stack[-1]


@case(A3)
def removed_and_cleared(a):
    xs = [1.0, 2.0, a[0], 3.0]
    xs.remove(2.0)
    s = xs[1] * xs[2]
    xs.clear()
    xs.append(a[1] * 2)
    return s * xs[0]


@case(A3)
def grows_in_a_loop_over_its_own_indices(a):
    xs = list(a)
    for i in range(len(xs)):
        xs.append(xs[i] * 2)
    xs.extend(xs)
    xs[1:1] = xs
    return sum(v * v * (i + 1) for i, v in enumerate(xs))


@case(A3)
def branch_changes_what_it_tests(a):
    rows = [[v] for v in a]
    row = rows[0]
    if rows[0][0] > 0:
        row[0] = a[1] * row[0]
    return rows[0][0] * rows[1][0]


@case(A3)
def sorted_by_recursion(a):
    def quick(xs):
        if not xs:
            return []
        first, *rest = xs
        return quick([v for v in rest if v < first]) + [first] + quick([v for v in rest if v >= first])

    def merge(xs):
        if len(xs) < 2:
            return xs
        left, right = merge(xs[: len(xs) // 2]), merge(xs[len(xs) // 2 :])
        out = []
        while left and right:
            out.append(left.pop(0) if left[0] < right[0] else right.pop(0))
        return out + left + right

    ys = merge(quick([a[0], a[1], a[2], a[0] * 2]))
    return sum(v * (i + 1) for i, v in enumerate(ys))


@case(M)
def reshaped_copies_in_containers(m):
    m = m * 1.0
    xs = [m.T.reshape(-1), m.reshape(-1)]
    xs[0][0] *= 2
    xs[1][1] *= 3
    d = {}
    d["a"] = m.T.ravel()
    d["a"][0] *= 2
    return np.sum(m * m) + np.sum(xs[0] * xs[1]) * np.sum(d["a"] ** 2)


@case(A3)
def entries_by_unknown_indices_in_containers(a):
    v = a * 2
    i = json.loads("1")
    xs = [v[i], a[0]]
    v[0] = xs[0]
    d = {"q": v[i]}
    xs[0] = v[i] * 2

    def push(y, ys):
        ys.append(y)
        return v[i]

    z = push(v[i], xs)
    return np.sum(v) * d["q"] + xs[0] * xs[2] + z


@case(A3)
def number_over_an_array_in_a_slot(a):
    d = {"w": a * 1.0}
    d["w"][0] = a[1]
    s = np.sum(d["w"] ** 2)
    d["w"] = a[2] * 2
    t = d["w"] * s
    d["w"] = a * 3
    d["w"][1] = a[0]
    xs = [None] * 3
    for i in range(3):
        if xs[i] is None:
            xs[i] = a[i] * 2
        xs[i] = xs[i] * a[0]
    return t * np.sum(d["w"]) * sum(xs)


@case(A3)
def numbers_and_arrays_gone_through_together(a):
    def square(y):
        return np.sum(y * y)

    xs = [a * 1.0, a[0]]
    xs[0][1] = a[2]
    d = {"w": a * 1.0, "b": a[0]}
    d["w"][0] = d["b"]
    t = 0.0
    for y in xs:
        t += square(y)
    for k in d:
        y = d[k]
        d[k] = y * a[1]
        t += np.sum(y * d[k])
    return t * sum(np.sum(v * v) for v in d.values())


@case(A3)
def a_new_element_reads_the_one_it_replaces(a):
    d = {"p": {"w": a * 1.0, "b": a[0]}}
    for k in d:
        d[k] = {**d[k], "b": d[k]["b"] * a[2]}
    return np.sum(d["p"]["w"]) * d["p"]["b"]


@case(A3)
def elements_inserted_again(a):
    xs = [a * 1.0, a * 2]
    for k in range(2):
        xs.insert(0, xs[-1] * a[k])
        xs[1][k] += 1.0
    xs.insert(1, xs[2])
    xs[:2] = xs[1:]
    xs[0] *= 2
    return sum(np.sum(x) * (i + 1) for i, x in enumerate(xs))


@case(M)
def a_display_of_a_list_and_of_rows(m):
    tail = []
    rows = [*tail, m[1], m.T[0], *[m[0]]]
    return rows[0][1] * rows[1][1] * np.sum(rows[2] ** 2)


@case(M)
def a_list_of_constants_of_which_one_is_replaced(m):
    u = [np.ones(3), np.zeros(3)]
    rows = [v for v in u]
    more = []
    for v in u:
        more.append(v)
    u[0][0] = 3.0
    more[-1] = rows[-1] = m[0]
    u.sort(key=np.sum)
    return np.sum(rows[0] * m[1]) + np.sum(rows[-1] ** 2) + np.sum(more[1] * u[0] * m[1])


@case(A3)
def a_function_that_may_rebind_a_captured_array(a):
    rest = a

    def split(z):
        nonlocal rest
        if z[0] > 100.0:
            rest = z
        return np.linalg.norm(z + 2.0), z[1] * z[2]

    old = split(a[::-1])
    return old[1]


@case(1.5)
def dicts_made_by_keywords_are_spread(x):
    first = {**dict(a=x), "b": x * x}
    both = dict(a=x) | {"b": first["b"]}
    return first["a"] * both["b"] * len(both)
