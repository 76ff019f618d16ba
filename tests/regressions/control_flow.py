"""Programs whose paths are chosen by `match`, by exceptions, and by context managers."""

import dataclasses
import math

import numpy as np

CASES = []
A3 = np.array([0.4, -0.7, 1.1])


def case(*arguments):
    def add(function):
        CASES.append((function, arguments))
        return function

    return add


# --- match ---------------------------------------------------------------------------------------


@dataclasses.dataclass
class Circle:
    radius: float


@dataclasses.dataclass
class Box:
    width: float
    height: float


@case(1.5)
def shapes_by_their_class(x):
    total = 0.0
    for shape in (Box(x, 2.0), Circle(x * x), Box(1.0, x)):
        match shape:
            case Box(width=1.0, height=h):
                total += h**3
            case Box(w, h):
                total += w * h
            case Circle(r):
                total += math.pi * r * r
    return total


@case(1.5)
def tagged_tuple_of_known_length(x):
    shape = ("circle", x)
    match shape:
        case ("circle", r):
            return 3.0 * r * r
        case ("box", w, h):
            return w * h
        case _:
            return 0.0


@case(0.5, 1.5)
@case(1.5, 0.5)
@case(3.0, 1.5)
def two_subjects_and_a_guard(x, y):
    match x, y:
        case (3.0, b):
            return b * x
        case (a, b) if a > b:
            return a * b
        case (b, a):
            return a**2 * b


@case(1.5, 1)
@case(1.5, 3)
@case(1.5, 4)
@case(1.5, (3, 4))
@case(1.5, "text")
@case(1.5, None)
@case(1.5, {"k": 2, "j": 1})
def inert_subject_of_any_kind(x, n):
    match n:
        case 1 | 2:
            y = x * x
        case 3 if x > 1.0:
            y = x**3
        case [a, *rest]:
            y = a * x + len(rest)
        case {"k": v, **others}:
            y = v * x + len(others)
        case "word" | None:
            y = 5 * x
        case int(k) | float(k):
            y = k * x
        case str():
            y = 7 * x
        case _:
            y = 0.5 * x
    return y * x


@case(1.5)
def list_taken_apart(x):
    match [x, x * x, 3.0]:
        case [a, b]:
            return a * b
        case [a, *middle, c] if c > 2.0:
            return a * middle[0] * c
        case _:
            return 0.0


@case(1.5)
def dict_of_active_values(x):
    match {"op": "scale", "by": x}:
        case {"op": "shift", "to": t}:
            return t + x
        case {"op": "scale", "by": k}:
            return k * 3.0 * x
    return 0.0


@case(1.5)
def jumps_out_of_a_match(x):
    total = 0.0
    for i in range(4):
        match i:
            case 0:
                continue
            case 3:
                break
            case k:
                total += x**k
    return total


@case(A3)
@case(1.5)
def float_or_array(x):
    match x:
        case float() as y if y > 3.0:
            return y
        case np.ndarray():
            return np.sum(x * x)
        case _:
            return x * x * x
