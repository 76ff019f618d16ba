"""Inert arrays, lists, dicts and objects that change between uses are put back as the reverse sweep needs them."""

import collections
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pullback import grad


def dict_updated(x, table):
    y = x * x * table["a"]
    table.update(a=7.0)
    return y * table["a"]


def dict_emptied_and_filled_in_a_loop(x, table):
    s = 0.0
    for k in range(3):
        s += x * x * table["a"]
        table.pop("a", None)
        table["a"] = 5.0 + k
    return s


def list_grown_at_the_front(x, weights):
    s = 0.0
    for k in range(3):
        s += x * x * weights[k]
        weights.insert(0, 9.0)
    return s


def rescale(settings):
    settings.scale = 4.0


def object_changed_by_a_helper(x, settings):
    y = x * x * settings.scale
    rescale(settings)
    return y * settings.scale


def array_shuffled(x, weights):
    rng = np.random.default_rng(3)
    s = 0.0
    for k in range(3):
        s += x * x * weights[k]
        rng.shuffle(weights)
    return s


def array_of_unknown_type_rewritten(x, seed):
    rng = np.random.default_rng(seed)
    weights = rng.normal(size=3)
    same = weights
    mask = weights > 0.0
    s = 0.0
    for k in range(3):
        s += x * x * np.sum(weights[mask])
        weights[k] = k
        same *= 2.0
        mask[k] = not mask[k]
        next(iter([weights]))[0] += 1.0
    return s


def set_and_queue_grown(x, first):
    seen, queue = set(), collections.deque([first])
    s = 0.0
    for k in range(3):
        s += x * x * queue[0] * (1 + len(seen))
        seen.add(k)
        queue.appendleft(k + 4.0)
    return s


def queue_with_a_new_front(x, queue):
    y = x * x * queue[0]
    queue.appendleft(5.0)
    return y * queue[0]


def queue_emptied(x, queue):
    s = 0.0
    while queue:
        k = queue.popleft()
        s += x**k * x
        if k > 2:
            queue.append(k - 1)
    return s


def counts_and_elements_added(x, held):
    s = 0.0
    for k in range(3):
        s += x * x * held["counts"]["a"] * len(held["seen"])
        held["counts"].update("ab")
        held["seen"].add(k)
    return s


def items_set_by_default(x, table):
    y = x * x * table["z"]
    table["z"] = 4.0
    return y * table["z"] * len(table)


class Walk:
    def __init__(self):
        self.queue = collections.deque([2.0])
        self.seen = set()
        self.log = []

    def __eq__(self, other):
        return vars(self) == vars(other)

    __hash__ = None


def mark(walk, k):
    walk.queue.appendleft(k + 7.0)
    walk.seen.add(k)
    walk.log.append(k)


def fields_changed_by_methods_of_their_own(x, walk):
    s = 0.0
    for k in range(3):
        s += x * x * walk.queue[0] * len(walk.seen) * len(walk.log)
        walk.queue.appendleft(k + 7.0)
        walk.seen.add(k)
        walk.log.append(k)
    return s


def fields_changed_by_a_helper(x, walk):
    s = 0.0
    for k in range(3):
        s += x * x * walk.queue[0] * (1 + len(walk.seen)) * (1 + len(walk.log))
        mark(walk, k)
    return s


def fields_of_an_object_made_here(x, first):
    walk = Walk()
    s = 0.0
    for k in range(3):
        s += x * x * walk.queue[0] * (1 + len(walk.seen)) * (1 + len(walk.log))
        walk.queue.appendleft(k + first)
        walk.seen.add(k)
        walk.log.append(k)
    return s


def containers_in_a_list(x, first):
    held = [set(), collections.deque([first]), [1, 2]]

    def note(k):
        held[2].append(k)
        held[0].add(k)

    s = 0.0
    for k in range(3):
        s += x * x * len(held[0]) * held[1][0] + x * len(held[2])
        note(k)
        held[1].appendleft(k + 2.0)
    return s


PROGRAMS: list[tuple[Callable[..., Any], Callable[[], Any]]] = [
    (dict_updated, lambda: {"a": 3.0}),
    (dict_emptied_and_filled_in_a_loop, lambda: {"a": 3.0}),
    (list_grown_at_the_front, lambda: [1.0, 2.0, 3.0]),
    (array_shuffled, lambda: np.array([1.0, 2.0, 3.0])),
    (array_of_unknown_type_rewritten, lambda: 1),
    (set_and_queue_grown, lambda: 3.0),
    (queue_with_a_new_front, lambda: collections.deque([2.0, 3.0])),
    (queue_emptied, lambda: collections.deque([1, 4])),
    (counts_and_elements_added, lambda: {"counts": collections.Counter("a"), "seen": {7}}),
    (items_set_by_default, lambda: collections.defaultdict(lambda: 2.0)),
    (fields_changed_by_methods_of_their_own, Walk),
    (fields_changed_by_a_helper, Walk),
    (fields_of_an_object_made_here, lambda: 7.0),
    (containers_in_a_list, lambda: 3.0),
]


@pytest.mark.parametrize(("program", "make"), PROGRAMS, ids=lambda p: getattr(p, "__name__", ""))
def test_gradient(program: Callable[..., Any], make: Callable[[], Any]) -> None:
    h = 1e-6
    expected = (program(2.0 + h, make()) - program(2.0 - h, make())) / (2 * h)
    argument, untouched = make(), make()
    assert grad(program)(2.0, argument) == pytest.approx(expected, rel=1e-7)
    assert np.all(argument == untouched) if isinstance(argument, np.ndarray) else argument == untouched


def test_an_object() -> None:
    settings = SimpleNamespace(scale=3.0)
    assert grad(object_changed_by_a_helper)(2.0, settings) == pytest.approx(2 * 2.0 * 3.0 * 4.0)
    assert settings.scale == 3.0
