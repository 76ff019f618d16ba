"""Arrays that are made, written and written again: what the reverse sweep reads of them between is put back."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
U = np.array([0.3, 0.7, 1.2, 0.5])


@case(U)
def read_between_two_writes(x):
    y = np.zeros(4)
    y[0] = x[0]
    total = np.sum(y**2 * x)
    y[0] = x[1] * x[2]
    total += np.sum(y**3)
    y[1:] = x[1:] * y[0]
    return total * np.sum(y * y)


@case(U)
def made_by_a_function_whose_adjoint_reads_the_result(x):
    y = np.exp(x)
    y[0] = x[1]
    z = np.sqrt(x)
    z *= y
    w = np.tanh(x)
    w[1:] += w[:-1] * 2.0
    return np.sum(y * z * w)


@case(U)
def read_through_a_view_or_an_alias(x):
    y = x * x
    same, part, kept = y, y[1:], [y]
    total = np.sum(same**2)
    y[1] = x[0]
    total += np.sum(part**2)
    y[2] = x[1]
    total += np.sum(kept[0] ** 2)
    y[3] = x[2]
    return total * np.sum(y)


@case(U)
def read_by_functions(x):
    y = x * 2.0

    def norm():
        return np.sum(y**2)

    def power(v):
        return np.sum(v**3)

    total = norm()
    y[0] = x[1]
    total += power(y)
    y[1] = x[2]
    holder = {"y": y}
    total += np.sum(holder["y"] ** 2)
    y[2] = x[3]
    return total * norm()


@case(U)
def made_in_each_round_and_kept_for_the_next(x):
    before, now, total = np.zeros(4), np.ones(4), x[0]
    for k in range(4):
        new = np.zeros(4)
        new[1:-1] = now[1:-1] * x[1:-1] - before[:-2] ** 2
        new[k] += x[k] * now[k]
        total += new[2] ** 2
        before = now
        now = new
    return total * np.sum(now**2)


@case(U)
def made_in_each_round_and_read_by_the_one_after(x):
    now, total = np.ones(4), x[0]
    for k in range(3):
        new = now * x
        total += np.sum(new**2)
        now[0] = total
        new[k] = now[0] * now[1]
        now = new
        if k == 1:
            new = now
            total += np.sum(new**2)
            new[1] = x[2]
    return total * np.sum(now**2)


@case(U)
def written_in_loops_and_branches_behind_its_making(x):
    total = 0.0
    for k in range(2):
        y = np.zeros(4)
        for i in range(1, 4):
            y[i] = y[i - 1] ** 2 + x[i] * x[k]
        if total < 100.0:
            total += np.sum(y**2)
            y[k] = x[3]
        while y[0] < 2.0:
            y[0] += 0.7 * x[0] + y[1] ** 2
        total = total * y[0] + np.sum(y**3)
    return total


@case(U)
def indices_that_are_written(x):
    places = np.array([0, 1, 2])
    total = np.sum(x[places] ** 2)
    places[0] = 3
    w = x * 1.0
    w[places] = x[:3] ** 2
    places[1] = 0
    return total * np.sum(w[places] ** 2)
