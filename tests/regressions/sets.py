"""Sets of active values."""

import numpy as np

from regressions import Cases

CASES = case = Cases()
A4 = np.array([0.4, -0.7, 1.1, 0.9])


@case(0.7, 1.3, 0.4)
def filled_one_by_one(x, y, z):
    values = set()
    values.add(x)
    values.add(y * z)
    values.add(x)
    total = 0.0
    for k, v in enumerate(sorted(values)):
        total += (k + 1) * v * v
    return total * len(values)


@case(A4)
def of_a_comprehension_and_of_a_list(u):
    squares = {v * v for v in u}
    values = sorted(set(u.tolist()))
    return max(squares) + 2.0 * min(squares) + values[0] * values[-1] + len(values) * values[1]


@case(0.7, 1.3)
def in_the_order_of_the_set(x, y):
    total = 0.0
    for v in {x, y, x * y}:
        total = total * 0.5 + v
    first, *others = {x, y}
    return total + first * len(others)


class Graph:
    def __init__(self):
        self.seen = set()

    def visit(self, v):
        if v in self.seen:
            return 0.0
        self.seen.add(v)
        return v * len(self.seen)


@case(0.7, 1.3)
def in_a_field(x, y):
    graph = Graph()
    return graph.visit(x) + graph.visit(y) + graph.visit(x) + graph.visit(x * y)


def collect(values, v):
    values.add(v)
    values.add(v * 2.0)


def nothing():
    return set()


@case(0.7, 1.3)
def made_and_filled_by_helpers(x, y):
    values = nothing()
    collect(values, x)
    collect(values, y)
    return sum(sorted(values)[:3])


@case(0.7, 1.3, 0.4)
def joined_and_taken_away(x, y, z):
    a, b = {x, y}, frozenset([y, z])
    a |= {x * y}
    a.update([y, z * 2.0])
    a.discard(5.0)
    a.remove(x)
    return sum(a | b) + 3.0 * sum(a & b) + 2.0 * sum(a - b) + sum(a ^ b) + max(b) * (1.0 if z in b else 2.0)


class Node:
    def __init__(self, v):
        self.v = v


@case(0.7, 1.3)
def of_objects_and_tuples(x, y):
    nodes = [Node(x), Node(y)]
    visited = set()
    total = 0.0
    for node in [nodes[0], nodes[1], nodes[0]]:
        if node in visited:
            continue
        visited.add(node)
        total += node.v ** 2
    pairs = {(k % 2, x * (k % 3)) for k in range(5)}
    return total + sum(a * b for a, b in pairs)
