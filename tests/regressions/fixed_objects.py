"""Variables that hold an active object or list here, and a fixed one there."""

from dataclasses import dataclass

import numpy as np

from regressions import Cases

CASES = case = Cases()


@dataclass
class Body:
    centre: np.ndarray
    radius: float


FIXED = Body(np.array([3.0, 2.0]), 0.5)


@case(np.array([1.0, 0.5]), 2.0)
def the_nearest_of_several_objects_or_none(centre, radius):
    bodies = [Body(centre, radius), Body(centre * 2.0, 1.0)]
    total = 0.0
    for t in (0.5, 1.5, 3.0):
        nearest, best = None, float("inf")
        for body in bodies:
            if t < body.radius < best:
                nearest, best = body, body.radius
        if nearest is None:
            total += 1.0
            continue
        total += np.sum(nearest.centre**2) * best * t
    return total


@case(np.array([1.0, 0.5]), 2.0)
def a_variable_of_an_active_object_takes_a_fixed_one(centre, radius):
    bodies = [Body(centre, radius), Body(centre * 2.0, 1.0)]
    total = 0.0
    for body in bodies:
        total += body.radius * body.centre[0]
    body, weight = FIXED, 2.0
    return total + body.radius * weight * radius + np.sum(body.centre * centre)


@case(1.5, 0.7)
def a_loop_over_fixed_lists_by_a_variable_of_active_ones(a, b):
    total = 0.0
    for k in range(2):
        for s in [[a, b], [b * b]]:
            total += sum(s) * a
        for s in [[1.0], [5.0]]:
            total += s[0] * b
        total += s[0] ** 2 * k
        (s, t), u = ([1.0, 3.0], 2.0), 3.0
        total += s[1] * t * u * a
    return total


@case(1.5)
def a_list_repeated_in_place_by_a_number_of_numpy(v):
    fit = []
    for n in np.array([2, 3]):
        fit.extend([v] * n)
    ys = fit
    fit *= np.int64(2)
    return sum(ys)
