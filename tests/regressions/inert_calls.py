"""Calls without a derivative that change, behind objects, what derivatives read."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
A3 = np.array([0.4, -0.7, 1.1])


class Counter:
    def __init__(self):
        self.n = 0

    def step(self, v):
        self.n += 1
        return v * self.n

    def reset(self, k):
        self.n = k


class Link:
    def __init__(self, k):
        self.k, self.other = k, None

    def use(self, v):
        return v * self.k

    def reset_other(self):
        self.other.k = 9


class Schedule:
    def __init__(self):
        self.t, self.rate = 0, 0.5

    def step(self):
        self.t += 1
        self.rate = 0.5 / (1 + self.t)


class Descent:
    def __init__(self, schedule):
        self.schedule = schedule

    def update(self, w, g):
        w = w - self.schedule.rate * g
        self.schedule.step()
        return w


@case(A3)
def variable_shared_by_returned_functions(u):
    def make():
        n = 0

        def step(v):
            nonlocal n
            n += 1
            return v * n

        def get():
            return n

        def reset(k=0):
            nonlocal n
            n = k

        return step, get, reset

    step, get, reset = make()
    a = step(u[0]) + step(u[1])
    reset(5)
    return a * step(u[2]) * get()


@case(A3)
def each_of_several_objects(u):
    a, b = Counter(), Counter()
    objects = [a, b]

    def reset_both(k):
        a.reset(k)
        b.reset(2 * k)

    r = a.step(u[0]) + b.step(u[1]) * b.n
    reset_both(7)
    return r + objects[0].step(u[2])


@case(A3)
def objects_that_know_each_other(u):
    a, b = Link(2), Link(3)
    a.other, b.other = b, a
    r = a.use(u[0]) + b.use(u[1])
    a.reset_other()
    b.other.reset_other()
    return r + a.use(u[2])


@case(A3)
def schedule_of_a_descent(u):
    descent, w = Descent(Schedule()), u
    for _ in range(3):
        w = descent.update(w, w * w)
    descent.schedule.step()
    return w @ w * descent.schedule.rate


@case(A3)
def pairs_of_functions_in_a_list(u):
    def make(k):
        w = np.ones(2) * k

        def use(v):
            return v * w[0]

        def change(f):
            w[:] = w * f

        return use, change

    pairs = [make(2.0), make(3.0)]
    r = 0.0
    for i, (use, change) in enumerate(pairs):
        r += use(u[i])
        change(10.0)
        r += use(u[i + 1])
    return r


class Picker:
    def __init__(self):
        self.flags, self.order = {"plain": True}, np.arange(3)

    def toggle(self):
        self.flags["plain"] = not self.flags["plain"]
        self.order[0], self.order[2] = self.order[2], self.order[0]

    def pick(self, u):
        return u[self.order[0]] if self.flags["plain"] else u[self.order[0]] ** 2


@case(A3)
def fields_of_several_kinds(u):
    a = Picker()
    s = a.pick(u)
    for o in (a,):
        o.toggle()
    s *= a.pick(u)
    a.toggle()
    return s + a.pick(u)
